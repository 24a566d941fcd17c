package io.sandbox4j.bubblewrap;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.sandbox4j.storage.ProcessIdentity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proves that nothing of a sandbox is left. When the init of a PID namespace is gone, so
 * is every process in it: the kernel kills and reaps them first (pid_namespaces(7)).
 */
final class Teardown {

	private static final Logger logger = LoggerFactory.getLogger(Teardown.class);

	private static final Duration POLL = Duration.ofMillis(5);

	private final GuestContext context;

	private final CompletableFuture<Void> settled = new CompletableFuture<>();

	Teardown(GuestContext context) {
		this.context = context;
	}

	/**
	 * Completes when everything is gone, however late.
	 * @return the future
	 */
	CompletableFuture<Void> settled() {
		return this.settled;
	}

	/**
	 * Starts to prove, after bubblewrap itself ended.
	 * @param drained completes when both outputs are at their end
	 * @param init the namespace's init, {@code null} if there was none
	 * @return completes within two clean-up times, with whether everything is gone
	 */
	CompletableFuture<Boolean> prove(CompletableFuture<Void> drained, Supplier<@Nullable ProcessIdentity> init) {
		CompletableFuture<Boolean> proven = new CompletableFuture<>();
		long bound = this.context.cleanupTimeout().toMillis();
		drained.copy()
			.orTimeout(bound, TimeUnit.MILLISECONDS)
			.whenCompleteAsync((done, late) -> awaitGone(init.get(), deadline(), (gone) -> {
				if (gone && late == null) {
					settle(init.get());
				}
				else {
					logger.warn("Processes of a sandbox could not be proven gone; its slot stays taken");
					drained.thenRun(() -> awaitGone(init.get(), () -> false, (later) -> settle(init.get())));
				}
				proven.complete(gone && late == null);
			}), this.context.executor());
		return proven;
	}

	private BooleanSupplier deadline() {
		long end = System.nanoTime() + this.context.cleanupTimeout().toNanos();
		return () -> System.nanoTime() - end > 0;
	}

	private void awaitGone(@Nullable ProcessIdentity init, BooleanSupplier giveUp, Consumer<Boolean> then) {
		if (init == null || !init.isAlive()) {
			then.accept(true);
		}
		else if (giveUp.getAsBoolean()) {
			then.accept(false);
		}
		else {
			init.kill();
			this.context.timer().schedule(() -> awaitGone(init, giveUp, then), POLL.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	private void settle(@Nullable ProcessIdentity init) {
		if (init != null) {
			this.context.gone().accept(init.pid());
		}
		this.settled.complete(null);
	}

}
