package io.sandbox4j.checkpoint;

import java.time.Duration;

/**
 * Something that happened with checkpoints.
 *
 * @since 0.1.0
 */
public sealed interface CheckpointEvent {

	/**
	 * Returns what was done.
	 * @return what was done, or was to be
	 */
	Action action();

	/**
	 * Returns how long it took.
	 * @return the time until it counted or failed
	 */
	Duration duration();

	/**
	 * What is done with checkpoints.
	 */
	enum Action {

		/**
		 * A workspace becomes a checkpoint.
		 */
		CAPTURE,

		/**
		 * A checkpoint becomes that of another lineage too.
		 */
		FORK,

		/**
		 * An archive becomes a checkpoint.
		 */
		IMPORT,

		/**
		 * A workspace becomes what a checkpoint is.
		 */
		RESTORE,

		/**
		 * What no checkpoint needs is removed.
		 */
		COLLECT

	}

	/**
	 * There is a new checkpoint.
	 *
	 * @param action how it came to be: a capture, a fork or an import
	 * @param checkpoint the checkpoint
	 * @param duration how long it took
	 */
	record Published(Action action, Checkpoint checkpoint, Duration duration) implements CheckpointEvent {

	}

	/**
	 * A workspace is what a checkpoint says.
	 *
	 * @param checkpoint the checkpoint
	 * @param sessionId the session of the workspace
	 * @param duration how long it took
	 */
	record Restored(Checkpoint checkpoint, String sessionId, Duration duration) implements CheckpointEvent {

		@Override
		public Action action() {
			return Action.RESTORE;
		}

	}

	/**
	 * What no checkpoint needs was removed.
	 *
	 * @param result how much
	 * @param duration how long it took
	 */
	record Collected(CollectionResult result, Duration duration) implements CheckpointEvent {

		@Override
		public Action action() {
			return Action.COLLECT;
		}

	}

	/**
	 * Something failed, as its caller is told too.
	 *
	 * @param action what was to be done
	 * @param subject the lineage that has no new checkpoint, the id of the checkpoint
	 * that was not restored, or nothing for a collection
	 * @param failure what the caller gets
	 * @param duration how long it took
	 */
	record Failed(Action action, String subject, RuntimeException failure,
			Duration duration) implements CheckpointEvent {

	}

}
