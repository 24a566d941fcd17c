package io.sandbox4j.git;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxSession;

/**
 * What is run once in a workspace that was just seeded. How much a command prints is no
 * reason to end it; the last of it is kept.
 */
final class SetupCommands {

	private static final int KEPT = 4096;

	private final SandboxSession session;

	private final List<ExecSpec> commands;

	SetupCommands(SandboxSession session, List<ExecSpec> commands) {
		this.session = session;
		this.commands = commands;
	}

	void run() {
		this.commands.forEach(this::run);
	}

	private void run(ExecSpec command) {
		Tail tail = new Tail();
		try (SandboxProcess process = this.session.start(command)) {
			CompletableFuture<Void> output = CompletableFuture.allOf(
					CompletableFuture.runAsync(() -> tail.read(process.stdout()), GitCommand.STREAMS),
					CompletableFuture.runAsync(() -> tail.read(process.stderr()), GitCommand.STREAMS));
			close(process);
			ExecResult result = end(process);
			output.get();
			if (!result.succeeded()) {
				throw new SetupFailedException(command.executable(), result, CommitText.shown(tail.text()));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SandboxException(ErrorCode.SANDBOX_BUSY,
					"The call was interrupted during the setup. Call 'seed' again: it begins anew.", ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static ExecResult end(SandboxProcess process) throws InterruptedException, ExecutionException {
		try {
			return process.onExit().get();
		}
		catch (InterruptedException ex) {
			// Whoever calls again must not find this command still running.
			process.cancel("The thread that waited for the setup was interrupted.")
				.handle((result, failure) -> result)
				.join();
			throw ex;
		}
	}

	// It may have ended already.
	private static void close(SandboxProcess process) {
		try {
			process.stdin().close();
		}
		catch (IOException ex) {
			return;
		}
	}

	/**
	 * The last bytes of two streams, as they came.
	 */
	private static final class Tail {

		private final byte[] ring = new byte[KEPT];

		private long count;

		void read(InputStream stream) {
			byte[] buffer = new byte[KEPT];
			try (InputStream input = stream) {
				for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
					add(buffer, read);
				}
			}
			catch (IOException ex) {
				return;
			}
		}

		private synchronized void add(byte[] bytes, int length) {
			for (int i = 0; i < length; i++) {
				this.ring[(int) (this.count++ % KEPT)] = bytes[i];
			}
		}

		synchronized String text() {
			int length = (int) Math.min(this.count, KEPT);
			byte[] last = new byte[length];
			for (int i = 0; i < length; i++) {
				last[i] = this.ring[(int) ((this.count - length + i) % KEPT)];
			}
			return new String(last, StandardCharsets.UTF_8);
		}

	}

}
