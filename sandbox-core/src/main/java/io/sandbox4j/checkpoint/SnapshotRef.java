package io.sandbox4j.checkpoint;

import java.util.Objects;

/**
 * What a reference of a {@link SnapshotStore} holds.
 *
 * @param version changes with every write, and no value comes back while somebody may
 * still expect it
 * @param content the bytes, not to be changed
 * @since 0.1.0
 */
public record SnapshotRef(String version, byte[] content) {

	/**
	 * Validates the components.
	 */
	public SnapshotRef {
		Objects.requireNonNull(version, "'version' must not be null");
		Objects.requireNonNull(content, "'content' must not be null");
	}

}
