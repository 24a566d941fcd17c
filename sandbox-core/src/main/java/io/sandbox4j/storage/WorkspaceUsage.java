package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * How much a workspace holds, looked at while its guest works in it. Nothing follows a
 * link. Sizes are logical: a sparse file counts in full.
 *
 * @since 0.1.0
 */
public enum WorkspaceUsage {

	/**
	 * Its files together are no larger than the limit.
	 */
	WITHIN,

	/**
	 * Its files together are larger than the limit.
	 */
	BEYOND,

	/**
	 * It holds a directory that cannot be read, or one deeper than 200 levels, so that
	 * what is in it could be of any size.
	 */
	HIDDEN;

	/**
	 * Fewer than the descriptors that a process may have open.
	 */
	private static final int MAX_DEPTH = 200;

	/**
	 * Looks at a workspace. What changes meanwhile may or may not count.
	 * @param workspace the workspace
	 * @param limit how many bytes it may hold
	 * @return what was found
	 */
	public static WorkspaceUsage of(Path workspace, long limit) {
		try (OpenDirectory root = OpenDirectory.at(workspace)) {
			long sum = sum(root, 0, limit, 0);
			return (sum > limit) ? BEYOND : WITHIN;
		}
		catch (IOException ex) {
			return HIDDEN;
		}
	}

	private static long sum(OpenDirectory directory, long before, long limit, int depth) throws IOException {
		long[] sum = { before };
		List<Path> directories = new ArrayList<>();
		directory.forEach((name) -> {
			PosixFileAttributes attributes = directory.attributesIfPresent(name);
			if (attributes != null && attributes.isDirectory()) {
				directories.add(name);
			}
			else if (attributes != null && attributes.isRegularFile()) {
				sum[0] += attributes.size();
			}
		});
		for (Path name : directories) {
			if (sum[0] > limit) {
				break;
			}
			if (depth == MAX_DEPTH) {
				throw new AccessDeniedException("Deeper than " + MAX_DEPTH + " levels");
			}
			try (OpenDirectory child = directory.child(name)) {
				sum[0] = sum(child, sum[0], limit, depth + 1);
			}
			catch (NoSuchFileException | UnexpectedTypeException | UnsettledException ex) {
				// The guest removed or replaced it: the next look sees what is there
				// then.
				continue;
			}
		}
		return sum[0];
	}

}
