package io.sandbox4j;

import java.time.Instant;
import java.util.Objects;

/**
 * What is known of a workspace entry without following links.
 *
 * @param path the entry's path
 * @param type what it is
 * @param size its bytes; zero for anything but a file
 * @param modified when its content last changed
 * @param executable whether its owner may execute it
 * @since 0.1.0
 */
public record FileEntry(WorkspacePath path, FileType type, long size, Instant modified, boolean executable) {

	/**
	 * Validates the components.
	 */
	public FileEntry {
		Objects.requireNonNull(path, "'path' must not be null");
		Objects.requireNonNull(type, "'type' must not be null");
		Objects.requireNonNull(modified, "'modified' must not be null");
	}

}
