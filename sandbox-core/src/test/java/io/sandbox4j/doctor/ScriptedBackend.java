package io.sandbox4j.doctor;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.Isolation;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.SessionInfo;

/**
 * A backend whose sandboxes answer what a test says.
 */
final class ScriptedBackend implements SandboxBackend {

	Supplier<Isolation> isolation = () -> isolation(true);

	Function<ExecSpec, ExecResult> program = (command) -> exited(0, "");

	Runnable onCreate = () -> {
	};

	final List<SessionInfo> sessions = new ArrayList<>();

	final AtomicInteger probed = new AtomicInteger();

	final AtomicInteger created = new AtomicInteger();

	final AtomicInteger deleted = new AtomicInteger();

	static Isolation isolation(boolean held) {
		return new Isolation(Stream.of(Restriction.values())
			.map((restriction) -> new Isolation.Check("check-of-" + restriction.id(), restriction, held, "seen"))
			.toList());
	}

	static ExecResult exited(int exitCode, String output) {
		return result(ExecStatus.EXITED, exitCode, output);
	}

	static ExecResult result(ExecStatus status, int exitCode, String output) {
		return new ExecResult(status, exitCode, output.getBytes(StandardCharsets.UTF_8), new byte[0], 0, 0,
				Duration.ofMillis(1), "");
	}

	void stopped(String id) {
		this.sessions.add(new SessionInfo(id, "0".repeat(64), Instant.EPOCH, SessionInfo.Status.STOPPED, null));
	}

	@Override
	public String name() {
		return "scripted";
	}

	@Override
	public PreparedTemplate prewarm(SandboxTemplate template) {
		return new PreparedTemplate("0".repeat(64), false);
	}

	@Override
	public SandboxHandle create(SandboxRequest request) {
		this.created.incrementAndGet();
		this.onCreate.run();
		SandboxSession session = answering(SandboxSession.class,
				(name, args) -> this.program.apply((ExecSpec) args[0]));
		return answering(SandboxHandle.class, (name, args) -> switch (name) {
			case "session" -> session;
			case "delete" -> this.deleted.incrementAndGet();
			default -> throw new UnsupportedOperationException(name);
		});
	}

	private static <T> T answering(Class<T> type, Answer answer) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, args) -> {
				Object value = answer.to(method.getName(), args);
				return (method.getReturnType() != void.class) ? value : null;
			}));
	}

	@Override
	public Isolation isolation() {
		this.probed.incrementAndGet();
		return this.isolation.get();
	}

	@Override
	public List<SessionInfo> sessions() {
		return List.copyOf(this.sessions);
	}

	@Override
	public List<SandboxHandle> handles() {
		return List.of();
	}

	@Override
	public boolean delete(String sessionId) {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean drain(Duration timeout) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void close() {
	}

	/**
	 * What a call returns.
	 */
	private interface Answer {

		Object to(String method, Object[] args);

	}

}
