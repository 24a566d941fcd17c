package io.sandbox4j.autoconfigure;

import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxListener;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes what happens in a backend as application events, whose payload is the
 * {@link SandboxEvent}. Event listeners run on the thread that did it, unless they are
 * asynchronous.
 *
 * @since 0.1.0
 */
public final class SandboxEventPublisher implements SandboxListener {

	private final ApplicationEventPublisher publisher;

	/**
	 * Creates a publisher.
	 * @param publisher where the events go
	 */
	public SandboxEventPublisher(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	@Override
	public void onEvent(SandboxEvent event) {
		this.publisher.publishEvent(event);
	}

}
