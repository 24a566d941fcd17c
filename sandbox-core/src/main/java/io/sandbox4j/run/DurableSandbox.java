package io.sandbox4j.run;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.FileEntry;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * One durable sandbox: its files, and the runs of an agent in them. Its session starts
 * when it is needed and stops when it is not; files and records outlive both, and the
 * application. Thread-safe.
 *
 * @since 0.1.0
 */
public final class DurableSandbox {

	private static final int MAX_TEXT = 1 << 20;

	private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

	// Another application's writes are not signalled here.
	private static final Duration LOOK = Duration.ofMillis(200);

	private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);

	private final String key;

	private final RunSettings settings;

	private final RunLedger ledger;

	private final Signals signals;

	private final Turns turns;

	private final LiveSandbox live;

	private final Runnable forget;

	DurableSandbox(String key, RunSettings settings, RunLedger ledger, Signals signals, Turns turns, LiveSandbox live,
			Runnable forget) {
		this.key = key;
		this.settings = settings;
		this.ledger = ledger;
		this.signals = signals;
		this.turns = turns;
		this.live = live;
		this.forget = forget;
	}

	/**
	 * Returns the key.
	 * @return the key
	 */
	public String key() {
		return this.key;
	}

	/**
	 * Sees that the session runs and is prepared.
	 * @return the session's id, which changes when the session was lost
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if another application has
	 * it, otherwise as {@link io.sandbox4j.SandboxBackend#create}
	 */
	public String ensureRunning() {
		return use(SandboxSession::id);
	}

	/**
	 * Works with the session, which is started if it does not run, and is not stopped for
	 * being idle meanwhile.
	 * @param <T> what the work returns
	 * @param work the work; the session is of no use after it
	 * @return what the work returned
	 * @throws SandboxException as {@link #ensureRunning()}
	 */
	public <T extends @Nullable Object> T use(Function<SandboxSession, T> work) {
		SandboxSession session = this.live.enter();
		try {
			return work.apply(session);
		}
		finally {
			this.live.leave();
		}
	}

	/**
	 * Runs a command. Its variables win over those of the runs, and those of the network
	 * rules over both.
	 * @param command the command
	 * @return what it did
	 * @throws SandboxException as {@link SandboxSession#run} and {@link #ensureRunning()}
	 */
	public ExecResult exec(ExecSpec command) {
		return use((session) -> session.run(this.settings.environment().applyTo(command)));
	}

	/**
	 * Reads a file.
	 * @param path the file
	 * @return its bytes, empty if there is no such file
	 * @throws SandboxException as {@link SandboxFiles#read}, but for one that is absent
	 */
	public Optional<byte[]> read(String path) {
		return present((files) -> files.read(path));
	}

	/**
	 * Tells of a file or directory.
	 * @param path its path
	 * @return what it is, empty if there is none
	 * @throws SandboxException as {@link SandboxFiles#stat}, but for one that is absent
	 */
	public Optional<FileEntry> stat(String path) {
		return present((files) -> files.stat(path));
	}

	/**
	 * Lists a directory.
	 * @param path the directory
	 * @return what is in it, empty if there is no such directory
	 * @throws SandboxException as {@link SandboxFiles#list}, but for one that is absent
	 */
	public Optional<List<FileEntry>> list(String path) {
		return present((files) -> files.list(path));
	}

	private <T> Optional<T> present(Function<SandboxFiles, T> work) {
		return use((session) -> {
			try {
				return Optional.of(work.apply(session.files()));
			}
			catch (SandboxException ex) {
				if (ex.code() == ErrorCode.SANDBOX_NOT_FOUND) {
					return Optional.empty();
				}
				throw ex;
			}
		});
	}

	/**
	 * Makes a run, or finds the one that was made so.
	 * @param spec what to make
	 * @return the run
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if the run that it
	 * comes from is not of this sandbox, {@link ErrorCode#SANDBOX_STATE_MISMATCH} if that
	 * one is elsewhere in the workspace, or the id is of a run that was made otherwise
	 */
	public RunCreation createRun(RunSpec spec) {
		this.live.touch();
		return this.ledger.createRun(this.key, spec, relative(spec.cwd()));
	}

	private static String relative(String directory) {
		WorkspacePath path = directory.isEmpty() ? null : WorkspacePath.parse(directory);
		return (path == null || path.isRoot()) ? "" : path.relative();
	}

	/**
	 * Submits a turn. Whoever submits the same id again gets the same operation, also one
	 * that is settled; after a loss it takes a new id to try again.
	 * @param run the run's id
	 * @param operation the operation's id, 1 to 128 printable ASCII characters without
	 * blanks, unique within the run
	 * @param text what is asked, at most 1 MiB
	 * @return the operation, which is kept from now on
	 * @throws SandboxException {@link ErrorCode#SANDBOX_STOPPED} if the run was stopped,
	 * {@link ErrorCode#SANDBOX_NOT_FOUND} if there is no such run,
	 * {@link ErrorCode#SANDBOX_INVALID} if the id is of another text
	 */
	public Submission submit(String run, String operation, String text) {
		Ids.require("operation", operation);
		if (text.length() > MAX_TEXT) {
			throw new SandboxException(ErrorCode.SANDBOX_LIMIT,
					"'text' may have " + MAX_TEXT + " characters at most. Put the rest into a file.");
		}
		this.live.touch();
		Submission submission = this.ledger.submit(this.key, run, operation, text);
		if (!submission.operation().isSettled()) {
			this.turns.dispatch(this.key, run);
		}
		return submission;
	}

	/**
	 * Asks where an operation stands.
	 * @param run the run's id
	 * @param operation the operation's id
	 * @param patience how long to wait for its end, at most 10 minutes; zero to ask only
	 * @param from the index of the first message wanted
	 * @return where it stands
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is no such
	 * operation, {@link ErrorCode#SANDBOX_BUSY} if the thread is interrupted
	 */
	public PollResult poll(String run, String operation, Duration patience, int from) {
		if (from < 0 || patience.isNegative() || patience.compareTo(LONGEST_WAIT) > 0) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'from' must not be negative, and 'patience' must be between 0 and 10 minutes.");
		}
		long end = System.nanoTime() + patience.toNanos();
		try (Signals.Waiting waiting = this.signals.await(this.key)) {
			PollResult result = look(run, operation, from);
			for (long left = patience.toNanos(); !result.operation().isSettled()
					&& left > 0; left = end - System.nanoTime()) {
				waiting.await(Duration.ofNanos(Math.min(left, LOOK.toNanos())));
				result = look(run, operation, from);
			}
			return result;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SandboxException(ErrorCode.SANDBOX_BUSY, "The call was interrupted while it waited.", ex);
		}
	}

	private PollResult look(String run, String operation, int from) {
		return this.settings.store().read((view) -> {
			OperationRecord record = view.operation(this.key, run, operation);
			if (record == null) {
				throw RunLedger.notFound("operation");
			}
			List<MessageRecord> messages = view.messages(this.key, run, operation, from, RunView.MAX_PAGE);
			return new PollResult(record, messages, from + messages.size());
		});
	}

	/**
	 * Ends a run: it takes no more turns, those that were not begun are settled, and
	 * those that run are ended. When this returns {@code true} nothing of them runs any
	 * more. The conversation may go on in a run that continues it.
	 * @param run the run's id
	 * @return {@code false} if something of it could not be ended within a minute
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is no such
	 * run
	 */
	public boolean stopRun(String run) {
		this.ledger.stop(this.key, run);
		long end = System.nanoTime() + STOP_PATIENCE.toNanos();
		try (Signals.Waiting waiting = this.signals.await(this.key)) {
			this.turns.abort(this.key, run).get(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
			while (isRunning(run)) {
				// In another application, which looks for what was stopped.
				if (System.nanoTime() > end) {
					return false;
				}
				waiting.await(LOOK);
			}
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private boolean isRunning(String run) {
		return this.settings.store().read((view) -> view.hasUnsettled(this.key, run));
	}

	/**
	 * Returns events, the oldest first.
	 * @param after only those with a greater number; 0 for the first page
	 * @param limit how many at most, 1 to {@link RunView#MAX_PAGE}
	 * @return the events
	 */
	public List<RunEvent> events(long after, int limit) {
		return this.settings.store().read((view) -> view.events(this.key, after, limit));
	}

	/**
	 * Gives each event to a listener, one after the other and none twice, on a thread of
	 * its own. While the store cannot be reached events wait there.
	 * @param after only those with a greater number; 0 for all that ever were
	 * @param listener takes them; if it throws it gets no more
	 * @return to be closed; no event is given afterwards
	 */
	public RunSubscription subscribe(long after, Consumer<RunEvent> listener) {
		return RunSubscription.start(this, this.signals.await(this.key), after, listener);
	}

	/**
	 * Stops the session if nothing works in it. Its files stay.
	 * @return whether it does not run any more
	 */
	public Release release() {
		boolean waits = this.settings.store().read((view) -> view.hasUnsettled(this.key));
		String reason = waits ? "An operation is not settled." : this.live.stopIfUnused(Duration.ZERO);
		return new Release(reason.isEmpty(), reason);
	}

	/**
	 * Notes where work is.
	 * @param directory the directory, relative to the workspace
	 * @param kind what is there
	 * @param repository the repository, {@code null} if it is not known
	 * @return what was noted, and whether it can be seen
	 */
	public Checkout noteCheckout(String directory, CheckoutRecord.Kind kind, @Nullable String repository) {
		CheckoutRecord record = new CheckoutRecord(relative(directory), kind, repository, this.ledger.now());
		this.ledger.note(this.key, record);
		return new Checkout(record, use((session) -> isPresent(session, record)));
	}

	/**
	 * Returns where work was noted last, starts nothing and counts as no use. While the
	 * session runs, one that is not there is left out.
	 * @return the directory, relative to the workspace
	 */
	public Optional<String> checkoutDirectory() {
		SandboxSession session = this.live.session();
		return this.settings.store()
			.read((view) -> view.checkouts(this.key))
			.stream()
			.filter((checkout) -> session == null || isPresent(session, checkout))
			.map(CheckoutRecord::directory)
			.findFirst();
	}

	private static boolean isPresent(SandboxSession session, CheckoutRecord checkout) {
		String wanted = (checkout.kind() == CheckoutRecord.Kind.REPOSITORY) ? ".git" : ".";
		return session.files().exists(checkout.directory().isEmpty() ? wanted : checkout.directory() + "/" + wanted);
	}

	/**
	 * Empties the sandbox if nobody has used it for long: session, files, runs and
	 * records are gone, only events stay.
	 * @param minIdle for how long nobody may have used it
	 * @return whether it is gone. This object is of no more use then; get it anew
	 */
	public Reclaim reclaimIfIdle(Duration minIdle) {
		SandboxRecord record = this.settings.store().read((view) -> view.sandbox(this.key));
		if (record == null) {
			return new Reclaim(false, this.live.idle());
		}
		Duration stored = Duration.between(record.used(), this.settings.clock().instant());
		Duration idle = (stored.compareTo(this.live.idle()) < 0) ? stored : this.live.idle();
		boolean waits = this.settings.store().read((view) -> view.hasUnsettled(this.key));
		if (waits || idle.compareTo(minIdle) < 0
				|| !this.live.deleteIfUnused(() -> this.ledger.deleteIfSettled(this.key))) {
			return new Reclaim(false, idle);
		}
		this.forget.run();
		return new Reclaim(true, idle);
	}

	/**
	 * Ends every turn and gives the sandbox a fresh workspace. Runs and records stay.
	 * This object is of no more use then; get it anew.
	 * @param secret what {@link SandboxRunsBuilder#debugSecret} was told
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} for another secret, or
	 * if none was told
	 */
	public void reset(String secret) {
		requireSecret(secret);
		endTurns();
		this.live.delete();
		this.ledger.state(this.key, null, false, "sandbox/reset");
		this.forget.run();
	}

	/**
	 * Ends every turn and empties the sandbox, as {@link #reclaimIfIdle} does.
	 * @param secret what {@link SandboxRunsBuilder#debugSecret} was told
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} for another secret, or
	 * if none was told
	 */
	public void destroy(String secret) {
		requireSecret(secret);
		endTurns();
		this.live.delete();
		this.ledger.delete(this.key);
		this.forget.run();
	}

	// An agent that does not end has no commands any more, and can start none.
	private void endTurns() {
		this.turns.abortAll(this.key)
			.orTimeout(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
			.exceptionally((ex) -> null)
			.join();
	}

	private void requireSecret(String secret) {
		byte[] expected = this.settings.debugSecret();
		if (expected.length == 0 || !MessageDigest.isEqual(expected, secret.getBytes(StandardCharsets.UTF_8))) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "That is not the secret of these operations.");
		}
	}

	/**
	 * Names the key.
	 */
	@Override
	public String toString() {
		return "DurableSandbox[key=" + this.key + "]";
	}

}
