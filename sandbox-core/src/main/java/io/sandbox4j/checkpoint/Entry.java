package io.sandbox4j.checkpoint;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * What a checkpoint keeps of one path. Names are bytes to the kernel: here each byte is a
 * character.
 *
 * @param path the path below the workspace, empty for the workspace itself
 * @param type what it is
 * @param mode the permissions, with the bits above them
 * @param modified when it was modified
 * @param size the bytes of a file, holes included
 * @param extents the pieces of a file, in order
 * @param target where a link points to, or the path whose file a hard link is; else empty
 */
record Entry(String path, Type type, int mode, Instant modified, long size, List<Extent> extents, String target) {

	// Linux takes no longer path in one call.
	static final int MAX_PATH = 4095 - "./".length();

	private static final int MAX_NAME = 255;

	Entry {
		requirePath(path);
		if (type == Type.HARD_LINK) {
			requirePath(target);
		}
		long end = 0;
		for (Extent extent : extents) {
			if (extent.offset() < end || extent.length() <= 0 || extent.length() > Extent.MAX) {
				throw Failures.damaged("the pieces of a file overlap");
			}
			end = extent.end();
		}
		if (end > size) {
			throw Failures.damaged("a file has more pieces than bytes");
		}
	}

	static void requirePath(String path) {
		if (path.isEmpty()) {
			return;
		}
		if (path.length() > MAX_PATH) {
			throw Failures.limit("A path has more than " + MAX_PATH + " bytes: '" + shown(path.substring(0, 60))
					+ "…'. Move it up, or remove it.");
		}
		for (String name : path.split("/", -1)) {
			if (name.length() > MAX_NAME || name.isEmpty() || name.equals(".") || name.equals("..")
					|| name.indexOf('\0') >= 0) {
				throw new SandboxException(ErrorCode.SANDBOX_PATH,
						"'" + shown(path) + "' is no path below a workspace.");
			}
		}
	}

	static Entry directory(String path, int mode, Instant modified) {
		return new Entry(path, Type.DIRECTORY, mode, modified, 0, List.of(), "");
	}

	static Entry file(String path, int mode, Instant modified, long size, List<Extent> extents) {
		return new Entry(path, Type.FILE, mode, modified, size, List.copyOf(extents), "");
	}

	static Entry link(String path, int mode, Instant modified, String target) {
		return new Entry(path, Type.LINK, mode, modified, 0, List.of(), target);
	}

	static Entry hardLink(String path, int mode, Instant modified, String target) {
		return new Entry(path, Type.HARD_LINK, mode, modified, 0, List.of(), target);
	}

	// The bytes that are no holes.
	long bytes() {
		long bytes = 0;
		for (Extent extent : this.extents) {
			bytes += extent.length();
		}
		return bytes;
	}

	static String shown(String path) {
		return new String(path.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
	}

	/**
	 * The types that are kept.
	 */
	enum Type {

		DIRECTORY, FILE, LINK, HARD_LINK

	}

}
