package io.sandbox4j.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

import io.sandbox4j.doctor.MountTable.Mount;
import io.sandbox4j.storage.NetworkFileSystems;
import org.jspecify.annotations.Nullable;

/**
 * The directory of templates and sessions: there, closed to others, and on a file system
 * that is fit for it.
 */
final class StateDirectoryCheck implements DoctorCheck {

	private static final String NAME = "state-directory";

	private static final int WRITABLE_BY_OTHERS = 022;

	private final Path root;

	/**
	 * Creates a check.
	 * @param root the root of the file system with {@code /proc}
	 */
	StateDirectoryCheck(Path root) {
		this.root = root;
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public List<DoctorFinding> check(DoctorContext context) throws IOException {
		Path directory = context.stateDirectory();
		if (directory == null) {
			return List.of();
		}
		if (!Files.isDirectory(directory)) {
			return List.of(DoctorFinding.fail(NAME, "'" + directory + "' is no directory.",
					"Templates and sessions can neither be made nor found.",
					"Make it again and start the application anew, or set 'sandbox.state-directory' to another."));
		}
		Path real = directory.toRealPath();
		Mount mount = MountTable.read(this.root.resolve("proc/self/mountinfo")).of(real);
		DoctorFinding bad = writableByOthers(real);
		if (bad == null && mount != null) {
			bad = unfit(real, mount);
		}
		return List.of((bad != null) ? bad
				: DoctorFinding.ok(NAME, "'" + real + "' is closed to others and on a local file system"
						+ ((mount != null) ? " (" + mount.type() + ")." : ".")));
	}

	private static @Nullable DoctorFinding writableByOthers(Path real) throws IOException {
		int mode = (int) Objects.requireNonNull(Files.getAttribute(real, "unix:mode"));
		if ((mode & WRITABLE_BY_OTHERS) != 0) {
			return DoctorFinding.fail(NAME, "'" + real + "' can be written by others.",
					"Whoever writes there controls what runs in the sandboxes.", "Run 'chmod go-w " + real + "'.");
		}
		return null;
	}

	private static @Nullable DoctorFinding unfit(Path real, Mount mount) {
		if (NetworkFileSystems.contains(mount.type())) {
			return DoctorFinding.fail(NAME, "'" + real + "' is on a network file system (" + mount.type() + ").",
					"Locks and process ids prove nothing between hosts, so a session can get two owners.",
					"Set 'sandbox.state-directory' to a directory on a local disk.");
		}
		if (mount.options().contains("ro")) {
			return DoctorFinding.fail(NAME, "'" + real + "' is on a file system that is mounted read-only.",
					"No session can be made or changed.",
					"Mount it read-write; often the kernel made it read-only after an error of the disk.");
		}
		if (mount.options().contains("noexec")) {
			return DoctorFinding.warn(NAME, "'" + real + "' is on a file system that is mounted 'noexec'.",
					"Programs that a command makes in its workspace cannot be started there, only through their "
							+ "interpreter.",
					"Mount it without 'noexec', or set 'sandbox.state-directory' to another directory.");
		}
		return null;
	}

}
