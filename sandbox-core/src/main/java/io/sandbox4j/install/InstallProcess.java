package io.sandbox4j.install;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletionException;
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

	private final String run;

	private final SandboxProcess process;

	private final OutputTail tail = new OutputTail();

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
		catch (CompletionException ex) {
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

	void cancel(String reason) {
		this.process.cancel(reason);
	}

}
