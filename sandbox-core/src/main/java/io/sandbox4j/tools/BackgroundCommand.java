package io.sandbox4j.tools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.sandbox4j.ExecResult;
import io.sandbox4j.SandboxProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A command that runs while its model does other things. A thread for each stream reads
 * what it prints, and ends with it: without them it would stand still after 64 KiB.
 */
final class BackgroundCommand {

	private static final Logger logger = LoggerFactory.getLogger(BackgroundCommand.class);

	private static final int BUFFER = 8192;

	private static final Duration GRACE = Duration.ofSeconds(2);

	private static final Duration SETTLEMENT = Duration.ofSeconds(10);

	private final String executable;

	private final SandboxProcess process;

	private final OutputRing stdout;

	private final OutputRing stderr;

	private final CompletableFuture<ExecResult> end;

	BackgroundCommand(String executable, SandboxProcess process, int capacity) {
		this.executable = executable;
		this.process = process;
		this.stdout = new OutputRing(capacity);
		this.stderr = new OutputRing(capacity);
		this.end = process.onExit();
	}

	/**
	 * Begins to read. If that fails the command is killed: it would run unseen.
	 */
	void begin() {
		boolean begun = false;
		try {
			drain(this.process.stdout(), this.stdout, "stdout");
			drain(this.process.stderr(), this.stderr, "stderr");
			this.process.stdin().close();
			begun = true;
		}
		catch (IOException ex) {
			// Nothing is lost: it ended before it could read.
			logger.debug("The input of a command cannot be closed", ex);
			begun = true;
		}
		finally {
			if (!begun) {
				this.process.close();
			}
		}
	}

	private void drain(InputStream stream, OutputRing ring, String name) {
		Thread thread = new Thread(() -> copy(stream, ring), "sandbox-tool-" + name + "-" + this.process.id());
		thread.setDaemon(true);
		thread.start();
	}

	private void copy(InputStream stream, OutputRing ring) {
		byte[] buffer = new byte[BUFFER];
		try (stream) {
			for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
				ring.write(buffer, 0, count);
			}
		}
		catch (IOException ex) {
			logger.debug("The output of a command cannot be read", ex);
		}
		finally {
			ring.end();
		}
	}

	String id() {
		return this.process.id();
	}

	boolean isRunning() {
		return !this.end.isDone();
	}

	/**
	 * Writes what is new, and whether it still runs.
	 * @param budget how many bytes of both streams together
	 * @param output where to write it
	 */
	synchronized void writeNew(int budget, ObjectNode output) {
		// Asked first: what comes between is answered by the next call.
		boolean ended = this.end.isDone() && this.stdout.isEnded() && this.stderr.isEnded();
		writeStatus(ended, output);
		int half = Math.max(budget / 2, budget - this.stdout.available());
		OutputRing.Piece err = this.stderr.take(Math.min(half, this.stderr.available()));
		OutputRing.Piece out = this.stdout.take(budget - err.bytes().length);
		output.put("stdout", new String(out.bytes(), StandardCharsets.UTF_8));
		output.put("stderr", new String(err.bytes(), StandardCharsets.UTF_8));
		if (out.omitted() + err.omitted() > 0) {
			output.put("omittedBytes", out.omitted() + err.omitted());
		}
		output.put("more", this.stdout.available() + this.stderr.available() > 0);
	}

	/**
	 * Ends the command and waits until it has ended.
	 * @param output where to write how it ended
	 * @throws InterruptedException if the thread is interrupted; the command ends anyway
	 */
	void stop(ObjectNode output) throws InterruptedException {
		try {
			// Not the future that this returns: it can be there before the one that is
			// asked.
			this.process.stop(GRACE);
			this.end.get(GRACE.plus(SETTLEMENT).toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("A command did not end as it should", ex);
		}
		writeStatus(this.end.isDone(), output);
	}

	private void writeStatus(boolean ended, ObjectNode output) {
		output.put("command", id());
		output.put("executable", this.executable);
		if (!ended) {
			output.put("status", "running");
		}
		else if (this.end.isCompletedExceptionally()) {
			output.put("status", "failed");
			output.put("reason", "The sandbox of the command could not be built.");
		}
		else {
			CommandReport.writeEnd(this.end.join(), "status", output);
		}
	}

}
