package io.sandbox4j.autoconfigure.endpoint;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.checkpoint.Checkpoint;
import io.sandbox4j.checkpoint.Checkpoints;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints of a sandbox: no path.
 *
 * @param newest the newest, the last one first, and at most 20
 * @param problem why the last one is not what the sandbox was, or why nothing can be
 * read: {@code SANDBOX_STATE_MISMATCH} after a capture that failed, {@code SANDBOX_BUSY}
 * while one goes on or after one that was cut off, otherwise a failure of the store
 * @since 0.1.0
 */
public record CheckpointsDescriptor(List<CheckpointDescriptor> newest, @Nullable ErrorCode problem) {

	static final int MAX = 20;

	// Somebody who looks at a sandbox wants to see it also when the store is away.
	static CheckpointsDescriptor of(Checkpoints checkpoints, String lineage) {
		try {
			List<Checkpoint> newest = new ArrayList<>(checkpoints.list(lineage, MAX));
			Collections.reverse(newest);
			return new CheckpointsDescriptor(newest.stream().map(CheckpointDescriptor::of).toList(),
					newest.isEmpty() ? null : problem(checkpoints, lineage));
		}
		catch (SandboxException ex) {
			return new CheckpointsDescriptor(List.of(), ex.code());
		}
	}

	private static @Nullable ErrorCode problem(Checkpoints checkpoints, String lineage) {
		try {
			checkpoints.latest(lineage);
			return null;
		}
		catch (SandboxException ex) {
			return ex.code();
		}
	}

	/**
	 * A checkpoint.
	 *
	 * @param id its id
	 * @param created when it was made
	 * @param templateKey the key of the template that its sandbox was started from
	 * @param files how many files, links and directories it has
	 * @param bytes the bytes of its files, without holes
	 * @param newBytes how many bytes the store had to take for it
	 * @param parent the checkpoint before it, or {@code null} for the first
	 * @param leftOut how many sockets, pipes and devices are not in it
	 */
	public record CheckpointDescriptor(String id, Instant created, String templateKey, long files, long bytes,
			long newBytes, @Nullable String parent, int leftOut) {

		private static CheckpointDescriptor of(Checkpoint checkpoint) {
			return new CheckpointDescriptor(checkpoint.id(), checkpoint.created(), checkpoint.key(), checkpoint.files(),
					checkpoint.bytes(), checkpoint.newBytes(), checkpoint.parent(), checkpoint.leftOutCount());
		}

	}

}
