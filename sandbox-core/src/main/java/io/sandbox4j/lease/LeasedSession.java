package io.sandbox4j.lease;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxSession;

/**
 * A lease's session for one of its uses. Its commands get what was issued for the lease.
 */
final class LeasedSession implements SandboxSession {

	private final LeaseEntry entry;

	private final SandboxSession session;

	private volatile boolean closed;

	LeasedSession(LeaseEntry entry, SandboxSession session) {
		this.entry = entry;
		this.session = session;
	}

	void close() {
		this.closed = true;
	}

	@Override
	public String id() {
		return this.session.id();
	}

	@Override
	public String resolvePath(String path) {
		return open().resolvePath(path);
	}

	@Override
	public ExecResult run(ExecSpec command) {
		return open().run(granted(command));
	}

	@Override
	public SandboxProcess start(ExecSpec command) {
		return open().start(granted(command));
	}

	// What the command brings itself comes last.
	private ExecSpec granted(ExecSpec command) {
		Map<String, String> environment = new HashMap<>(this.entry.environment());
		if (environment.isEmpty()) {
			return command;
		}
		environment.putAll(command.environment());
		return command.withEnvironment(environment);
	}

	@Override
	public SandboxFiles files() {
		return open().files();
	}

	@Override
	public NetworkPolicy networkPolicy() {
		return open().networkPolicy();
	}

	@Override
	public void setNetworkPolicy(NetworkPolicy policy) {
		open().setNetworkPolicy(this.entry.granted(policy));
		this.entry.network = policy;
	}

	@Override
	public Set<Restriction> restrictions() {
		return open().restrictions();
	}

	@Override
	public AdmissionStatus admission() {
		return open().admission();
	}

	private SandboxSession open() {
		if (this.closed) {
			throw new SandboxException(ErrorCode.SANDBOX_STOPPED,
					"This use of the lease is closed. Open the lease again.");
		}
		return this.session;
	}

	@Override
	public String toString() {
		return "LeasedSession[id=" + id() + "]";
	}

}
