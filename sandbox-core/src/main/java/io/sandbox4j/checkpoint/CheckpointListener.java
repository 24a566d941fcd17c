package io.sandbox4j.checkpoint;

/**
 * Hears what becomes of checkpoints. Called on the thread that did it, after it counts,
 * so return soon; what it throws is logged and otherwise ignored.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CheckpointListener {

	/**
	 * Takes an event.
	 * @param event what happened
	 */
	void onEvent(CheckpointEvent event);

}
