package io.sandbox4j.doctor;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a check on a thread of its own, which it outlives if it must. A check that does
 * not end is not started again, so that the threads stay few.
 */
final class CheckRunner {

	private static final Logger logger = LoggerFactory.getLogger(CheckRunner.class);

	private final Set<DoctorCheck> active = Collections
		.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

	List<DoctorFinding> run(DoctorCheck check, DoctorContext context, Duration limit) {
		String name = nameOf(check);
		if (limit.isZero() || Thread.currentThread().isInterrupted()) {
			return unknown(name, "It was not looked at: the examination had no time left.");
		}
		if (!this.active.add(check)) {
			return unknown(name, "It was not looked at: the check has not ended since an earlier examination.");
		}
		FutureTask<List<DoctorFinding>> task = new FutureTask<>(() -> {
			try {
				return List.copyOf(check.check(context));
			}
			finally {
				this.active.remove(check);
			}
		});
		Thread thread = new Thread(task, "sandbox-doctor");
		thread.setDaemon(true);
		thread.start();
		return await(name, task, thread, limit);
	}

	private static List<DoctorFinding> await(String name, FutureTask<List<DoctorFinding>> task, Thread thread,
			Duration limit) {
		try {
			return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			// Not by the task, which would forget the thread: only the check says when it
			// ended.
			thread.interrupt();
			return unknown(name, "The check did not end within " + limit.toMillis() + " ms.");
		}
		catch (InterruptedException ex) {
			thread.interrupt();
			Thread.currentThread().interrupt();
			return unknown(name, "The examination was interrupted.");
		}
		catch (ExecutionException ex) {
			Throwable failure = (ex.getCause() != null) ? ex.getCause() : ex;
			logger.debug("The check '{}' failed", name, failure);
			return unknown(name, "The check failed with " + failure.getClass().getName() + ".");
		}
	}

	private static String nameOf(DoctorCheck check) {
		try {
			String name = check.name();
			return (name != null) ? name : check.getClass().getName();
		}
		catch (RuntimeException ex) {
			return check.getClass().getName();
		}
	}

	private static List<DoctorFinding> unknown(String name, String summary) {
		return List.of(DoctorFinding.fail(name, summary, "What it looks at may or may not be in order.",
				"Examine again. If it stays, the debug log of 'io.sandbox4j.doctor' has more."));
	}

}
