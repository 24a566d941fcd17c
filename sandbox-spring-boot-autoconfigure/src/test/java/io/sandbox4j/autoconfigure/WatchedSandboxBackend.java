package io.sandbox4j.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.sandbox4j.Isolation;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.SessionInfo;

/**
 * A backend that a test can hold up and look at.
 */
public final class WatchedSandboxBackend implements SandboxBackend {

	/**
	 * The calls of {@code create}, {@code drain} and {@code close}.
	 */
	public final List<String> calls = new CopyOnWriteArrayList<>();

	/**
	 * Told before a session is made or attached to.
	 */
	public volatile Consumer<SandboxRequest> beforeCreate = (request) -> {
	};

	/**
	 * Done while the backend drains.
	 */
	public volatile Step beforeDrain = () -> {
	};

	private final SandboxBackend backend;

	public WatchedSandboxBackend(SandboxBackend backend) {
		this.backend = backend;
	}

	@Override
	public String name() {
		return this.backend.name();
	}

	@Override
	public PreparedTemplate prewarm(SandboxTemplate template) {
		return this.backend.prewarm(template);
	}

	@Override
	public SandboxHandle create(SandboxRequest request) {
		this.calls.add("create");
		this.beforeCreate.accept(request);
		return this.backend.create(request);
	}

	@Override
	public Isolation isolation() {
		return this.backend.isolation();
	}

	@Override
	public List<SessionInfo> sessions() {
		return this.backend.sessions();
	}

	@Override
	public List<SandboxHandle> handles() {
		return this.backend.handles();
	}

	@Override
	public boolean delete(String sessionId) {
		return this.backend.delete(sessionId);
	}

	@Override
	public boolean drain(Duration timeout) {
		this.calls.add("drain");
		try {
			this.beforeDrain.run();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		return this.backend.drain(timeout);
	}

	@Override
	public void close() {
		this.calls.add("close");
		this.backend.close();
	}

	/**
	 * Something to do.
	 */
	public interface Step {

		void run() throws Exception;

	}

}
