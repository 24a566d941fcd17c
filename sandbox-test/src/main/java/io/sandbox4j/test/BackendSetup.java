package io.sandbox4j.test;

import java.util.Objects;

import io.sandbox4j.SandboxListener;
import io.sandbox4j.session.SessionLimits;

/**
 * What {@link SandboxBackendContract} asks a backend to be opened with.
 *
 * @param name the backend's name
 * @param sessionLimits the bounds of its sessions
 * @param listener who hears what happens
 * @since 0.1.0
 */
public record BackendSetup(String name, SessionLimits sessionLimits, SandboxListener listener) {

	/**
	 * Validates the components.
	 */
	public BackendSetup {
		Objects.requireNonNull(name, "'name' must not be null");
		Objects.requireNonNull(sessionLimits, "'sessionLimits' must not be null");
		Objects.requireNonNull(listener, "'listener' must not be null");
	}

}
