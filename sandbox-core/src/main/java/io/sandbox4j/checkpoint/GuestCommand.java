package io.sandbox4j.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxSession;

/**
 * A command inside the sandbox that reads or writes the workspace. Its text is constant,
 * its programs are the host's, and it sees nothing that the agent set.
 */
final class GuestCommand implements AutoCloseable {

	static final int CHANGED = 11;

	static final int NOT_EMPTY = 13;

	private static final int MAX_ERRORS = 2048;

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Executor STREAMS = (task) -> {
		Thread thread = new Thread(task, "sandbox-checkpoint-stream");
		thread.setDaemon(true);
		thread.start();
	};

	private final SandboxProcess process;

	private final NulReader output;

	private final CompletableFuture<String> errors;

	private CompletableFuture<?> sending = CompletableFuture.completedFuture("");

	GuestCommand(SandboxSession session, Duration timeout, String script, String... args) {
		List<String> words = new ArrayList<>(List.of("-c", script, "sandbox4j-checkpoint"));
		words.addAll(List.of(args));
		requireQuiet(session, 0);
		this.process = session.start(ExecSpec.of("/bin/sh", words)
			.withEnvironment(Map.of("PATH", "/usr/bin:/bin", "HOME", "/nonexistent", "LC_ALL", "C", "TAR_OPTIONS", "",
					"TZ", "UTC"))
			.withTimeout(timeout));
		this.output = new NulReader(this.process.stdout());
		this.errors = CompletableFuture.supplyAsync(() -> text(this.process.stderr()), STREAMS);
		try {
			requireQuiet(session, 1);
		}
		catch (SandboxException ex) {
			close();
			throw ex;
		}
	}

	static void requireQuiet(SandboxSession session, int own) {
		if (session.admission().active() > own) {
			throw Failures.busy("A command runs in the sandbox. Wait for its end, or stop it, and call again.");
		}
	}

	NulReader output() {
		return this.output;
	}

	/**
	 * Writes the command's input while its output is read.
	 * @param writer writes it
	 */
	void send(Writer writer) {
		this.sending = CompletableFuture.runAsync(() -> {
			// A command that ends early says why by its status, not by a broken pipe.
			try (OutputStream input = this.process.stdin()) {
				writer.write(input);
			}
			catch (IOException ex) {
				return;
			}
		}, STREAMS);
	}

	/**
	 * Waits for the end and throws if it was no success.
	 * @param what what the command did, for the message
	 */
	void finish(String what) {
		try {
			this.output.transferTo(OutputStream.nullOutputStream());
		}
		catch (IOException ex) {
			// The status says why.
		}
		try {
			this.sending.join();
		}
		catch (CompletionException ex) {
			this.process.close();
			throw (ex.getCause() instanceof SandboxException known) ? known : ex;
		}
		check(this.process.onExit().join(), what);
	}

	// The output made no sense: the status may say why.
	SandboxException failed(IOException cause, String what) {
		finish(what);
		return new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
				"The workspace could not be " + what + ": the sandbox answered what cannot be read. Nothing was kept.",
				cause);
	}

	private void check(ExecResult result, String what) {
		if (result.succeeded()) {
			return;
		}
		String said = this.errors.join().strip();
		if (result.status() == ExecStatus.TIMED_OUT) {
			throw Failures.limit("The workspace was not " + what + " within the 'timeout'. Raise it.");
		}
		if (result.status() == ExecStatus.STOPPED || result.status() == ExecStatus.CANCELLED) {
			throw new SandboxException(ErrorCode.SANDBOX_STOPPED,
					"The workspace was not " + what + ": the sandbox was stopped meanwhile.");
		}
		if (result.exitCode() == CHANGED || said.contains("No such file or directory")) {
			throw Failures.busy("The workspace changed while it was " + what + ". Call again when nothing writes it.");
		}
		if (result.exitCode() == NOT_EMPTY) {
			throw Failures.mismatch("The workspace is not empty, so that nothing was restored. "
					+ "Use a template without files, or restore with 'replace'.");
		}
		if (result.exitCode() == 127 || said.contains("-printf")) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"The sandbox lacks GNU find or GNU tar, which checkpoints need. "
							+ "Install 'findutils' and 'tar' on the host: the sandbox sees its programs.");
		}
		ErrorCode code = said.contains("No space left") ? ErrorCode.SANDBOX_LIMIT : ErrorCode.SANDBOX_STATE_MISMATCH;
		String remedy = said.contains("Permission denied")
				? " Make it readable for its owner inside the sandbox (chmod u+rX), or remove it." : "";
		throw new SandboxException(code,
				"The workspace could not be " + what + ", " + result.status() + ": " + said + remedy);
	}

	private static String text(InputStream stream) {
		try (InputStream input = stream) {
			ByteArrayOutputStream kept = new ByteArrayOutputStream();
			byte[] buffer = new byte[4096];
			for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
				kept.write(buffer, 0, Math.min(count, MAX_ERRORS - Math.min(kept.size(), MAX_ERRORS)));
			}
			return kept.toString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			return "";
		}
	}

	// Its slot is free afterwards, for whatever mends what it left.
	@Override
	public void close() {
		this.process.close();
		try {
			this.process.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			// The slot tells the next one.
			return;
		}
	}

	/**
	 * Writes the input of a command.
	 */
	interface Writer {

		/**
		 * Writes it.
		 * @param input where it goes
		 * @throws IOException if the command does not read on
		 */
		void write(OutputStream input) throws IOException;

	}

}
