package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Runs I/O on channels to its end on a thread that is or gets interrupted. An interrupt
 * closes a file channel in use, and a closed channel is a lost lock; releasing a lease
 * and taking it are short and must not fail half way. The interrupt flag is set again
 * afterwards.
 */
final class Uninterruptibly {

	private Uninterruptibly() {
	}

	static <T> T call(Action<T> action) throws IOException {
		boolean interrupted = Thread.interrupted();
		try {
			while (true) {
				try {
					return action.run();
				}
				catch (ClosedByInterruptException ex) {
					interrupted |= Thread.interrupted();
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * I/O that can be repeated as a whole.
	 *
	 * @param <T> what it returns
	 */
	@FunctionalInterface
	interface Action<T> {

		T run() throws IOException;

	}

}
