package io.sandbox4j.storage;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * The threads of one scan, started when there is something to do and gone when there is
 * not. Whoever waits for one of their jobs looks after them: a thread that a named pipe
 * holds up is freed, or given up with the job that it does. Used by one thread.
 */
final class ScanThreads implements Closeable {

	private static final int MAX_THREADS = Math.min(4, Runtime.getRuntime().availableProcessors());

	private static final long FIRST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private final PipeGuard guard;

	private final Queue<Job> jobs = new ConcurrentLinkedQueue<>();

	// Threads that will look at the queue again before they end.
	private final AtomicInteger running = new AtomicInteger();

	private final List<Worker> workers = new ArrayList<>();

	ScanThreads(PipeGuard guard) {
		this.guard = guard;
	}

	void execute(Job job) {
		this.jobs.add(job);
		startThread();
	}

	private void startThread() {
		if (!this.jobs.isEmpty() && mayRun()) {
			this.workers.removeIf((worker) -> worker.end.isDone());
			Worker worker = new Worker();
			boolean started = false;
			try {
				PipeGuard.execute(worker);
				this.workers.add(worker);
				started = true;
			}
			finally {
				if (!started) {
					this.running.decrementAndGet();
				}
			}
		}
	}

	private boolean mayRun() {
		int before = this.running.getAndUpdate((count) -> Math.min(MAX_THREADS, count + 1));
		return before < MAX_THREADS;
	}

	/**
	 * Waits for something that a job completes. An interrupt does not end that, but is
	 * kept.
	 * @param result what is waited for
	 * @param <V> its type
	 * @return the result
	 */
	<V> V await(CompletableFuture<V> result) {
		boolean interrupted = false;
		try {
			for (long wait = FIRST_WAIT_NANOS;;) {
				try {
					return result.get(wait, TimeUnit.NANOSECONDS);
				}
				catch (TimeoutException ex) {
					lookAfterThreads();
					wait = Math.min(2 * wait, LONGEST_WAIT_NANOS);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
				catch (ExecutionException ex) {
					if (ex.getCause() instanceof Error error) {
						throw error;
					}
					throw (ex.getCause() instanceof RuntimeException runtime) ? runtime
							: new IllegalStateException(ex.getCause());
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void lookAfterThreads() {
		for (Worker worker : this.workers) {
			if (!worker.end.isDone() && !this.guard.lookAfter(worker.lookout)) {
				worker.giveUp();
			}
		}
		startThread();
	}

	/**
	 * Drops the jobs that were not begun and waits for those that were.
	 */
	@Override
	public void close() {
		for (Job job = this.jobs.poll(); job != null; job = this.jobs.poll()) {
			job.abandon();
		}
		this.workers.forEach((worker) -> await(worker.end));
	}

	/**
	 * Something that a thread does.
	 */
	interface Job {

		/**
		 * Does it. Never throws.
		 * @param lookout where this thread says what it opens
		 */
		void run(PipeGuard.Lookout lookout);

		/**
		 * Ends it for whoever waits, when it was not begun or its thread was given up.
		 */
		void abandon();

	}

	/**
	 * A thread that does one job after the other.
	 */
	private final class Worker implements Runnable {

		private final PipeGuard.Lookout lookout = new PipeGuard.Lookout();

		private final CompletableFuture<Boolean> end = new CompletableFuture<>();

		private volatile @Nullable Job job;

		@Override
		public void run() {
			boolean counted = true;
			try {
				while (counted) {
					if (!work()) {
						// Whoever gave this thread up has counted it out already.
						counted = false;
						return;
					}
					ScanThreads.this.running.decrementAndGet();
					// A job may have been added while this thread still counted.
					counted = !ScanThreads.this.jobs.isEmpty() && mayRun();
				}
			}
			finally {
				if (counted) {
					ScanThreads.this.running.decrementAndGet();
				}
				this.end.complete(Boolean.TRUE);
			}
		}

		private boolean work() {
			for (Job next = ScanThreads.this.jobs.poll(); next != null; next = ScanThreads.this.jobs.poll()) {
				this.job = next;
				next.run(this.lookout);
				if (this.lookout.isGivenUp()) {
					return false;
				}
			}
			return true;
		}

		void giveUp() {
			ScanThreads.this.running.decrementAndGet();
			this.end.complete(Boolean.TRUE);
			Job given = this.job;
			if (given != null) {
				given.abandon();
			}
		}

	}

}
