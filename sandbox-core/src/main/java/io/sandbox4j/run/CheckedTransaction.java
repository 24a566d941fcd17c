package io.sandbox4j.run;

import java.time.Instant;
import java.util.function.Supplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * A store's transaction with what is the same for every store. A call that failed spoils
 * it: a database may have given it up, and half of what was meant is nothing.
 */
final class CheckedTransaction extends CheckedView implements RunTransaction {

	private final RunTransaction stored;

	private final String sandbox;

	private @Nullable RuntimeException failure;

	CheckedTransaction(RunTransaction stored, String sandbox) {
		super(stored);
		this.stored = stored;
		this.sandbox = sandbox;
	}

	void requireWhole() {
		if (this.failure != null) {
			throw this.failure;
		}
	}

	@Override
	<T extends @Nullable Object> T use(Supplier<T> call) {
		return super.use(() -> {
			requireWhole();
			try {
				return call.get();
			}
			catch (RuntimeException ex) {
				this.failure = ex;
				throw ex;
			}
		});
	}

	private void change(Runnable call) {
		this.<@Nullable Object>use(() -> {
			call.run();
			return null;
		});
	}

	private void requireOwn(String named) {
		if (!named.equals(this.sandbox)) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"The transaction is of another sandbox, and may write of no other.");
		}
	}

	@Override
	public void save(SandboxRecord record) {
		change(() -> {
			requireOwn(record.key());
			StoreArguments.record(record);
			this.stored.save(record);
		});
	}

	@Override
	public void save(RunRecord run) {
		change(() -> {
			requireOwn(run.sandbox());
			StoreArguments.record(run);
			this.stored.save(run);
		});
	}

	@Override
	public void save(OperationRecord operation) {
		change(() -> {
			requireOwn(operation.sandbox());
			StoreArguments.record(operation);
			this.stored.save(operation);
		});
	}

	@Override
	public @Nullable MessageRecord saveMessage(String run, String operation, String id, String content) {
		return use(() -> {
			operation(run, operation, id, "id");
			StoreArguments.text("content", content);
			return this.stored.saveMessage(run, operation, id, content);
		});
	}

	@Override
	public void save(CheckoutRecord checkout) {
		change(() -> {
			StoreArguments.record(checkout);
			this.stored.save(checkout);
		});
	}

	@Override
	public RunEvent append(Instant at, String kind, String run, String operation, String content) {
		return use(() -> {
			StoreArguments.time("at", at);
			StoreArguments.id("kind", kind);
			StoreArguments.idOrEmpty("run", run);
			StoreArguments.idOrEmpty("operation", operation);
			StoreArguments.text("content", content);
			return this.stored.append(at, kind, run, operation, content);
		});
	}

	@Override
	public void delete() {
		change(this.stored::delete);
	}

}
