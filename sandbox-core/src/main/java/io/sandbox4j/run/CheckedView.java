package io.sandbox4j.run;

import java.util.List;
import java.util.function.Supplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * A store's view with what is the same for every store: arguments are looked at, and the
 * view belongs to one thread until its call ends.
 */
class CheckedView implements RunView {

	private final RunView stored;

	private volatile @Nullable Thread user = Thread.currentThread();

	CheckedView(RunView stored) {
		this.stored = stored;
	}

	final void end() {
		this.user = null;
	}

	<T extends @Nullable Object> T use(Supplier<T> call) {
		if (this.user != Thread.currentThread()) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"A view of the store is of no use after its call, or on another thread.");
		}
		return call.get();
	}

	@Override
	public @Nullable SandboxRecord sandbox(String key) {
		return use(() -> {
			StoreArguments.id("key", key);
			return this.stored.sandbox(key);
		});
	}

	@Override
	public List<SandboxRecord> sandboxes(String after, int limit) {
		return use(() -> {
			page(after, limit);
			return this.stored.sandboxes(after, limit);
		});
	}

	@Override
	public List<String> unsettled(String after, int limit) {
		return use(() -> {
			page(after, limit);
			return this.stored.unsettled(after, limit);
		});
	}

	private static void page(String after, int limit) {
		StoreArguments.idOrEmpty("after", after);
		StoreArguments.limit(limit);
	}

	@Override
	public @Nullable RunRecord run(String sandbox, String run) {
		return use(() -> {
			run(sandbox, run, "run");
			return this.stored.run(sandbox, run);
		});
	}

	@Override
	public List<RunRecord> runs(String sandbox, String after, int limit) {
		return use(() -> {
			StoreArguments.id("sandbox", sandbox);
			page(after, limit);
			return this.stored.runs(sandbox, after, limit);
		});
	}

	@Override
	public @Nullable OperationRecord operation(String sandbox, String run, String operation) {
		return use(() -> {
			operation(run, operation, sandbox, "sandbox");
			return this.stored.operation(sandbox, run, operation);
		});
	}

	@Override
	public List<OperationRecord> operations(String sandbox, String run, long after, int limit) {
		return use(() -> {
			run(sandbox, run, "run");
			StoreArguments.number("after", after, -1);
			StoreArguments.limit(limit);
			return this.stored.operations(sandbox, run, after, limit);
		});
	}

	@Override
	public List<OperationRecord> unsettledOperations(String sandbox) {
		return use(() -> {
			StoreArguments.id("sandbox", sandbox);
			return this.stored.unsettledOperations(sandbox);
		});
	}

	@Override
	public boolean hasUnsettled(String sandbox) {
		return use(() -> {
			StoreArguments.id("sandbox", sandbox);
			return this.stored.hasUnsettled(sandbox);
		});
	}

	@Override
	public boolean hasUnsettled(String sandbox, String run) {
		return use(() -> {
			run(sandbox, run, "run");
			return this.stored.hasUnsettled(sandbox, run);
		});
	}

	@Override
	public List<String> unsettledConversations(String sandbox) {
		return use(() -> {
			StoreArguments.id("sandbox", sandbox);
			return this.stored.unsettledConversations(sandbox);
		});
	}

	@Override
	public @Nullable OperationRecord nextOperation(String sandbox, String conversation, String owner) {
		return use(() -> {
			run(sandbox, conversation, "conversation");
			StoreArguments.idOrEmpty("owner", owner);
			return this.stored.nextOperation(sandbox, conversation, owner);
		});
	}

	@Override
	public boolean hasTurns(String sandbox, String conversation) {
		return use(() -> {
			run(sandbox, conversation, "conversation");
			return this.stored.hasTurns(sandbox, conversation);
		});
	}

	@Override
	public List<MessageRecord> messages(String sandbox, String run, String operation, int from, int limit) {
		return use(() -> {
			operation(run, operation, sandbox, "sandbox");
			StoreArguments.number("from", from, 0);
			StoreArguments.limit(limit);
			return this.stored.messages(sandbox, run, operation, from, limit);
		});
	}

	private static void run(String sandbox, String run, String name) {
		StoreArguments.id("sandbox", sandbox);
		StoreArguments.id(name, run);
	}

	static void operation(String run, String operation, String third, String name) {
		StoreArguments.id("run", run);
		StoreArguments.id("operation", operation);
		StoreArguments.id(name, third);
	}

	@Override
	public List<CheckoutRecord> checkouts(String sandbox) {
		return use(() -> {
			StoreArguments.id("sandbox", sandbox);
			return this.stored.checkouts(sandbox);
		});
	}

	@Override
	public List<RunEvent> events(String sandbox, long after, int limit) {
		return use(() -> {
			StoreArguments.id("sandbox", sandbox);
			StoreArguments.number("after", after, 0);
			StoreArguments.limit(limit);
			return this.stored.events(sandbox, after, limit);
		});
	}

	@Override
	public long lastEvent(String sandbox) {
		return use(() -> {
			StoreArguments.id("sandbox", sandbox);
			return this.stored.lastEvent(sandbox);
		});
	}

}
