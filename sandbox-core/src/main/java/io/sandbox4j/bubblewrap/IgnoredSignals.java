package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The signals that this process was started to ignore: a shell does so to what it runs in
 * the background, {@code nohup} too. Its children inherit that, and a shell among them
 * can never trap what it was born to ignore (POSIX, {@code trap}), so that in a sandbox
 * an interrupt would do nothing. {@code env} of the GNU coreutils, from 8.31 on, undoes
 * it.
 */
final class IgnoredSignals {

	private static final Logger logger = LoggerFactory.getLogger(IgnoredSignals.class);

	/**
	 * SIGHUP, SIGINT, SIGQUIT and SIGTERM, as proc(5) numbers bits.
	 */
	private static final long OF_SHELLS = 0b100_0000_0000_0111;

	private static final List<String> RESTORED = List.of("/usr/bin/env", "--default-signal");

	private IgnoredSignals() {
	}

	/**
	 * Returns what to put before a command, so that it ignores none.
	 * @return a program and its arguments; empty if this process ignores none
	 */
	static List<String> restoring() {
		try {
			return restoring(Files.readAllLines(Path.of("/proc/self/status")));
		}
		catch (IOException ex) {
			logger.debug("The ignored signals are not known", ex);
			return List.of();
		}
	}

	static List<String> restoring(List<String> status) {
		String mask = status.stream()
			.filter((line) -> line.startsWith("SigIgn:"))
			.map((line) -> line.substring("SigIgn:".length()).strip())
			.findFirst()
			.orElse("0");
		if ((Long.parseUnsignedLong(mask, 16) & OF_SHELLS) == 0) {
			return List.of();
		}
		if (!works()) {
			logger.warn("This application ignores SIGHUP, SIGINT, SIGQUIT or SIGTERM, as what a shell starts in the "
					+ "background does, and so will commands: Signal.INT may do nothing. Start it otherwise, or install "
					+ "GNU coreutils 8.31 or later.");
			return List.of();
		}
		return RESTORED;
	}

	private static boolean works() {
		try {
			Process process = new ProcessBuilder(RESTORED.get(0), RESTORED.get(1), "/bin/sh", "-c", ":")
				.redirectErrorStream(true)
				.start();
			process.getInputStream().readAllBytes();
			return process.waitFor() == 0;
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
