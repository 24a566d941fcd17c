package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What the host's {@code /proc} says of a sandbox's processes (proc(5)).
 */
final class HostProcess {

	private HostProcess() {
	}

	/**
	 * Finds the program of a command: the oldest child of the namespace's init. Whatever
	 * the program left to init was born after it, so it has a larger pid inside.
	 * @param init the namespace's init
	 * @return the program, if it lives
	 */
	static Optional<ProcessHandle> program(long init) {
		return children(init).stream()
			.filter((pid) -> innerPid(pid) > 0 && !isRelay(pid))
			.min(Comparator.comparingLong(HostProcess::innerPid))
			.flatMap(ProcessHandle::of);
	}

	// Older than the program. One that takes its name gets no signal but the kill of the
	// whole namespace, which is all that it gains.
	private static boolean isRelay(long pid) {
		return field(pid, "Name").equals(Relay.NAME);
	}

	/**
	 * Returns a process's parent.
	 * @param pid the process
	 * @return the parent, as the reader numbers it, or 0 if there is none or the process
	 * is gone
	 */
	static long parent(long pid) {
		String parent = field(pid, "PPid");
		return parent.matches("\\d+") ? Long.parseLong(parent) : 0;
	}

	static List<Long> children(long pid) {
		List<Long> children = new ArrayList<>();
		try {
			String text = Files.readString(Path.of("/proc/" + pid + "/task/" + pid + "/children"),
					StandardCharsets.US_ASCII);
			for (String child : text.strip().split(" ")) {
				if (!child.isEmpty()) {
					children.add(Long.parseLong(child));
				}
			}
		}
		catch (IOException ex) {
			// It is gone, and its children with it or on their way.
			return List.of();
		}
		return children;
	}

	private static long innerPid(long pid) {
		String[] pids = field(pid, "NSpid").split("\\s+");
		return (pids.length > 1) ? Long.parseLong(pids[pids.length - 1]) : -1;
	}

	/**
	 * Returns a line of {@code /proc/PID/status}.
	 * @param pid the process
	 * @param name the line's name
	 * @return what follows it, empty if the process is gone
	 */
	static String field(long pid, String name) {
		try {
			for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"), StandardCharsets.ISO_8859_1)) {
				if (line.startsWith(name + ":")) {
					return line.substring(name.length() + 1).strip();
				}
			}
		}
		catch (IOException ex) {
			return "";
		}
		return "";
	}

}
