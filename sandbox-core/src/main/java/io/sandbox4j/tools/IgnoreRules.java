package io.sandbox4j.tools;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.WorkspacePath;
import org.eclipse.jgit.ignore.FastIgnoreRule;
import org.eclipse.jgit.ignore.IgnoreNode;
import org.jspecify.annotations.Nullable;

/**
 * What git would ignore among the entries of one directory: the rules of its own
 * {@code .gitignore} and of those above it, up to the workspace root. Immutable, so that
 * a walk keeps one for each directory that it is in.
 * <p>
 * A guest writes these files, so that they can be wrong or hostile: what is too much, or
 * no pattern, is left out and never an error. Leaving a rule out shows a file more.
 */
final class IgnoreRules {

	/**
	 * No rules but git's own.
	 */
	static final IgnoreRules NONE = new IgnoreRules(List.of(), 0);

	private static final int MAX_BYTES = 64 * 1024;

	private static final int MAX_RULES = 2000;

	// Every name is matched with all of them, and a guest can nest directories deeply.
	private static final int MAX_RULES_IN_CHAIN = 4000;

	private final List<Level> levels;

	private final int count;

	private IgnoreRules(List<Level> levels, int count) {
		this.levels = List.copyOf(levels);
		this.count = count;
	}

	/**
	 * Returns the rules for the entries of a directory below the one of these rules.
	 * @param directory the directory
	 * @param gitignore the bytes of its own {@code .gitignore}, or {@code null}
	 * @return the rules
	 */
	IgnoreRules within(WorkspacePath directory, byte @Nullable [] gitignore) {
		List<String> names = directory.segments();
		List<FastIgnoreRule> rules = (gitignore != null) ? parse(gitignore, MAX_RULES_IN_CHAIN - this.count)
				: List.of();
		List<Level> levels = new ArrayList<>();
		if (!rules.isEmpty()) {
			levels.add(new Level(new IgnoreNode(rules), names.size(), ""));
		}
		for (Level level : this.levels) {
			String prefix = String.join("/", names.subList(level.depth(), names.size())) + "/";
			levels.add(new Level(level.rules(), level.depth(), prefix));
		}
		return new IgnoreRules(levels, this.count + rules.size());
	}

	/**
	 * Whether git would ignore an entry of the directory, if not the directory itself.
	 * @param name the name of the entry
	 * @param directory whether it is a directory
	 * @return {@code true} if so
	 */
	boolean ignores(String name, boolean directory) {
		if (name.equals(".git")) {
			return true;
		}
		for (Level level : this.levels) {
			Boolean ignored = level.rules().checkIgnored(level.prefix() + name, directory);
			if (ignored != null) {
				return ignored;
			}
		}
		return false;
	}

	private static List<FastIgnoreRule> parse(byte[] gitignore, int room) {
		List<FastIgnoreRule> rules = new ArrayList<>();
		String text = text(gitignore);
		int max = Math.min(room, MAX_RULES);
		int start = 0;
		while (start < text.length() && rules.size() < max) {
			int newline = text.indexOf('\n', start);
			int end = (newline < 0) ? text.length() : newline;
			String pattern = IgnoreLine.canonical(text.substring(start, end));
			if (pattern != null) {
				rules.add(new FastIgnoreRule(pattern));
			}
			start = end + 1;
		}
		return rules;
	}

	private static String text(byte[] gitignore) {
		int length = Math.min(gitignore.length, MAX_BYTES);
		if (length < gitignore.length) {
			// The half of a pattern is another pattern, and half of "/build" is "/".
			while (length > 0 && gitignore[length - 1] != '\n') {
				length--;
			}
		}
		String text = new String(gitignore, 0, length, StandardCharsets.UTF_8);
		return text.startsWith("\uFEFF") ? text.substring(1) : text;
	}

	/**
	 * The rules of one file.
	 *
	 * @param rules the rules
	 * @param depth how many names below the root the file is
	 * @param prefix the way from the file to the directory, empty or with a slash at its
	 * end
	 */
	private record Level(IgnoreNode rules, int depth, String prefix) {

	}

}
