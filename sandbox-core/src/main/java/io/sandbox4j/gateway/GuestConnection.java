package io.sandbox4j.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;
import org.newsclub.net.unix.AFUNIXSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a guest: its requests, one after the other, on one thread. Another
 * thread calls {@link #tick} now and then; it only shuts the socket's directions or
 * aborts the upstream, which wakes this thread. This thread alone closes the socket: a
 * descriptor that is closed under a blocked call could by then be another file's.
 */
final class GuestConnection implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(GuestConnection.class);

	/**
	 * How much of an unread body is read after a refusal, so that the client finds the
	 * answer and not a reset.
	 */
	private static final int LINGER_BYTES = 8 * 1024 * 1024;

	private static final Duration LINGER = Duration.ofSeconds(2);

	private static final Duration LAST_WORDS = Duration.ofSeconds(2);

	private static final long DISCONNECT_CHECK = Duration.ofMillis(200).toNanos();

	private final GatewaySession session;

	private final AFUNIXSocket socket;

	private final GatewayLimits limits;

	private final StrictServerConnection http;

	private final byte[] buffer = new byte[32 * 1024];

	private volatile Phase phase = Phase.IDLE;

	private volatile long phaseStart;

	private volatile long deadline;

	private volatile long requestEnd;

	private volatile @Nullable Refusal expired;

	private volatile @Nullable AbortHandle upstream;

	private volatile boolean shut;

	private volatile boolean left;

	private boolean broken;

	GuestConnection(GatewaySession session, AFUNIXSocket socket, GatewayLimits limits) {
		this.session = session;
		this.socket = socket;
		this.limits = limits;
		this.http = new StrictServerConnection(limits.headBytes(),
				() -> enter(Phase.HEAD, limits.headTimeout().toNanos()));
		enter(Phase.IDLE, limits.keepAlive().toNanos());
	}

	@Override
	public void run() {
		try {
			this.http.bind(this.socket);
			String command = this.session.commandOf(this.socket.getPeerCredentials().getPid());
			boolean open = true;
			while (open && !this.shut) {
				enter(Phase.IDLE, this.limits.keepAlive().toNanos());
				open = serveNext(command);
			}
		}
		catch (IOException ex) {
			logger.debug("A guest's connection of session {} ended", this.session.id(), ex);
		}
		catch (RuntimeException ex) {
			logger.warn("The gateway failed on a connection of session {}", this.session.id(), ex);
		}
		finally {
			this.session.ended(this);
			this.http.close(CloseMode.IMMEDIATE);
			close();
		}
	}

	private boolean serveNext(@Nullable String command) throws IOException {
		Exchange exchange = new Exchange(this, this.session, command);
		try {
			ClassicHttpRequest head = receive();
			if (head == null) {
				return false;
			}
			this.http.receiveRequestEntity(head);
			return exchange.serve(head);
		}
		catch (RefusedException ex) {
			exchange.refuseUnread(ex);
		}
		catch (HttpException ex) {
			exchange.refuseUnread(new RefusedException(Refusal.MALFORMED_REQUEST, "The head could not be parsed."));
		}
		return false;
	}

	private @Nullable ClassicHttpRequest receive() throws IOException, HttpException {
		try {
			return this.http.receiveRequestHeader();
		}
		catch (ConnectionClosedException | RefusedException ex) {
			Refusal why = this.expired;
			if (why != null) {
				throw new RefusedException(why, "The head did not arrive in time.");
			}
			throw ex;
		}
	}

	byte[] buffer() {
		return this.buffer;
	}

	StrictServerConnection http() {
		return this.http;
	}

	// ------------------------------------------------------- what the watch looks at

	/**
	 * Starts the time of a request.
	 * @param timeout how long it may take
	 * @param upstream what is aborted when it took longer, or the guest left
	 */
	void begin(Duration timeout, AbortHandle upstream) {
		this.requestEnd = System.nanoTime() + timeout.toNanos();
		this.upstream = upstream;
		if (this.shut) {
			upstream.abort();
		}
	}

	/**
	 * Ends the time of a request.
	 */
	void end() {
		this.upstream = null;
	}

	/**
	 * Says what this thread is about to wait for.
	 * @param next the other side
	 */
	void enter(Phase next) {
		enter(next, this.limits.idleTimeout().toNanos());
	}

	private void enter(Phase next, long bound) {
		long now = System.nanoTime();
		this.deadline = now + ((this.upstream != null) ? Math.min(bound, this.requestEnd - now) : bound);
		this.phaseStart = now;
		this.phase = next;
	}

	/**
	 * Gives a last answer its time, whatever the request has used up.
	 */
	void enterLastWords() {
		end();
		enter(Phase.GUEST_TAKES, LAST_WORDS.toNanos());
	}

	/**
	 * Returns why this thread was woken, if time was the reason.
	 * @return the reason, or {@code null}
	 */
	@Nullable Refusal expired() {
		return this.expired;
	}

	/**
	 * Whether the connection was shut down from outside, or the guest left.
	 * @return {@code true} if so
	 */
	boolean isShut() {
		return this.shut;
	}

	/**
	 * Whether the guest closed its end while it was waited for.
	 * @return {@code true} if so
	 */
	boolean hasLeft() {
		return this.left;
	}

	/**
	 * Looks whether this connection has used up its time or its guest. On the watching
	 * thread.
	 * @param now the time
	 */
	void tick(long now) {
		Phase current = this.phase;
		if (now - this.deadline >= 0) {
			this.deadline = now + LAST_WORDS.toNanos();
			expire(current);
		}
		else if (current == Phase.ORIGIN && now - this.phaseStart > DISCONNECT_CHECK && isGone()) {
			this.left = true;
			shut();
		}
	}

	private void expire(Phase current) {
		AbortHandle abort = this.upstream;
		switch (current) {
			case HEAD -> stopReading(Refusal.HEAD_TIMEOUT);
			case GUEST_GIVES -> stopReading(Refusal.REQUEST_TIMEOUT);
			case ORIGIN -> {
				this.expired = Refusal.UPSTREAM_TIMEOUT;
				if (abort != null) {
					abort.abort();
				}
			}
			case IDLE, GUEST_TAKES, LINGER -> shut();
		}
	}

	private void stopReading(Refusal why) {
		if (this.expired != null) {
			shut();
			return;
		}
		this.expired = why;
		shutInput();
	}

	// Sends nothing, which fails once the other end is closed; one that only sends no
	// more is still there (unix(7)).
	private boolean isGone() {
		try {
			return this.socket.checkConnectionClosed();
		}
		catch (IOException ex) {
			return true;
		}
	}

	/**
	 * Wakes this connection's thread for good, and aborts its request. From any thread.
	 */
	void shut() {
		this.shut = true;
		AbortHandle abort = this.upstream;
		if (abort != null) {
			abort.abort();
		}
		shutBothWays();
	}

	/**
	 * Sees to it that nothing more reaches the guest. On this connection's thread.
	 */
	void breakOff() {
		this.broken = true;
		shutBothWays();
	}

	boolean isBroken() {
		return this.broken;
	}

	private void shutBothWays() {
		shutInput();
		try {
			this.socket.shutdownOutput();
		}
		catch (IOException ex) {
			logger.debug("The socket is closed already", ex);
		}
	}

	// One direction after the other, because each fails when it was shut before.
	private void shutInput() {
		try {
			this.socket.shutdownInput();
		}
		catch (IOException ex) {
			logger.debug("The socket is closed already", ex);
		}
	}

	/**
	 * Reads on for a while, after an answer that came before the end of a request.
	 */
	void linger() {
		enter(Phase.LINGER, LINGER.toNanos());
		try {
			this.socket.shutdownOutput();
			InputStream in = this.socket.getInputStream();
			byte[] sink = new byte[16 * 1024];
			long read = 0;
			for (int n = 0; n >= 0 && read < LINGER_BYTES; n = in.read(sink)) {
				read += n;
			}
		}
		catch (IOException ex) {
			logger.debug("The guest closed first", ex);
		}
	}

	private void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			logger.debug("The socket could not be closed", ex);
		}
	}

	/**
	 * What the connection's thread waits for, which is whom a timeout blames.
	 */
	enum Phase {

		/**
		 * The next request.
		 */
		IDLE,

		/**
		 * The rest of a head.
		 */
		HEAD,

		/**
		 * A part of a request's body.
		 */
		GUEST_GIVES,

		/**
		 * The origin: a name, a connection, that it takes bytes, or that it sends some.
		 */
		ORIGIN,

		/**
		 * That the guest takes bytes.
		 */
		GUEST_TAKES,

		/**
		 * The end of a request that was refused.
		 */
		LINGER

	}

}
