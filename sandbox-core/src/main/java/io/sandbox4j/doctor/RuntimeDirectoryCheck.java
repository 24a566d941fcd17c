package io.sandbox4j.doctor;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The directory of sockets: there, and with a short path, as a socket's has 108 bytes
 * with its final zero (unix(7)).
 */
final class RuntimeDirectoryCheck implements DoctorCheck {

	private static final String NAME = "runtime-directory";

	/**
	 * Less what is below it: a session's directory and in it the socket's.
	 */
	private static final int MAX_BYTES = 107 - "/0123456789ab/gateway/gateway.sock".length();

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public List<DoctorFinding> check(DoctorContext context) {
		Path directory = context.settings().runtimeDirectory();
		if (directory == null) {
			return List.of();
		}
		if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
			return List.of(DoctorFinding.fail(NAME, "'" + directory + "' is no directory that can be written.",
					"No sandbox can be started.",
					"Keep programs that clean up temporary files away from it, and start the application anew."));
		}
		int bytes = directory.toString().getBytes(StandardCharsets.UTF_8).length;
		if (bytes > MAX_BYTES) {
			return List.of(DoctorFinding.warn(NAME, "Its path has " + bytes + " bytes, more than " + MAX_BYTES + ".",
					"The sockets below it have paths too long for the kernel; the gateway gets at them by a detour "
							+ "through /proc/self/fd, other programs do not.",
					"Set 'sandbox.runtime-directory' to a directory with a shorter path."));
		}
		return List.of(DoctorFinding.ok(NAME, "'" + directory + "' can be written, and its path is short enough."));
	}

}
