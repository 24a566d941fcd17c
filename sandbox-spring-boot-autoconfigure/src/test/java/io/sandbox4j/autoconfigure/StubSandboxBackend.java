package io.sandbox4j.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.Isolation;
import io.sandbox4j.LeaseOwner;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.SessionInfo;

import org.springframework.beans.factory.ObjectProvider;

/**
 * A backend that runs nothing and records what it was asked.
 */
public class StubSandboxBackend implements SandboxBackend {

	/**
	 * An isolation with one restriction held and one gap.
	 */
	public static final Isolation ISOLATION = new Isolation(
			List.of(new Isolation.Check("read-only-root", Restriction.WRITE_CONTAINED, true, "ro"),
					new Isolation.Check("no-sockets", Restriction.SECRETS_HIDDEN, false, "found one")));

	private static final Instant CREATED = Instant.parse("2026-01-02T03:04:05Z");

	/**
	 * The calls of {@code drain} and {@code close}, with the thread's name.
	 */
	public final List<String> calls = new CopyOnWriteArrayList<>();

	/**
	 * How often the isolation was asked for.
	 */
	public final AtomicInteger probes = new AtomicInteger();

	/**
	 * The templates that were prepared.
	 */
	public final List<SandboxTemplate> prewarmed = new ArrayList<>();

	/**
	 * What {@code isolation} does.
	 */
	public Supplier<Isolation> isolation = () -> ISOLATION;

	/**
	 * What {@code drain} does.
	 */
	public Supplier<Boolean> drain = () -> true;

	private final Map<String, SessionInfo> sessions = new LinkedHashMap<>();

	private final Map<String, StubHandle> handles = new LinkedHashMap<>();

	private final List<SandboxListener> listeners;

	public StubSandboxBackend(SandboxListener... listeners) {
		this.listeners = List.of(listeners);
	}

	public StubSandboxBackend(ObjectProvider<SandboxListener> listeners) {
		this.listeners = listeners.orderedStream().toList();
	}

	public void publish(SandboxEvent event) {
		this.listeners.forEach((listener) -> listener.onEvent(event));
	}

	public StubHandle running(String id, AdmissionStatus admission) {
		StubHandle handle = new StubHandle(id, admission);
		this.handles.put(id, handle);
		session(id, SessionInfo.Status.RUNNING);
		return handle;
	}

	public void session(String id, SessionInfo.Status status) {
		this.sessions.put(id, new SessionInfo(id, "0".repeat(64), CREATED, status,
				new LeaseOwner("secret-owner", "host-1", "boot", 4711, 1, 1, CREATED)));
	}

	@Override
	public String name() {
		return "stub";
	}

	@Override
	public PreparedTemplate prewarm(SandboxTemplate template) {
		this.prewarmed.add(template);
		return new PreparedTemplate("%064x".formatted(this.prewarmed.size() - 1), false);
	}

	@Override
	public SandboxHandle create(SandboxRequest request) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Isolation isolation() {
		this.probes.incrementAndGet();
		return this.isolation.get();
	}

	@Override
	public List<SessionInfo> sessions() {
		return List.copyOf(this.sessions.values());
	}

	@Override
	public List<SandboxHandle> handles() {
		return List.copyOf((Collection<? extends SandboxHandle>) this.handles.values());
	}

	@Override
	public boolean delete(String sessionId) {
		SessionInfo session = this.sessions.get(sessionId);
		if (session != null && session.status() == SessionInfo.Status.OWNED_ELSEWHERE) {
			throw new SandboxException(ErrorCode.SANDBOX_BUSY, "Owned in /var/lib/secret.");
		}
		this.handles.remove(sessionId);
		return this.sessions.remove(sessionId) != null;
	}

	@Override
	public boolean drain(Duration timeout) {
		this.calls.add("drain " + timeout + " on " + Thread.currentThread().getName());
		return this.drain.get();
	}

	@Override
	public void close() {
		this.calls.add("close on " + Thread.currentThread().getName());
	}

	/**
	 * A handle of this backend.
	 */
	public final class StubHandle implements SandboxHandle, SandboxSession {

		private final String id;

		private final AdmissionStatus admission;

		/**
		 * What {@code stop} fails with.
		 */
		public SandboxException failure;

		StubHandle(String id, AdmissionStatus admission) {
			this.id = id;
			this.admission = admission;
		}

		@Override
		public SandboxSession session() {
			return this;
		}

		@Override
		public void stop() {
			if (this.failure != null) {
				throw this.failure;
			}
			StubSandboxBackend.this.handles.remove(this.id);
			StubSandboxBackend.this.session(this.id, SessionInfo.Status.STOPPED);
		}

		@Override
		public void delete() {
			StubSandboxBackend.this.delete(this.id);
		}

		@Override
		public String id() {
			return this.id;
		}

		@Override
		public AdmissionStatus admission() {
			return this.admission;
		}

		@Override
		public SandboxState captureState() {
			throw new UnsupportedOperationException();
		}

		@Override
		public String resolvePath(String path) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ExecResult run(ExecSpec command) {
			throw new UnsupportedOperationException();
		}

		@Override
		public SandboxProcess start(ExecSpec command) {
			throw new UnsupportedOperationException();
		}

		@Override
		public SandboxFiles files() {
			throw new UnsupportedOperationException();
		}

		@Override
		public NetworkPolicy networkPolicy() {
			throw new UnsupportedOperationException();
		}

		@Override
		public void setNetworkPolicy(NetworkPolicy policy) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Set<Restriction> restrictions() {
			throw new UnsupportedOperationException();
		}

	}

}
