package io.sandbox4j.test;

import java.time.Duration;
import java.util.Objects;

import io.sandbox4j.SandboxListener;
import io.sandbox4j.session.SessionLimits;

/**
 * Builds a {@link FakeSandboxBackend}. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class FakeSandboxBackendBuilder {

	String name = "fake";

	FakeStorage storage = new FakeStorage();

	SessionLimits sessionLimits = SessionLimits.defaults();

	Duration cleanupTimeout = Duration.ofSeconds(2);

	SandboxListener listener = (event) -> {
	};

	FakeSandboxBackendBuilder() {
	}

	/**
	 * Sets the backend's name.
	 * @param name the name, {@code fake} unless set
	 * @return this builder
	 */
	public FakeSandboxBackendBuilder name(String name) {
		this.name = Objects.requireNonNull(name, "'name' must not be null");
		return this;
	}

	/**
	 * Sets where templates and sessions are kept, to share them with other backends.
	 * @param storage the storage, one of its own unless set
	 * @return this builder
	 */
	public FakeSandboxBackendBuilder storage(FakeStorage storage) {
		this.storage = Objects.requireNonNull(storage, "'storage' must not be null");
		return this;
	}

	/**
	 * Sets the bounds of a session.
	 * @param limits the limits
	 * @return this builder
	 */
	public FakeSandboxBackendBuilder sessionLimits(SessionLimits limits) {
		this.sessionLimits = Objects.requireNonNull(limits, "'limits' must not be null");
		return this;
	}

	/**
	 * Sets how long a killed program may take to return before its command counts as
	 * unproven.
	 * @param timeout the time, 2 seconds unless set
	 * @return this builder
	 */
	public FakeSandboxBackendBuilder cleanupTimeout(Duration timeout) {
		this.cleanupTimeout = Objects.requireNonNull(timeout, "'timeout' must not be null");
		return this;
	}

	/**
	 * Sets who hears what happens.
	 * @param listener the listener
	 * @return this builder
	 */
	public FakeSandboxBackendBuilder listener(SandboxListener listener) {
		this.listener = Objects.requireNonNull(listener, "'listener' must not be null");
		return this;
	}

	/**
	 * Builds the backend.
	 * @return the backend
	 */
	public FakeSandboxBackend build() {
		return new FakeSandboxBackend(this);
	}

}
