package io.sandbox4j.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The mounts of this process (proc(5)).
 */
final class MountTable {

	private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");

	private final List<Mount> mounts;

	private MountTable(List<Mount> mounts) {
		this.mounts = mounts;
	}

	static MountTable read(Path file) throws IOException {
		List<Mount> mounts = new ArrayList<>();
		for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
			int separator = line.indexOf(" - ");
			String[] before = (separator > 0) ? line.substring(0, separator).split(" ") : new String[0];
			if (before.length > 5) {
				String[] after = line.substring(separator + 3).split(" ");
				mounts.add(new Mount(unescape(before[4]), List.of(before[5].split(",")), after[0]));
			}
		}
		return new MountTable(mounts);
	}

	/**
	 * Returns the mount on which a path lies.
	 * @param path the real path
	 * @return the mount, or {@code null} if the table has none
	 */
	@Nullable Mount of(Path path) {
		Mount found = null;
		for (Mount mount : this.mounts) {
			// Of two on one another, the later one is seen.
			if (path.startsWith(mount.point())
					&& (found == null || mount.point().getNameCount() >= found.point().getNameCount())) {
				found = mount;
			}
		}
		return found;
	}

	private static Path unescape(String text) {
		String plain = ESCAPED.matcher(text)
			.replaceAll((match) -> Matcher
				.quoteReplacement(Character.toString((char) Integer.parseInt(match.group(1), 8))));
		return Path.of(new String(plain.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
	}

	/**
	 * A mount.
	 *
	 * @param point where
	 * @param options such as {@code ro} and {@code noexec}
	 * @param type the type of its file system
	 */
	record Mount(Path point, List<String> options, String type) {

	}

}
