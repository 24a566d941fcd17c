package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the kernel says of a process's memory.
 */
final class Memory {

	private static final int KIBIBYTE = 1024;

	// See proc_pid_clear_refs(5).
	private static final String RESET_PEAK = "5";

	private Memory() {
	}

	static long residentBytes(long pid) throws IOException {
		// Exact, unlike what 'status' says, where each processor keeps a part for itself.
		return field(file(pid, "smaps_rollup"), "Rss:");
	}

	static long peakBytes(long pid) throws IOException {
		return field(file(pid, "status"), "VmHWM:");
	}

	static void resetPeak(long pid) throws IOException {
		Files.writeString(file(pid, "clear_refs"), RESET_PEAK);
	}

	private static Path file(long pid, String name) {
		return Path.of("/proc", String.valueOf(pid), name);
	}

	private static long field(Path file, String name) throws IOException {
		for (String line : Files.readAllLines(file)) {
			if (line.startsWith(name)) {
				return Long.parseLong(line.replaceAll("\\D", "")) * KIBIBYTE;
			}
		}
		throw new IOException("'" + file + "' has no '" + name + "'.");
	}

}
