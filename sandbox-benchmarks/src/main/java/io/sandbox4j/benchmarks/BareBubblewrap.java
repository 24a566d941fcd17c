package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.sandbox4j.bubblewrap.BubblewrapBackend;

/**
 * Bubblewrap with the very options and filter of a session, for whoever starts it without
 * us.
 *
 * @param options the options
 * @param filter the seccomp filter
 * @param user what makes a process of root's one of the sandboxes' user; empty for an
 * ordinary user
 */
record BareBubblewrap(Path options, Path filter, List<String> user) {

	static BareBubblewrap of(BubblewrapBackend backend, Path workspace, Scratch scratch) throws IOException {
		Path session;
		try (Stream<Path> found = Files.list(backend.runtimeDirectory())) {
			session = found.filter((directory) -> Files.exists(directory.resolve("args"))).findFirst().orElseThrow();
		}
		Path options = copy(session.resolve("args"), scratch.directory().resolve("bwrap.args"));
		Path filter = copy(session.resolve("seccomp"), scratch.directory().resolve("bwrap.seccomp"));
		int owner = (int) Files.getAttribute(workspace, "unix:uid");
		int group = (int) Files.getAttribute(workspace, "unix:gid");
		boolean root = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
		return new BareBubblewrap(options, filter,
				root ? List.of("/usr/bin/setpriv", "--reuid=" + owner, "--regid=" + group, "--clear-groups",
						"--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "--") : List.of());
	}

	// There for the user that the peers run as.
	private static Path copy(Path file, Path target) throws IOException {
		Files.copy(file, target);
		return Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r--r--"));
	}

	/**
	 * Returns what a spawner is told to run a program in a sandbox.
	 * @param program the program and its arguments
	 * @return two files, bubblewrap and its arguments
	 */
	List<String> command(List<String> program) {
		List<String> command = new ArrayList<>(List.of(this.filter.toString(), this.options.toString(),
				"/usr/bin/bwrap", "--args", "7", "--seccomp", "6", "--"));
		command.addAll(program);
		return command;
	}

	static List<String> none(List<String> program) {
		List<String> command = new ArrayList<>(List.of("-", "-"));
		command.addAll(program);
		return command;
	}

}
