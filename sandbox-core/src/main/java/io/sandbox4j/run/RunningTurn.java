package io.sandbox4j.run;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.sandbox4j.SandboxSession;
import org.jspecify.annotations.Nullable;

/**
 * A turn that an agent works on, and what can be done to it.
 */
final class RunningTurn implements Turn {

	private final RunLedger.Begun begun;

	private final TurnSession session;

	private final RunLedger ledger;

	private final Thread thread = Thread.currentThread();

	private final CompletableFuture<Void> settled = new CompletableFuture<>();

	private @Nullable UnansweredReason aborted;

	private boolean returned;

	private @Nullable OperationRecord end;

	RunningTurn(RunLedger.Begun begun, TurnSession session, RunLedger ledger) {
		this.begun = begun;
		this.session = session;
		this.ledger = ledger;
	}

	OperationRecord record() {
		return this.begun.operation();
	}

	/**
	 * Completes when the turn is settled and its commands are gone.
	 * @return the future
	 */
	CompletableFuture<Void> settled() {
		return this.settled;
	}

	/**
	 * Ends the turn, if the agent has not returned yet.
	 * @param reason why
	 */
	void abort(UnansweredReason reason) {
		synchronized (this) {
			if (this.returned) {
				return;
			}
			this.aborted = reason;
			this.thread.interrupt();
		}
		this.session.kill();
	}

	/**
	 * Notes that the agent has returned.
	 * @return why it was aborted, or {@code null}
	 */
	synchronized @Nullable UnansweredReason returned() {
		this.returned = true;
		if (this.aborted != null) {
			// The interrupt was meant for the agent.
			Thread.interrupted();
		}
		return this.aborted;
	}

	/**
	 * Notes how it ended, and sees that nothing of it runs any more.
	 * @param end how it ended
	 */
	void end(OperationRecord end) {
		this.session.end();
		this.end = end;
	}

	OperationRecord end() {
		OperationRecord known = this.end;
		return (known != null) ? known : record().unanswered(UnansweredReason.FAILED, "", this.ledger.now());
	}

	@Override
	public String sandbox() {
		return this.begun.operation().sandbox();
	}

	@Override
	public String run() {
		return this.begun.operation().run();
	}

	@Override
	public String operation() {
		return this.begun.operation().id();
	}

	@Override
	public String conversation() {
		return this.begun.run().conversation();
	}

	@Override
	public @Nullable String parent() {
		return this.begun.run().parent();
	}

	@Override
	public boolean first() {
		return this.begun.first();
	}

	@Override
	public String text() {
		return this.begun.operation().text();
	}

	@Override
	public String cwd() {
		return this.begun.run().cwd();
	}

	@Override
	public SandboxSession session() {
		return this.session;
	}

	@Override
	public void message(String id, String content) {
		this.ledger.message(this.begun.operation(), Ids.require("message", id),
				Objects.requireNonNull(content, "'content' must not be null"));
	}

	/**
	 * Names the operation.
	 */
	@Override
	public String toString() {
		return "Turn[sandbox=" + sandbox() + ", run=" + run() + ", operation=" + operation() + "]";
	}

}
