package io.sandbox4j.tools;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One call that waits for its answer. The first answer counts, whoever gives it: a
 * person, the deadline, an interrupt or the end of the session. Thread-safe.
 */
final class HeldCall {

	// A stop is looked for, as no session tells of it.
	private static final long LOOK_NANOS = Duration.ofMillis(200).toNanos();

	private final PendingApproval pending;

	// Not the wall clock, which can be set back while a person is asked.
	private final long deadline;

	private final CompletableFuture<Answer> answer = new CompletableFuture<>();

	HeldCall(PendingApproval pending, Duration timeout) {
		this.pending = pending;
		this.deadline = System.nanoTime() + timeout.toNanos();
	}

	PendingApproval pending() {
		return this.pending;
	}

	boolean isOpen() {
		return !this.answer.isDone() && left() > 0;
	}

	/**
	 * Answers, if nobody has and there is time.
	 * @param given the answer
	 * @return whether it counts
	 */
	boolean answer(Answer given) {
		return isOpen() && this.answer.complete(given);
	}

	void end(ApprovalOutcome outcome) {
		this.answer.complete(new Answer(outcome, ""));
	}

	/**
	 * Waits for the answer.
	 * @param alive throws once there is no use in waiting
	 * @return the answer that counts
	 */
	Answer await(Runnable alive) {
		while (!this.answer.isDone()) {
			long left = left();
			if (left <= 0) {
				end(ApprovalOutcome.EXPIRED);
			}
			else {
				await(Math.min(left, LOOK_NANOS), alive);
			}
		}
		return this.answer.join();
	}

	private void await(long nanos, Runnable alive) {
		try {
			this.answer.get(nanos, TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			endUnless(alive);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			end(ApprovalOutcome.INTERRUPTED);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void endUnless(Runnable alive) {
		try {
			alive.run();
		}
		catch (RuntimeException ex) {
			end(ApprovalOutcome.STOPPED);
		}
	}

	private long left() {
		return this.deadline - System.nanoTime();
	}

	/**
	 * An answer.
	 *
	 * @param outcome what it is
	 * @param reason what the person said, empty for nothing
	 */
	record Answer(ApprovalOutcome outcome, String reason) {

	}

}
