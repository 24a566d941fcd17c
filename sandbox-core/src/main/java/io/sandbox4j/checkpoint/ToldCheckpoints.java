package io.sandbox4j.checkpoint;

import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import io.sandbox4j.checkpoint.CheckpointEvent.Action;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a listener what became of work, and keeps its failures away from who does it.
 */
final class ToldCheckpoints {

	private static final Logger logger = LoggerFactory.getLogger(ToldCheckpoints.class);

	private final CheckpointListener listener;

	ToldCheckpoints(CheckpointListener listener) {
		this.listener = listener;
	}

	/**
	 * Does work that makes a checkpoint, and tells of it.
	 * @param action what it is
	 * @param lineage the lineage that gets the checkpoint
	 * @param work the work
	 * @return the checkpoint
	 */
	Checkpoint published(Action action, String lineage, Supplier<Checkpoint> work) {
		return done(action, lineage, work,
				(checkpoint, duration) -> new CheckpointEvent.Published(action, checkpoint, duration));
	}

	/**
	 * Does work and tells of it, whether it fails or not.
	 * @param <T> the type of what it returns
	 * @param action what it is
	 * @param subject what it is about
	 * @param work the work
	 * @param event makes the event of its success
	 * @return what the work returns
	 */
	<T> T done(Action action, String subject, Supplier<T> work, BiFunction<T, Duration, CheckpointEvent> event) {
		long begun = System.nanoTime();
		T result;
		try {
			result = work.get();
		}
		catch (RuntimeException ex) {
			tell(new CheckpointEvent.Failed(action, subject, ex, since(begun)));
			throw ex;
		}
		tell(event.apply(result, since(begun)));
		return result;
	}

	private static Duration since(long begun) {
		return Duration.ofNanos(System.nanoTime() - begun);
	}

	private void tell(CheckpointEvent event) {
		try {
			this.listener.onEvent(event);
		}
		catch (RuntimeException ex) {
			logger.warn("A listener of checkpoints failed on {}", event.action(), ex);
		}
	}

}
