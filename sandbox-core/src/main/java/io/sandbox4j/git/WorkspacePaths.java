package io.sandbox4j.git;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;

/**
 * Says what a path of the host is called in a sandbox and the other way round, as tasks
 * and reports name files. Immutable; it looks at texts alone and opens nothing.
 * <p>
 * A path is translated if it is one of the directories or lies below it, name by name;
 * the longest of them decides, so that a handoff directory inside the root is told from
 * the root. Everything else comes back as it was: relative paths, other absolute ones,
 * and, as it could leave the directory that it starts with, whatever has {@code ..} in
 * it. What comes back is no promise that the path may be opened: it came from a guest.
 *
 * @since 0.1.0
 */
public final class WorkspacePaths {

	private final List<Pair> pairs;

	private WorkspacePaths(List<Pair> pairs) {
		this.pairs = pairs;
	}

	/**
	 * Creates a translation between a tree of the host and {@value WorkspacePath#ROOT}.
	 * @param hostRoot the absolute path of the tree
	 * @return the translation
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if it is not absolute,
	 * or the root of the file system
	 */
	public static WorkspacePaths of(String hostRoot) {
		return new WorkspacePaths(List.of()).with(hostRoot, WorkspacePath.ROOT);
	}

	/**
	 * Adds a directory, such as that of a {@link HandoffMirror}.
	 * @param host the absolute path of the host
	 * @param sandbox the absolute path in the sandbox
	 * @return the extended copy
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if one is not absolute,
	 * or the root of the file system
	 */
	public WorkspacePaths with(String host, String sandbox) {
		List<Pair> extended = new ArrayList<>(this.pairs);
		extended.add(new Pair(prefix("host", host), prefix("sandbox", sandbox)));
		return new WorkspacePaths(List.copyOf(extended));
	}

	private static String prefix(String name, String path) {
		int end = path.length();
		while (end > 0 && path.charAt(end - 1) == '/') {
			end--;
		}
		String prefix = path.substring(0, end);
		if (!prefix.startsWith("/") || climbs(prefix)) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'" + name + "' must be an absolute path without '..', and not the root of the file system.");
		}
		return prefix;
	}

	private static boolean climbs(String path) {
		return List.of(path.split("/")).contains("..");
	}

	/**
	 * Returns what the host calls a path of the sandbox.
	 * @param path a path of the sandbox
	 * @return the host's path, or the same text
	 */
	public String toHost(String path) {
		return translate(path, Pair::sandbox, Pair::host);
	}

	/**
	 * Returns what the host calls paths of the sandbox.
	 * @param paths paths of the sandbox
	 * @return a new list
	 */
	public List<String> toHost(List<String> paths) {
		return paths.stream().map(this::toHost).toList();
	}

	/**
	 * Returns what the sandbox calls a path of the host.
	 * @param path a path of the host
	 * @return the sandbox's path, or the same text
	 */
	public String toSandbox(String path) {
		return translate(path, Pair::host, Pair::sandbox);
	}

	/**
	 * Returns what the sandbox calls paths of the host.
	 * @param paths paths of the host
	 * @return a new list
	 */
	public List<String> toSandbox(List<String> paths) {
		return paths.stream().map(this::toSandbox).toList();
	}

	private String translate(String path, Function<Pair, String> from, Function<Pair, String> to) {
		if (climbs(path)) {
			return path;
		}
		return this.pairs.stream()
			.filter((pair) -> path.equals(from.apply(pair)) || path.startsWith(from.apply(pair) + "/"))
			.max(Comparator.comparingInt((pair) -> from.apply(pair).length()))
			.map((pair) -> to.apply(pair) + path.substring(from.apply(pair).length()))
			.orElse(path);
	}

	/**
	 * One directory by its two names.
	 */
	private record Pair(String host, String sandbox) {

	}

}
