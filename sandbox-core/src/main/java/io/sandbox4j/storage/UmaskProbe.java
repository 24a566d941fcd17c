package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Knows whether this process's umask takes bits from the modes that workspaces need.
 */
final class UmaskProbe {

	private static final int NEEDED = 0755;

	private UmaskProbe() {
	}

	static boolean hidesModes() {
		try {
			for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
				if (line.startsWith("Umask:")) {
					return (Integer.parseInt(line.substring(6).trim(), 8) & NEEDED) != 0;
				}
			}
		}
		catch (IOException ex) {
			// Then every mode is set again, which is slower and always right.
		}
		return true;
	}

}
