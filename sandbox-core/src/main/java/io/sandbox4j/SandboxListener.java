package io.sandbox4j;

/**
 * Hears what happens in a backend. Called on the thread that did it, so return soon; what
 * it throws is logged and otherwise ignored.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SandboxListener {

	/**
	 * Takes an event.
	 * @param event what happened
	 */
	void onEvent(SandboxEvent event);

}
