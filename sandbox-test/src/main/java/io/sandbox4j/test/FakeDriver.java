package io.sandbox4j.test;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.FileType;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OutputSink;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;

/**
 * A session's driver: programs of this process over files in memory.
 */
final class FakeDriver implements SandboxDriver {

	private static final Map<String, String> BASE_ENVIRONMENT = Map.of("HOME", WorkspacePath.ROOT, "LANG", "C.UTF-8",
			"PATH", "/usr/local/bin:/usr/bin:/bin", "TERM", "dumb", "TMPDIR", "/tmp");

	private final FakeStorage.Lease lease;

	private final FakePrograms programs;

	private final ScheduledExecutorService timer;

	private final Duration cleanupTimeout;

	private volatile NetworkPolicy networkPolicy;

	FakeDriver(FakeStorage.Lease lease, FakePrograms programs, NetworkPolicy networkPolicy,
			ScheduledExecutorService timer, Duration cleanupTimeout) {
		this.lease = lease;
		this.programs = programs;
		this.networkPolicy = networkPolicy;
		this.timer = timer;
		this.cleanupTimeout = cleanupTimeout;
	}

	@Override
	public Execution start(ExecSpec command, OutputSink output) {
		if (files().stat(command.cwd()).type() != FileType.DIRECTORY) {
			throw new SandboxException(ErrorCode.SANDBOX_PATH,
					"The working directory '" + command.cwd() + "' is not a directory.");
		}
		FakeExecution execution = new FakeExecution(output, this.timer, this.cleanupTimeout);
		FakeProgram program = this.programs.find(command.executable());
		if (program == null) {
			execution.fail("'" + command.executable() + "' does not exist in the fake sandbox. Register it with 'on'.");
		}
		else {
			execution.start(program, invocation(command, execution));
		}
		return execution;
	}

	private FakeInvocation invocation(ExecSpec command, FakeExecution execution) {
		Map<String, String> environment = new HashMap<>(BASE_ENVIRONMENT);
		environment.putAll(command.environment());
		return new FakeInvocation(command, Collections.unmodifiableMap(environment), files(), this.networkPolicy,
				execution);
	}

	@Override
	public Files files() {
		return this.lease.workspace();
	}

	@Override
	public void setNetworkPolicy(NetworkPolicy policy) {
		this.networkPolicy = policy;
	}

	@Override
	public Set<Restriction> restrictions(NetworkPolicy policy) {
		return Set.of();
	}

	@Override
	public void ensureOwned() {
		this.lease.ensureValid();
	}

}
