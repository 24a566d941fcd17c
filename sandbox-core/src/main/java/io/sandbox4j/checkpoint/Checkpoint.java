package io.sandbox4j.checkpoint;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A checkpoint: what a workspace was at one moment. It does not change.
 *
 * @param id 64 hexadecimal digits, the digest of all that the checkpoint is
 * @param lineage the name of the row of checkpoints that it belongs to
 * @param key what the workspace was started from, such as the key of its template
 * @param created when it was made
 * @param files how many files, links and directories it has
 * @param bytes the bytes of its files, without holes
 * @param newBytes how many bytes the store had to take for it
 * @param parent the checkpoint before it in its lineage or that it was forked from, or
 * {@code null} for the first
 * @param leftOut what is not in it, such as sockets and pipes; the first 100 paths
 * @param leftOutCount how many paths are not in it
 * @since 0.1.0
 */
public record Checkpoint(String id, String lineage, String key, Instant created, long files, long bytes, long newBytes,
		@Nullable String parent, List<String> leftOut, int leftOutCount) {

	/**
	 * Validates the components.
	 */
	public Checkpoint {
		leftOut = List.copyOf(leftOut);
	}

}
