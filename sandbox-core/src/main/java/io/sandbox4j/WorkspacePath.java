package io.sandbox4j;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * A path inside the workspace, in its one canonical spelling. Being lexical it says
 * nothing about links: whoever opens it must walk it one component at a time.
 * <p>
 * Accepted are {@code .}, {@code /workspace}, {@code /workspace/a/b} and {@code a/b}.
 * Refused with {@link ErrorCode#SANDBOX_PATH} is everything else: the empty string, other
 * absolute paths, backslashes, NUL, an empty, {@code .} or {@code ..} segment, a leading
 * {@code ~} (a shell would expand it, a file API would make a directory of that name), a
 * segment over 255 bytes and a path over 4,095 bytes as UTF-8 (the limits of the kernel),
 * and text that is not well-formed Unicode.
 *
 * @param segments the names below the workspace root, empty for the root itself
 * @since 0.1.0
 */
public record WorkspacePath(List<String> segments) {

	/**
	 * Where the workspace is mounted in every sandbox.
	 */
	public static final String ROOT = "/workspace";

	private static final int MAX_SEGMENT_BYTES = 255;

	private static final int MAX_PATH_BYTES = 4095;

	/**
	 * Validates every segment.
	 * @param segments the names below the workspace root
	 */
	public WorkspacePath {
		segments = List.copyOf(segments);
		long bytes = ROOT.length();
		for (String segment : segments) {
			bytes += 1 + validate(segment, segments);
		}
		if (bytes > MAX_PATH_BYTES) {
			throw refused(segments, "is longer than " + MAX_PATH_BYTES + " bytes");
		}
	}

	/**
	 * Parses what a caller or a model wrote.
	 * @param path the text
	 * @return the canonical path
	 * @throws SandboxException with {@link ErrorCode#SANDBOX_PATH} if it is refused
	 */
	public static WorkspacePath parse(String path) {
		Objects.requireNonNull(path, "'path' must not be null");
		if (path.equals(".") || path.equals(ROOT)) {
			return new WorkspacePath(List.of());
		}
		String relative = path.startsWith(ROOT + "/") ? path.substring(ROOT.length() + 1) : path;
		if (path.isEmpty() || relative.startsWith("/")) {
			throw refused(path, path.isEmpty() ? "is empty" : "is outside the workspace");
		}
		return new WorkspacePath(List.of(relative.split("/", -1)));
	}

	/**
	 * Whether this is the workspace root.
	 * @return {@code true} for the root
	 */
	public boolean isRoot() {
		return this.segments.isEmpty();
	}

	/**
	 * Returns a child of this path.
	 * @param name the child's name
	 * @return the child's path
	 */
	public WorkspacePath child(String name) {
		String[] names = this.segments.toArray(new String[this.segments.size() + 1]);
		names[this.segments.size()] = name;
		return new WorkspacePath(List.of(names));
	}

	/**
	 * Returns the path without the workspace root, {@code .} for the root itself.
	 * @return the relative spelling
	 */
	public String relative() {
		return isRoot() ? "." : String.join("/", this.segments);
	}

	/**
	 * Returns the absolute path as the guest sees it.
	 * @return the canonical spelling
	 */
	@Override
	public String toString() {
		return isRoot() ? ROOT : ROOT + "/" + String.join("/", this.segments);
	}

	private static int validate(String segment, List<String> segments) {
		if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
			throw refused(segments, "has an empty, '.' or '..' segment");
		}
		if (segment.equals("~") && segment == segments.get(0)) {
			throw refused(segments, "starts with '~'");
		}
		if (isPlain(segment)) {
			return segment.length();
		}
		if (segment.indexOf('\\') >= 0) {
			throw refused(segments, "has a backslash; use '/' between names");
		}
		if (segment.indexOf('\0') >= 0 || segment.indexOf('/') >= 0) {
			throw refused(segments, "has a NUL or '/' inside a name");
		}
		if (!StandardCharsets.UTF_8.newEncoder().canEncode(segment)) {
			throw refused(segments, "is not well-formed Unicode");
		}
		int bytes = segment.getBytes(StandardCharsets.UTF_8).length;
		if (bytes > MAX_SEGMENT_BYTES) {
			throw refused(segments, "has a name longer than " + MAX_SEGMENT_BYTES + " bytes");
		}
		return bytes;
	}

	// Nearly every name; a scan makes a path of each.
	private static boolean isPlain(String segment) {
		for (int i = 0; i < segment.length(); i++) {
			char character = segment.charAt(i);
			if (character < ' ' || character > '~' || character == '/' || character == '\\') {
				return false;
			}
		}
		return segment.length() <= MAX_SEGMENT_BYTES;
	}

	private static SandboxException refused(List<String> segments, String why) {
		return refused(String.join("/", segments), why);
	}

	private static SandboxException refused(String path, String why) {
		String shown = path.replace("\0", "\\0");
		if (shown.length() > 200) {
			shown = shown.substring(0, 200) + "...";
		}
		return new SandboxException(ErrorCode.SANDBOX_PATH,
				"Path '" + shown + "' " + why + ". Use a path such as 'src/app.py' or '/workspace/src/app.py'.");
	}

}
