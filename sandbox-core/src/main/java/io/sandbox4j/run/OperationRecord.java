package io.sandbox4j.run;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * An operation, which is one turn of a run, as it is stored.
 *
 * @param sandbox the sandbox's key
 * @param run the run's id
 * @param id the caller's id, unique within the run
 * @param number its place among all operations of the sandbox, from 0
 * @param text what the turn was asked
 * @param status where it stands
 * @param reason why it has no answer; {@code null} unless it is
 * {@link OperationStatus#UNANSWERED}
 * @param answer the answer of one that is {@link OperationStatus#DONE}, otherwise what is
 * to be told of the reason
 * @param owner the application that began it, empty if none did
 * @param submitted when it was submitted
 * @param settled when it was settled, {@code null} before
 * @since 0.1.0
 */
public record OperationRecord(String sandbox, String run, String id, long number, String text, OperationStatus status,
		@Nullable UnansweredReason reason, String answer, String owner, Instant submitted, @Nullable Instant settled) {

	OperationRecord running(String owner) {
		return new OperationRecord(this.sandbox, this.run, this.id, this.number, this.text, OperationStatus.RUNNING,
				null, "", owner, this.submitted, null);
	}

	OperationRecord done(String answer, Instant now) {
		return new OperationRecord(this.sandbox, this.run, this.id, this.number, this.text, OperationStatus.DONE, null,
				answer, this.owner, this.submitted, now);
	}

	OperationRecord unanswered(UnansweredReason reason, String detail, Instant now) {
		return new OperationRecord(this.sandbox, this.run, this.id, this.number, this.text, OperationStatus.UNANSWERED,
				reason, detail, this.owner, this.submitted, now);
	}

	/**
	 * Whether it has ended, and will never change again.
	 * @return {@code true} if so
	 */
	public boolean isSettled() {
		return this.status == OperationStatus.DONE || this.status == OperationStatus.UNANSWERED;
	}

}
