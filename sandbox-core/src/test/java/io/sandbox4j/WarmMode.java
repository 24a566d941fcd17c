package io.sandbox4j;

import java.time.Duration;

import io.sandbox4j.bubblewrap.WarmSettings;

/**
 * Which sandboxes the tests run commands in: {@code -Dsandbox.test.warm=off} builds each
 * when its command comes, {@code early} hands nearly every command to one that waits,
 * otherwise what users get unless they say something.
 */
public final class WarmMode {

	private WarmMode() {
	}

	/**
	 * Returns what the run asks for.
	 * @return the settings
	 */
	public static WarmSettings settings() {
		return switch (System.getProperty("sandbox.test.warm", "")) {
			case "off" -> WarmSettings.off();
			case "early" -> new WarmSettings(1, 4, 64, Duration.ofMinutes(1), Duration.ofMinutes(10), true);
			default -> WarmSettings.defaults();
		};
	}

}
