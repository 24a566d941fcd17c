package io.sandbox4j.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.session.SessionLimits;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The backends of one contract test, closed after it.
 */
final class ContractFixture {

	static final String NAME = "contract";

	static final SessionLimits LIMITS = SessionLimits.defaults();

	/**
	 * Longer than anything takes that is going to happen at all.
	 */
	static final Duration PATIENCE = Duration.ofSeconds(30);

	private final Function<BackendSetup, SandboxBackend> opener;

	private final List<SandboxBackend> opened = new ArrayList<>();

	private final List<SandboxEvent> events = new CopyOnWriteArrayList<>();

	private @Nullable SandboxBackend first;

	ContractFixture(Function<BackendSetup, SandboxBackend> opener) {
		this.opener = opener;
	}

	/**
	 * Returns the backend of the test, with default limits.
	 * @return the same backend at every call
	 */
	SandboxBackend backend() {
		SandboxBackend known = this.first;
		if (known == null) {
			known = open(NAME, LIMITS, this.events::add);
			this.first = known;
		}
		return known;
	}

	/**
	 * Opens one more backend object over the same storage, as another process would.
	 * @return the backend
	 */
	SandboxBackend anotherBackend() {
		return open(NAME, LIMITS, (event) -> {
		});
	}

	SandboxBackend open(String name, SessionLimits limits, SandboxListener listener) {
		SandboxBackend backend = this.opener.apply(new BackendSetup(name, limits, listener));
		this.opened.add(backend);
		return backend;
	}

	/**
	 * Makes a session whose workspace holds {@code README} with the text {@code hello}.
	 * @return its handle
	 */
	SandboxHandle sandbox() {
		return sandbox(backend());
	}

	static SandboxHandle sandbox(SandboxBackend backend) {
		PreparedTemplate template = backend.prewarm(template());
		return backend.create(SandboxRequest.from(template).network(NetworkPolicy.denyAll()).build());
	}

	static SandboxTemplate template() {
		return SandboxTemplate.named("contract").file("README", "hello").build();
	}

	SandboxHandle sandbox(SessionLimits limits) {
		return sandbox(open(NAME, limits, this.events::add));
	}

	static SandboxHandle attach(SandboxBackend backend, SandboxState state) {
		return backend.create(SandboxRequest.attach(state).network(NetworkPolicy.denyAll()).build());
	}

	static SessionLimits concurrentCommands(int limit) {
		return new SessionLimits(limit, LIMITS.maxReadBytes(), LIMITS.maxWriteBytes(), LIMITS.maxStreamBytes(),
				LIMITS.maxEntries());
	}

	<T extends SandboxEvent> List<T> events(Class<T> type) {
		return this.events.stream().filter(type::isInstance).map(type::cast).toList();
	}

	static void assertFails(ErrorCode code, ThrowingCallable call) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.satisfies((ex) -> assertThatCode(code, ex))
			.withMessageMatching("(?s).+");
	}

	private static void assertThatCode(ErrorCode code, SandboxException failure) {
		if (failure.code() != code) {
			throw new AssertionError("Expected " + code + " but was " + failure.code(), failure);
		}
	}

	/**
	 * Does something on a thread of its own.
	 * @param <T> the type of what it returns
	 * @param work what to do
	 * @return the future return
	 */
	static <T> CompletableFuture<T> async(Supplier<T> work) {
		return CompletableFuture.supplyAsync(work, (task) -> {
			Thread thread = new Thread(task, "contract");
			thread.setDaemon(true);
			thread.start();
		});
	}

	static <T> T result(CompletableFuture<T> future) {
		return future.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
	}

	static ConditionFactory await() {
		return Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5));
	}

	void close() {
		RuntimeException failure = null;
		for (SandboxBackend backend : this.opened) {
			try {
				backend.close();
			}
			catch (RuntimeException ex) {
				if (failure == null) {
					failure = ex;
				}
				else {
					failure.addSuppressed(ex);
				}
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

}
