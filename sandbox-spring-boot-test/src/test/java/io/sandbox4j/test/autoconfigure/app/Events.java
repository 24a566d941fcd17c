package io.sandbox4j.test.autoconfigure.app;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxListener;

import org.springframework.stereotype.Component;

/**
 * Another one.
 */
@Component
public class Events implements SandboxListener {

	private final List<SandboxEvent> heard = new CopyOnWriteArrayList<>();

	@Override
	public void onEvent(SandboxEvent event) {
		this.heard.add(event);
	}

	public List<SandboxEvent> heard() {
		return this.heard;
	}

}
