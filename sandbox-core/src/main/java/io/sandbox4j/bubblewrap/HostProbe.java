package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;

import io.sandbox4j.Isolation;
import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proves once what this host holds, and again when the bubblewrap program was replaced.
 * The program is looked at each time, so one that is gone is noticed before anything is
 * made.
 */
final class HostProbe {

	private static final Logger logger = LoggerFactory.getLogger(HostProbe.class);

	private final BackendSettings settings;

	private final GuestUser user;

	private final byte[] seccomp;

	private final RuntimeDirectory runtime;

	private final GuestContext context;

	private final BiFunction<Path, Path, byte[]> options;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile @Nullable Result result;

	/**
	 * Creates a probe.
	 * @param settings what is required, and where bubblewrap is
	 * @param user the guest's user
	 * @param seccomp the filter
	 * @param runtime where the probe's files lie
	 * @param context the backend's threads
	 * @param options makes bubblewrap's options for a workspace and a gateway's
	 * directory, without network
	 */
	HostProbe(BackendSettings settings, GuestUser user, byte[] seccomp, RuntimeDirectory runtime, GuestContext context,
			BiFunction<Path, Path, byte[]> options) {
		this.settings = settings;
		this.user = user;
		this.seccomp = seccomp;
		this.runtime = runtime;
		this.context = context;
		this.options = options;
	}

	/**
	 * Returns what holds, probing if it is not known.
	 * @return the program and what it holds
	 * @throws SandboxUnavailableException if no sandbox can run, or a required
	 * restriction does not hold
	 */
	Result result() {
		BwrapExecutable executable = BwrapExecutable.check(this.settings.executable(), GuestUser.ownUid());
		Result known = this.result;
		if (known != null && known.executable().equals(executable)) {
			return known;
		}
		this.lock.lock();
		try {
			known = this.result;
			if (known == null || !known.executable().equals(executable)) {
				known = probe(executable);
				this.result = known;
			}
			return known;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns what is known to hold, without probing.
	 * @return the report, if a probe succeeded
	 */
	Optional<Isolation> known() {
		return Optional.ofNullable(this.result).map(Result::isolation);
	}

	private Result probe(BwrapExecutable executable) {
		Path directory = this.runtime.create("probe");
		try {
			LaunchPlan plan = new LaunchPlan(directory, this.runtime.probeId(), executable.path(), this.user,
					this.seccomp, this.settings.resourceLimits());
			Path workspace = this.user.createDirectory(directory.resolve("workspace"));
			Path gateway = SessionNetwork.makeDirectory(directory, this.user);
			plan.update(this.options.apply(workspace, gateway), false);
			IsolationProbe probe = new IsolationProbe(plan, this.context, new HostDiagnosis(Path.of("/")),
					this.settings.resourceLimits());
			Isolation isolation = probe.run();
			requireHeld(isolation);
			if (!probe.relayStarts()) {
				logger.warn("Sandboxes cannot run the relay to the gateway: {} has no perl that starts. Where a policy "
						+ "lists origins, programs that only know http_proxy will not reach them, those that send "
						+ "HTTP to the socket {} will. Install perl-base to change that.", this.settings.rootfs(),
						GuestEnvironment.SOCKET);
			}
			return new Result(executable, isolation, probe.relayStarts());
		}
		catch (IOException ex) {
			throw RuntimeDirectory.unusable(directory, "cannot be written", ex);
		}
		finally {
			RuntimeDirectory.remove(directory);
		}
	}

	private void requireHeld(Isolation isolation) {
		List<String> missing = new ArrayList<>();
		isolation.gaps().forEach((check) -> {
			if (this.settings.required().contains(check.restriction())) {
				missing.add(check.restriction().id() + " (" + check.name() + ", " + check.detail() + ")");
			}
		});
		if (!missing.isEmpty()) {
			throw new SandboxUnavailableException(Cause.RESTRICTION_NOT_HELD,
					"This host does not hold what is required: " + String.join("; ", missing) + ".",
					"Repair the host, or take the restriction out of 'sandbox.require' if you accept the gap.", null);
		}
	}

	/**
	 * What a probe found.
	 *
	 * @param executable the program that was probed
	 * @param isolation what holds with it
	 * @param relay whether a relay can run in its sandboxes
	 */
	record Result(BwrapExecutable executable, Isolation isolation, boolean relay) {

	}

}
