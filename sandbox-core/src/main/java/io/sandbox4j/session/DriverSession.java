package io.sandbox4j.session;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.SandboxDriver.Execution;
import io.sandbox4j.SandboxDriver.Exit;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.WorkspacePath;

/**
 * The session of every backend: what it adds to a driver is admission, deadlines, output
 * limits, the stop barrier, text and path rules. Thread-safe.
 *
 * @since 0.1.0
 */
public final class DriverSession implements SandboxSession {

	private static final String STOPPED = "The sandbox was stopped.";

	private final String id;

	private final SandboxDriver driver;

	private final SessionResources resources;

	private final Admission admission;

	private final SandboxFiles files;

	private final Set<RunningCommand> live = ConcurrentHashMap.newKeySet();

	private volatile NetworkPolicy networkPolicy;

	private volatile boolean stopping;

	/**
	 * Creates a session.
	 * @param id the session's id
	 * @param driver the backend's part
	 * @param networkPolicy the policy that the driver starts with
	 * @param limits the session's bounds
	 * @param resources the backend's threads and listener
	 */
	public DriverSession(String id, SandboxDriver driver, NetworkPolicy networkPolicy, SessionLimits limits,
			SessionResources resources) {
		this.id = Objects.requireNonNull(id, "'id' must not be null");
		this.driver = Objects.requireNonNull(driver, "'driver' must not be null");
		this.networkPolicy = Objects.requireNonNull(networkPolicy, "'networkPolicy' must not be null");
		this.resources = resources;
		this.admission = new Admission(limits.maxConcurrentCommands());
		this.files = new SessionFiles(id, driver, limits, resources, this.admission);
	}

	@Override
	public String id() {
		return this.id;
	}

	@Override
	public String resolvePath(String path) {
		return WorkspacePath.parse(path).toString();
	}

	@Override
	public ExecResult run(ExecSpec command) {
		RunningCommand running = start(command, true);
		CompletableFuture<ExecResult> exit = running.onExit();
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return exit.get();
				}
				catch (InterruptedException ex) {
					interrupted = true;
					running.cancel("The thread that waited for the command was interrupted.");
				}
			}
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof SandboxException known) ? known
					: new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, "The command could not be run.", ex);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public SandboxProcess start(ExecSpec command) {
		RunningCommand running = start(command, false);
		SandboxException failure = running.failure();
		if (failure != null) {
			throw failure;
		}
		return running;
	}

	private RunningCommand start(ExecSpec command, boolean collect) {
		Objects.requireNonNull(command, "'command' must not be null");
		long admitted = System.nanoTime();
		Admission.Slot slot = admit();
		RunningCommand running = new RunningCommand(command, collect, admitted);
		this.live.add(running);
		try {
			this.driver.ensureOwned();
			Execution execution = this.driver.start(command, running.output());
			running.attach(execution, collect, this.resources, new EndOfCommand(running, execution, slot));
		}
		catch (RuntimeException ex) {
			this.live.remove(running);
			slot.release();
			if (ex instanceof SandboxException known) {
				refused(known);
			}
			throw ex;
		}
		if (this.stopping) {
			running.end(ExecStatus.STOPPED, STOPPED);
		}
		return running;
	}

	private Admission.Slot admit() {
		try {
			return this.admission.admit();
		}
		catch (SandboxException ex) {
			refused(ex);
			throw ex;
		}
	}

	private void refused(SandboxException reason) {
		this.resources.publish(new SandboxEvent.CommandRefused(this.id, reason.code()));
	}

	@Override
	public SandboxFiles files() {
		return this.files;
	}

	@Override
	public NetworkPolicy networkPolicy() {
		return this.networkPolicy;
	}

	@Override
	public void setNetworkPolicy(NetworkPolicy policy) {
		Objects.requireNonNull(policy, "'policy' must not be null");
		this.admission.exclusively(() -> {
			this.driver.ensureOwned();
			this.driver.setNetworkPolicy(policy);
			this.networkPolicy = policy;
		});
	}

	@Override
	public Set<Restriction> restrictions() {
		return this.driver.restrictions(this.networkPolicy);
	}

	@Override
	public AdmissionStatus admission() {
		return this.admission.status();
	}

	/**
	 * Refuses what comes from now on, with {@link ErrorCode#SANDBOX_STOPPED}. Commands
	 * that live run on.
	 */
	public void close() {
		this.admission.close();
	}

	/**
	 * Waits until no command lives.
	 * @param bound how long at most
	 * @return whether none lives
	 */
	public boolean awaitIdle(Duration bound) {
		return this.admission.awaitIdle(bound);
	}

	/**
	 * Refuses what comes from now on, kills every command and waits for their processes.
	 * @param bound how long at most
	 * @return whether every process is known to be gone
	 */
	public boolean stop(Duration bound) {
		this.admission.close();
		this.stopping = true;
		this.live.forEach((command) -> command.end(ExecStatus.STOPPED, STOPPED));
		return this.admission.awaitIdle(bound);
	}

	/**
	 * Gives the slot back once the processes are gone, and tells the listener.
	 */
	private final class EndOfCommand implements RunningCommand.SessionListener {

		private final RunningCommand running;

		private final Execution execution;

		private final Admission.Slot slot;

		private final AtomicBoolean gone = new AtomicBoolean();

		EndOfCommand(RunningCommand running, Execution execution, Admission.Slot slot) {
			this.running = running;
			this.execution = execution;
			this.slot = slot;
		}

		@Override
		public void ended() {
			this.slot.end();
		}

		@Override
		public void gone(Exit exit) {
			if (!this.gone.compareAndSet(false, true)) {
				return;
			}
			DriverSession.this.live.remove(this.running);
			if (exit.proven()) {
				this.slot.release();
				return;
			}
			this.slot.markUnproven();
			DriverSession.this.resources.publish(new SandboxEvent.CleanupUnproven(DriverSession.this.id));
			this.execution.settled().thenRun(this.slot::release);
		}

		@Override
		public void finished(ExecResult result) {
			DriverSession.this.resources.publish(new SandboxEvent.CommandFinished(DriverSession.this.id,
					this.execution.id(), result.status(), result.duration(), this.execution.isWarm()));
		}

		@Override
		public void failed(SandboxException failure) {
			refused(failure);
		}

	}

}
