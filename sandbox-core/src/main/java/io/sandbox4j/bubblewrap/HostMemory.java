package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Whether this host has memory to spare (proc_meminfo(5)). What a container's own limit
 * leaves is not looked at.
 */
final class HostMemory {

	// Of all memory, what must be available for sandboxes that only might be needed.
	private static final int SPARE_PERCENT = 5;

	private final Path meminfo;

	HostMemory(Path meminfo) {
		this.meminfo = meminfo;
	}

	/**
	 * Tells whether memory is short.
	 * @return {@code true} if less than a twentieth is available; {@code false} if that
	 * is not known
	 */
	boolean isShort() {
		try {
			List<String> lines = Files.readAllLines(this.meminfo, StandardCharsets.US_ASCII);
			long available = kibibytes(lines, "MemAvailable:");
			return available >= 0 && available * 100 < kibibytes(lines, "MemTotal:") * SPARE_PERCENT;
		}
		catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException ex) {
			return false;
		}
	}

	private static long kibibytes(List<String> lines, String name) {
		return lines.stream()
			.filter((line) -> line.startsWith(name))
			.findFirst()
			.map((line) -> Long.parseLong(line.split("\\s+")[1]))
			.orElse(-1L);
	}

}
