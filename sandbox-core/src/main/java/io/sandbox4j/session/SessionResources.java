package io.sandbox4j.session;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the sessions of one backend share. The backend owns the threads and ends them.
 *
 * @param executor runs blocking work; must not bound its threads below the commands that
 * live at once
 * @param timer watches deadlines; its tasks are short
 * @param listener hears what happens
 * @since 0.1.0
 */
public record SessionResources(Executor executor, ScheduledExecutorService timer, SandboxListener listener) {

	private static final Logger logger = LoggerFactory.getLogger(SessionResources.class);

	/**
	 * Validates the components.
	 */
	public SessionResources {
		Objects.requireNonNull(executor, "'executor' must not be null");
		Objects.requireNonNull(timer, "'timer' must not be null");
		Objects.requireNonNull(listener, "'listener' must not be null");
	}

	/**
	 * Hands an event to the listener. What the listener throws is logged and stays here.
	 * @param event what happened
	 */
	public void publish(SandboxEvent event) {
		try {
			this.listener.onEvent(event);
		}
		catch (RuntimeException ex) {
			logger.warn("Listener failed for {} of session {}", event.getClass().getSimpleName(), event.sessionId(),
					ex);
		}
	}

}
