package io.sandbox4j.doctor;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes the host's paths out of texts. What is the same on every host stays, or no remedy
 * could be followed; everything else that looks like a path goes.
 */
final class PathMask {

	private static final String MASK = "(path)";

	/**
	 * In quotes up to the quote, as a path can have blanks; else up to the next blank.
	 */
	private static final Pattern PATHS = Pattern.compile("(?<=')/[^']*(?=')|(?<![\\w.:/)-])/[^\\s'\",;()<>\\[\\]]*");

	private static final Pattern SAME_EVERYWHERE = Pattern
		.compile("/(?:|bin/sh|usr|usr/bin/bwrap|etc/apparmor\\.d/bwrap|etc/sysctl\\.d|proc|proc/self/fd|tmp|dev/shm|"
				+ "workspace|workspace/[\\w.-]+)");

	private final List<String> known;

	/**
	 * Creates a mask.
	 * @param known paths that are known to lie on this host, which may have blanks
	 */
	PathMask(Collection<Path> known) {
		this.known = known.stream()
			.map(Path::toString)
			.filter((path) -> !SAME_EVERYWHERE.matcher(path).matches())
			.sorted(Comparator.comparingInt(String::length).reversed())
			.toList();
	}

	String apply(String text) {
		String masked = text;
		for (String path : this.known) {
			masked = masked.replace(path, MASK);
		}
		return PATHS.matcher(masked).replaceAll((match) -> Matcher.quoteReplacement(mask(match.group())));
	}

	private static String mask(String path) {
		String bare = path.replaceAll("[.:]+$", "");
		return SAME_EVERYWHERE.matcher(bare).matches() ? path : MASK + path.substring(bare.length());
	}

}
