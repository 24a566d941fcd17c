package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.sandbox4j.Isolation;
import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import io.sandbox4j.storage.FileOwner;
import org.jspecify.annotations.Nullable;

/**
 * Proves once what this host holds, and again when the bubblewrap program was replaced.
 * The program is looked at each time, so one that is gone is noticed before anything is
 * made.
 */
final class HostProbe {

	private final BackendSettings settings;

	private final GuestUser user;

	private final byte[] seccomp;

	private final RuntimeDirectory runtime;

	private final GuestContext context;

	private final Function<Path, byte[]> options;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile @Nullable Result result;

	/**
	 * Creates a probe.
	 * @param settings what is required, and where bubblewrap is
	 * @param user the guest's user
	 * @param seccomp the filter
	 * @param runtime where the probe's files lie
	 * @param context the backend's threads
	 * @param options makes bubblewrap's options for a workspace, without network
	 */
	HostProbe(BackendSettings settings, GuestUser user, byte[] seccomp, RuntimeDirectory runtime, GuestContext context,
			Function<Path, byte[]> options) {
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
				known = new Result(executable, probe(executable));
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

	private Isolation probe(BwrapExecutable executable) {
		Path directory = this.runtime.create("probe");
		try {
			LaunchPlan plan = new LaunchPlan(directory, this.runtime.probeId(), executable.path(), this.user,
					this.seccomp, this.settings.resourceLimits());
			plan.update(this.options.apply(workspace(directory)));
			Isolation isolation = new IsolationProbe(plan, this.context, new HostDiagnosis(Path.of("/")),
					this.settings.resourceLimits())
				.run();
			requireHeld(isolation);
			return isolation;
		}
		catch (IOException ex) {
			throw RuntimeDirectory.unusable(directory, "cannot be written", ex);
		}
		finally {
			RuntimeDirectory.remove(directory);
		}
	}

	private Path workspace(Path directory) throws IOException {
		Path workspace = Files.createDirectory(directory.resolve("workspace"));
		Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("rwx------"));
		FileOwner owner = this.user.fileOwner();
		if (owner != null) {
			Files.setAttribute(workspace, "unix:uid", owner.uid(), LinkOption.NOFOLLOW_LINKS);
			Files.setAttribute(workspace, "unix:gid", owner.gid(), LinkOption.NOFOLLOW_LINKS);
		}
		return workspace;
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
	 */
	record Result(BwrapExecutable executable, Isolation isolation) {

	}

}
