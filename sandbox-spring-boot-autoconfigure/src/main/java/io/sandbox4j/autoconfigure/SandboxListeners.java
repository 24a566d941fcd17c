package io.sandbox4j.autoconfigure;

import java.util.List;

import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several listeners as one. One that throws does not keep the event from the others.
 */
final class SandboxListeners implements SandboxListener {

	private static final Logger logger = LoggerFactory.getLogger(SandboxListeners.class);

	private final List<SandboxListener> listeners;

	SandboxListeners(List<SandboxListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void onEvent(SandboxEvent event) {
		for (SandboxListener listener : this.listeners) {
			try {
				listener.onEvent(event);
			}
			catch (RuntimeException ex) {
				logger.warn("{} failed for {} of session {}", listener.getClass().getName(),
						event.getClass().getSimpleName(), event.sessionId(), ex);
			}
		}
	}

}
