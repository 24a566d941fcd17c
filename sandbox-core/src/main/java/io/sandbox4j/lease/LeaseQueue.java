package io.sandbox4j.lease;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * The places for leases whose sandbox runs, and who waits for one: first come, first
 * served, and nobody overtakes. Call it with the lock.
 */
final class LeaseQueue {

	// A command that ends in the background makes a lease idle, and tells nobody.
	private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(100);

	private final ReentrantLock lock;

	private final LeasePlaces places;

	private final int maxWaiting;

	private final Deque<Ticket> tickets = new ArrayDeque<>();

	private int taken;

	private int makingRoom;

	private long rejected;

	private boolean closed;

	LeaseQueue(ReentrantLock lock, LeasePlaces places, int maxWaiting) {
		this.lock = lock;
		this.places = places;
		this.maxWaiting = maxWaiting;
	}

	/**
	 * Waits for a place.
	 * @param key the lease that it is for
	 * @param patience how long
	 * @param makeRoom stops an idle lease; gives the lock away meanwhile; returns
	 * {@code false} if there is none
	 * @return {@code false} if the lease must be looked at again, as somebody else took a
	 * place for it
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if there is none in time
	 */
	boolean await(LeaseKey key, Patience patience, BooleanSupplier makeRoom) {
		if (this.tickets.isEmpty() && this.taken < this.places.count()) {
			this.taken++;
			return true;
		}
		if (this.tickets.size() >= this.maxWaiting) {
			throw busy("and as many callers as 'sandbox.lease.max-waiting' allows, " + this.maxWaiting + ", wait");
		}
		Ticket ticket = new Ticket(key, this.lock.newCondition());
		this.tickets.add(ticket);
		try {
			while (!ticket.granted && !ticket.dropped) {
				waitFor(ticket, patience, makeRoom);
			}
			return ticket.granted;
		}
		catch (InterruptedException ex) {
			giveUp(ticket);
			Thread.currentThread().interrupt();
			throw new SandboxException(ErrorCode.SANDBOX_BUSY,
					"The call was interrupted while it waited for a place. Call again if it is still wanted.", ex);
		}
		catch (RuntimeException | Error ex) {
			giveUp(ticket);
			throw ex;
		}
	}

	private void waitFor(Ticket ticket, Patience patience, BooleanSupplier makeRoom) throws InterruptedException {
		if (this.closed) {
			throw LeaseTable.closedFailure();
		}
		if (this.places.makingRoom() && this.makingRoom < this.tickets.size() && madeRoom(makeRoom)) {
			return;
		}
		long left = patience.left();
		if (left == 0 && !ticket.granted && !ticket.dropped) {
			throw busy((this.places.makingRoom() ? "none of them is idle, and" : "and") + " this caller was number "
					+ position(ticket) + " of " + this.tickets.size() + " that wait");
		}
		ticket.condition.awaitNanos(Math.min(left, LOOK_AGAIN));
	}

	private boolean madeRoom(BooleanSupplier makeRoom) {
		this.makingRoom++;
		try {
			return makeRoom.getAsBoolean();
		}
		finally {
			this.makingRoom--;
		}
	}

	private int position(Ticket ticket) {
		int position = 1;
		for (Ticket other : this.tickets) {
			if (other == ticket) {
				return position;
			}
			position++;
		}
		return position;
	}

	private SandboxException busy(String why) {
		this.rejected++;
		return new SandboxException(ErrorCode.SANDBOX_BUSY, "All of the " + this.places.count() + " leases of '"
				+ this.places.name() + "' are taken, " + why + ". Wait longer, or raise the limit.");
	}

	private void giveUp(Ticket ticket) {
		if (ticket.granted) {
			release();
		}
		this.tickets.remove(ticket);
	}

	void release() {
		this.taken--;
		while (this.taken < this.places.count() && !this.tickets.isEmpty()) {
			Ticket next = this.tickets.remove();
			next.granted = true;
			this.taken++;
			next.condition.signal();
		}
	}

	// Who waits for a place for this lease waits for the lease from now on.
	void drop(LeaseKey key) {
		for (Iterator<Ticket> all = this.tickets.iterator(); all.hasNext();) {
			Ticket ticket = all.next();
			if (ticket.key.equals(key)) {
				all.remove();
				ticket.dropped = true;
				ticket.condition.signal();
			}
		}
	}

	// A lease became idle.
	void wake() {
		Ticket first = this.tickets.peek();
		if (first != null) {
			first.condition.signal();
		}
	}

	void close() {
		this.closed = true;
		this.tickets.forEach((ticket) -> ticket.condition.signal());
	}

	int taken() {
		return this.taken;
	}

	int places() {
		return this.places.count();
	}

	int waiting() {
		return this.tickets.size();
	}

	long rejected() {
		return this.rejected;
	}

	/**
	 * One caller that waits.
	 */
	private static final class Ticket {

		private final LeaseKey key;

		private final Condition condition;

		private boolean granted;

		private boolean dropped;

		Ticket(LeaseKey key, Condition condition) {
			this.key = key;
			this.condition = condition;
		}

	}

}
