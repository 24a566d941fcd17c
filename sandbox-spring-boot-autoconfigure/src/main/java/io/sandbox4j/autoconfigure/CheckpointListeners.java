package io.sandbox4j.autoconfigure;

import io.sandbox4j.checkpoint.CheckpointEvent;
import io.sandbox4j.checkpoint.CheckpointListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Several listeners as one. They are asked for with each event, so that one may use the
 * checkpoints; one that throws does not keep the event from the others.
 */
final class CheckpointListeners implements CheckpointListener {

	private static final Logger logger = LoggerFactory.getLogger(CheckpointListeners.class);

	private final ObjectProvider<CheckpointListener> listeners;

	CheckpointListeners(ObjectProvider<CheckpointListener> listeners) {
		this.listeners = listeners;
	}

	@Override
	public void onEvent(CheckpointEvent event) {
		this.listeners.orderedStream().forEach((listener) -> tell(listener, event));
	}

	private static void tell(CheckpointListener listener, CheckpointEvent event) {
		try {
			listener.onEvent(event);
		}
		catch (RuntimeException ex) {
			logger.warn("{} failed for {}", listener.getClass().getName(), event.action(), ex);
		}
	}

}
