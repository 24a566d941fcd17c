package io.sandbox4j.install;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import io.sandbox4j.ExecResult;
import io.sandbox4j.SandboxProcess;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An install that runs. A thread of its own reads what it prints, as nobody else may, and
 * tells how it ended.
 */
final class InstallProcess {

	private static final Logger logger = LoggerFactory.getLogger(InstallProcess.class);

	private static final int BUFFER = 8192;

	private static final int PATIENCE_SECONDS = 10;

	private final String run;

	private final SandboxProcess process;

	private final OutputTail tail = new OutputTail();

	private volatile @Nullable Cancellation cancellation;

	InstallProcess(String run, SandboxProcess process) {
		this.run = run;
		this.process = process;
	}

	void begin(BiConsumer<InstallProcess, @Nullable ExecResult> ended) {
		Thread thread = new Thread(() -> watch(ended), "sandbox-install-" + this.process.id());
		thread.setDaemon(true);
		thread.start();
	}

	private void watch(BiConsumer<InstallProcess, @Nullable ExecResult> ended) {
		byte[] buffer = new byte[BUFFER];
		try (InputStream output = this.process.stdout()) {
			for (int count = output.read(buffer); count >= 0; count = output.read(buffer)) {
				this.tail.write(buffer, count);
			}
		}
		catch (IOException ex) {
			logger.debug("The output of an install cannot be read", ex);
		}
		ExecResult result = null;
		try {
			result = this.process.onExit().join();
		}
		catch (RuntimeException ex) {
			logger.warn("An install could not be followed to its end", ex);
		}
		ended.accept(this, result);
	}

	String run() {
		return this.run;
	}

	@Nullable String tail() {
		return this.tail.text();
	}

	/**
	 * Kills it, and waits for nothing.
	 * @param error what is written down of it
	 * @param pause for how long the same is not run again by itself
	 */
	void cancel(String error, Duration pause) {
		this.cancellation = new Cancellation(error, pause);
		this.process.cancel(error);
	}

	@Nullable Cancellation cancellation() {
		return this.cancellation;
	}

	/**
	 * Waits until all its processes are gone. The patience is for a kernel that does not
	 * let go of one.
	 * @return how it ended, or {@code null} if that is not known
	 */
	@Nullable ExecResult awaitEnd() {
		return this.process.onExit()
			.<@Nullable ExecResult>thenApply((result) -> result)
			.completeOnTimeout(null, PATIENCE_SECONDS, TimeUnit.SECONDS)
			.exceptionally((ex) -> null)
			.join();
	}

	/**
	 * Why it was killed.
	 *
	 * @param error what is written down
	 * @param pause for how long the same is not run again by itself
	 */
	record Cancellation(String error, Duration pause) {

	}

}
