package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds the processes that carry a sandbox's marker as an argument. The kernel keeps a
 * process's arguments (proc(5)), so the marker tells a sandbox whose application died
 * before it could record it. A guest cannot change those of its init, and another user's
 * process that pretends to be one gains nothing but its own end.
 */
public final class MarkedProcesses {

	static final String PREFIX = "sandbox4j:";

	private MarkedProcesses() {
	}

	/**
	 * Returns the processes with a marker.
	 * @param marker the marker
	 * @return the processes that live
	 */
	public static List<ProcessIdentity> with(String marker) {
		return all().getOrDefault(marker, List.of());
	}

	/**
	 * Returns every marker that a process carries.
	 * @return the markers
	 */
	public static Set<String> markers() {
		return all().keySet();
	}

	private static Map<String, List<ProcessIdentity>> all() {
		Map<String, List<ProcessIdentity>> marked = new TreeMap<>();
		try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
			for (Path process : processes) {
				String marker = markerOf(process);
				if (!marker.isEmpty()) {
					// Asked again, as the number may have gone to another process.
					ProcessIdentity.of(Long.parseLong(process.getFileName().toString()))
						.filter((identity) -> marker.equals(markerOf(process)) && identity.isAlive())
						.ifPresent(
								(identity) -> marked.computeIfAbsent(marker, (key) -> new ArrayList<>()).add(identity));
				}
			}
		}
		catch (IOException ex) {
			throw StorageFailures.io("The processes of this host could not be listed", ex);
		}
		return marked;
	}

	private static String markerOf(Path process) {
		try {
			String line = new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.ISO_8859_1);
			if (line.contains(PREFIX)) {
				for (String word : line.split("\0")) {
					if (word.startsWith(PREFIX)) {
						return word;
					}
				}
			}
		}
		catch (IOException ex) {
			// Gone meanwhile.
			return "";
		}
		return "";
	}

}
