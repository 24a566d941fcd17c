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
 * @param checkpoint the checkpoint that a next session starts from, {@code null} for the
 * template
 * @param operations how many operations were ever submitted; the next one's number
 * @param created when it was made
 * @param used when it was last used
 * @since 0.1.0
 */
public record SandboxRecord(String key, @Nullable SandboxState state, @Nullable String checkpoint, long operations,
		Instant created, Instant used) {

}
