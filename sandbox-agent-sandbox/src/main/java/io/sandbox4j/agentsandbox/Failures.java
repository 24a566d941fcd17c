package io.sandbox4j.agentsandbox;

import java.util.function.Supplier;

import org.springaicommunity.sandbox.SandboxException;

/**
 * Failures as Agent Sandbox has them. The cause keeps the code, for those who branch on
 * it.
 */
final class Failures {

	private Failures() {
	}

	static <T> T translated(Supplier<T> call) {
		try {
			return call.get();
		}
		catch (io.sandbox4j.SandboxException ex) {
			throw translated(ex);
		}
	}

	static void translated(Runnable call) {
		translated(() -> {
			call.run();
			return true;
		});
	}

	static SandboxException translated(Throwable failure) {
		return new SandboxException(failure.getMessage(), failure);
	}

}
