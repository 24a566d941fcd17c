package io.sandbox4j.run;

import java.time.Instant;

import io.sandbox4j.SandboxState;
import org.jspecify.annotations.Nullable;

/**
 * A durable sandbox as it is stored.
 *
 * @param key its key
 * @param state the session that has its files, {@code null} before the first and after a
 * loss
 * @param prepared whether the session has all that it starts with; if not, it is made
 * anew
 * @param checkpoint the checkpoint that a next session starts from, {@code null} for the
 * template
 * @param operations how many operations were ever submitted; the next one's number
 * @param created when it was made
 * @param used when it was last used
 * @since 0.1.0
 */
public record SandboxRecord(String key, @Nullable SandboxState state, boolean prepared, @Nullable String checkpoint,
		long operations, Instant created, Instant used) {

	static SandboxRecord create(String key, Instant now) {
		return new SandboxRecord(key, null, false, null, 0, now, now);
	}

	SandboxRecord withState(@Nullable SandboxState state, boolean prepared) {
		return new SandboxRecord(this.key, state, prepared, this.checkpoint, this.operations, this.created, this.used);
	}

	SandboxRecord withCheckpoint(@Nullable String checkpoint) {
		return new SandboxRecord(this.key, this.state, this.prepared, checkpoint, this.operations, this.created,
				this.used);
	}

	SandboxRecord withOperation() {
		return new SandboxRecord(this.key, this.state, this.prepared, this.checkpoint, this.operations + 1,
				this.created, this.used);
	}

	SandboxRecord usedAt(Instant now) {
		return new SandboxRecord(this.key, this.state, this.prepared, this.checkpoint, this.operations, this.created,
				now);
	}

}
