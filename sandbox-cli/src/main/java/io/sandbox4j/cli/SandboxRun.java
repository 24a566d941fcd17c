package io.sandbox4j.cli;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One command from its sandbox's creation to its removal. {@link #close()} may come from
 * another thread at any moment, and is over when nothing is left.
 */
final class SandboxRun implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(SandboxRun.class);

	private static final int TIMED_OUT = 124;

	/**
	 * As of a program that SIGPIPE ended.
	 */
	private static final int OUTPUT_CLOSED = 141;

	private final RunOptions options;

	private final PrintStream err;

	private final Object lock = new Object();

	private boolean closed;

	private @Nullable RunDirectory directory;

	private @Nullable BubblewrapBackend backend;

	private volatile boolean outputClosed;

	SandboxRun(RunOptions options, PrintStream err) {
		this.options = options;
		this.err = err;
	}

	/**
	 * Runs the command.
	 * @param temporary where its files go
	 * @return the exit code
	 * @throws IOException if the temporary directory cannot be made
	 */
	int execute(Path temporary) throws IOException {
		BubblewrapBackend opened = open(temporary);
		// Before the copy: a host without sandboxes should say so at once.
		opened.isolation();
		try (SandboxHandle sandbox = createSandbox(opened)) {
			SeededRepository repository = seed(sandbox.session());
			ExecResult result;
			try (SandboxProcess process = sandbox.session().start(command())) {
				result = attend(process);
			}
			if (this.options.report()) {
				new IsolationReport(opened.isolation(), sandbox.session().restrictions(), this.options.network())
					.print(this.err);
			}
			int exitCode = exitCode(result);
			return (repository != null) ? finish(repository, exitCode) : exitCode;
		}
	}

	private @Nullable SeededRepository seed(SandboxSession session) throws IOException {
		if (!this.options.git()) {
			return null;
		}
		return SeededRepository.seed(session, repositoryRoot(), directory().resolve("transport"), this.err);
	}

	private Path repositoryRoot() throws IOException {
		return SeededRepository.rootOf(this.options.directory().toRealPath());
	}

	private ExecSpec command() throws IOException {
		List<String> command = this.options.command();
		ExecSpec spec = ExecSpec.of(command.get(0), command.subList(1, command.size()))
			.withTimeout(this.options.timeout());
		if (this.options.git()) {
			String below = repositoryRoot().relativize(this.options.directory().toRealPath()).toString();
			return below.isEmpty() ? spec : spec.withCwd(below);
		}
		return spec;
	}

	private int finish(SeededRepository repository, int exitCode) {
		boolean changed = repository.show();
		if (!changed || this.options.source() != RunOptions.Source.GIT_APPLY) {
			return exitCode;
		}
		if (exitCode != 0) {
			this.err.println("sandbox: Nothing was applied, as the command failed with exit code " + exitCode + ".");
			return exitCode;
		}
		return repository.apply() ? exitCode : SandboxCommand.FAILED;
	}

	private Path directory() throws IOException {
		synchronized (this.lock) {
			if (this.directory == null || this.closed) {
				throw new IOException("The run was ended before its command began");
			}
			return this.directory.path();
		}
	}

	private BubblewrapBackend open(Path temporary) throws IOException {
		synchronized (this.lock) {
			if (this.closed) {
				throw new IOException("The run was ended before it began");
			}
			RunDirectory made = RunDirectory.create(temporary.toRealPath());
			this.directory = made;
			BubblewrapBackend opened = BubblewrapBackend.builder()
				.stateDirectory(made.path().resolve("state"))
				.runtimeDirectory(made.path().resolve("run"))
				.build();
			this.backend = opened;
			return opened;
		}
	}

	private SandboxHandle createSandbox(BubblewrapBackend opened) {
		NetworkPolicy network = this.options.network();
		if (this.options.source() == RunOptions.Source.IN_PLACE) {
			return opened.createInPlace(this.options.directory(), network);
		}
		SandboxTemplate.Builder template = SandboxTemplate.named("run");
		if (!this.options.git()) {
			template.directory(this.options.directory());
		}
		PreparedTemplate prepared = opened.prewarm(template.build());
		return opened.create(SandboxRequest.from(prepared).network(network).build());
	}

	private ExecResult attend(SandboxProcess process) {
		Thread input = new Thread(() -> forwardInput(process.stdin()), "sandbox-stdin");
		// A read from a terminal cannot be interrupted; it must not keep the process
		// alive.
		input.setDaemon(true);
		input.start();
		Thread output = pump(process, process.stdout(), FileDescriptor.out, "sandbox-stdout");
		Thread error = pump(process, process.stderr(), FileDescriptor.err, "sandbox-stderr");
		try {
			ExecResult result = process.onExit().join();
			output.join();
			error.join();
			return result;
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof SandboxException failure) ? failure : ex;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return process.cancel("the run was interrupted").join();
		}
	}

	private static void forwardInput(OutputStream stdin) {
		try (stdin; InputStream own = new FileInputStream(FileDescriptor.in)) {
			byte[] buffer = new byte[8192];
			for (int read = own.read(buffer); read >= 0; read = own.read(buffer)) {
				stdin.write(buffer, 0, read);
				stdin.flush();
			}
		}
		catch (IOException ex) {
			logger.debug("The program stopped reading, or there is no standard input", ex);
		}
	}

	private Thread pump(SandboxProcess process, InputStream source, FileDescriptor target, String name) {
		Thread thread = new Thread(() -> {
			try (source) {
				// Unbuffered and without the byte counting of PrintStream: each piece is
				// passed
				// on as it comes.
				source.transferTo(new FileOutputStream(target));
			}
			catch (IOException ex) {
				logger.debug("Nobody reads the output any more", ex);
				this.outputClosed = true;
				process.cancel("nobody reads the output any more");
			}
		}, name);
		thread.start();
		return thread;
	}

	private int exitCode(ExecResult result) {
		return switch (result.status()) {
			case EXITED, SIGNALLED -> result.exitCode();
			case TIMED_OUT -> {
				this.err.println("sandbox: The command did not end within " + seconds(this.options.timeout())
						+ " s and was killed.");
				yield TIMED_OUT;
			}
			case LAUNCH_FAILED, RESOURCE_LIMIT -> {
				this.err.println("sandbox: " + result.reason());
				yield result.exitCode();
			}
			case OUTPUT_LIMIT, STOPPED, CANCELLED -> (this.outputClosed) ? OUTPUT_CLOSED : result.exitCode();
		};
	}

	private static String seconds(Duration duration) {
		return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
	}

	/**
	 * Kills what runs and removes every file of the run.
	 */
	@Override
	public void close() {
		synchronized (this.lock) {
			if (this.closed) {
				return;
			}
			this.closed = true;
			if (this.backend != null && !stopped(this.backend)) {
				// Its files may still be written to. The next run removes them.
				return;
			}
			if (this.directory != null) {
				this.directory.close();
			}
		}
	}

	private boolean stopped(BubblewrapBackend running) {
		try {
			running.close();
			return true;
		}
		catch (SandboxException ex) {
			this.err.println("sandbox: " + ex.getMessage());
			return false;
		}
	}

}
