package io.sandbox4j.lease;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.sandbox4j.Isolation;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.SessionInfo;

/**
 * A real backend that counts what is asked of it, and where a test can let a call wait or
 * fail.
 */
final class WatchedBackend implements SandboxBackend {

	private final SandboxBackend backend;

	final AtomicInteger created = new AtomicInteger();

	final AtomicInteger attached = new AtomicInteger();

	final AtomicInteger stopped = new AtomicInteger();

	final AtomicInteger deleted = new AtomicInteger();

	final Set<String> running = ConcurrentHashMap.newKeySet();

	volatile Consumer<SandboxRequest> beforeCreate = (request) -> {
	};

	volatile Runnable beforeStop = () -> {
	};

	volatile Runnable beforeDelete = () -> {
	};

	WatchedBackend(SandboxBackend backend) {
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
		((request.state() != null) ? this.attached : this.created).incrementAndGet();
		this.beforeCreate.accept(request);
		SandboxHandle handle = this.backend.create(request);
		this.running.add(handle.session().id());
		return new WatchedHandle(handle);
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
	public Optional<SandboxHandle> handle(String sessionId) {
		return this.backend.handle(sessionId);
	}

	@Override
	public boolean delete(String sessionId) {
		this.beforeDelete.run();
		this.deleted.incrementAndGet();
		return this.backend.delete(sessionId);
	}

	@Override
	public boolean drain(Duration timeout) {
		return this.backend.drain(timeout);
	}

	@Override
	public void close() {
		this.backend.close();
	}

	/**
	 * A handle of it.
	 */
	private final class WatchedHandle implements SandboxHandle {

		private final SandboxHandle handle;

		WatchedHandle(SandboxHandle handle) {
			this.handle = handle;
		}

		@Override
		public SandboxSession session() {
			return this.handle.session();
		}

		@Override
		public SandboxState captureState() {
			return this.handle.captureState();
		}

		@Override
		public void stop() {
			WatchedBackend.this.beforeStop.run();
			WatchedBackend.this.stopped.incrementAndGet();
			this.handle.stop();
			WatchedBackend.this.running.remove(session().id());
		}

		@Override
		public void delete() {
			WatchedBackend.this.beforeDelete.run();
			WatchedBackend.this.deleted.incrementAndGet();
			this.handle.delete();
			WatchedBackend.this.running.remove(session().id());
		}

	}

}
