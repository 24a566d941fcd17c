package io.sandbox4j.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxSession;

/**
 * The session as one turn has it. It knows the commands that the turn started, so that
 * they, and no others, end with it.
 */
final class TurnSession implements SandboxSession {

	private static final long PATIENCE_SECONDS = 30;

	private final SandboxSession session;

	private final CommandEnvironment environment;

	private final String cwd;

	// Its interrupt stays set: it is the agent that is to end, not one command.
	private final Thread agent = Thread.currentThread();

	private final Set<SandboxProcess> started = ConcurrentHashMap.newKeySet();

	private final Set<Collected> collected = ConcurrentHashMap.newKeySet();

	private volatile boolean ended;

	TurnSession(SandboxSession session, CommandEnvironment environment, String cwd) {
		this.session = session;
		this.environment = environment;
		this.cwd = cwd;
	}

	/**
	 * Refuses commands from now on and kills those that run. Waits for none.
	 * @return completes when they are gone
	 */
	CompletableFuture<Void> kill() {
		this.ended = true;
		List<CompletableFuture<?>> ends = new ArrayList<>();
		for (Collected command : this.collected) {
			command.kill();
			ends.add(command.done);
		}
		for (SandboxProcess process : this.started) {
			ends.add(process.cancel("The turn has ended."));
		}
		return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
	}

	/**
	 * Kills what runs, and waits until it is gone.
	 */
	void end() {
		kill().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).exceptionally((ex) -> null).join();
	}

	@Override
	public String id() {
		return this.session.id();
	}

	@Override
	public String resolvePath(String path) {
		return open().resolvePath(path);
	}

	@Override
	public ExecResult run(ExecSpec command) {
		Thread caller = Thread.currentThread();
		Collected running = new Collected(caller, caller != this.agent);
		this.collected.add(running);
		try {
			return open().run(described(command));
		}
		finally {
			running.finish();
			this.collected.remove(running);
		}
	}

	@Override
	public SandboxProcess start(ExecSpec command) {
		SandboxProcess process = open().start(described(command));
		this.started.add(process);
		process.onExit().whenComplete((result, failure) -> this.started.remove(process));
		if (this.ended) {
			process.cancel("The turn has ended.");
		}
		return process;
	}

	private ExecSpec described(ExecSpec command) {
		ExecSpec placed = (command.cwd().isRoot() && !this.cwd.isEmpty()) ? command.withCwd(this.cwd) : command;
		return this.environment.applyTo(placed);
	}

	@Override
	public SandboxFiles files() {
		return open().files();
	}

	@Override
	public NetworkPolicy networkPolicy() {
		return open().networkPolicy();
	}

	@Override
	public void setNetworkPolicy(NetworkPolicy policy) {
		throw new SandboxException(ErrorCode.SANDBOX_INVALID,
				"The network policy is that of all turns of the sandbox, so a turn cannot set it.");
	}

	@Override
	public Set<Restriction> restrictions() {
		return open().restrictions();
	}

	@Override
	public AdmissionStatus admission() {
		return open().admission();
	}

	private SandboxSession open() {
		if (this.ended) {
			throw new SandboxException(ErrorCode.SANDBOX_STOPPED, "The turn has ended, and its session with it.");
		}
		return this.session;
	}

	@Override
	public String toString() {
		return "TurnSession[id=" + id() + "]";
	}

	/**
	 * A command that a thread waits for. An interrupt of the thread kills it.
	 */
	private static final class Collected {

		private final Thread thread;

		private final boolean goesOn;

		private final CompletableFuture<Void> done = new CompletableFuture<>();

		private boolean finished;

		private boolean killed;

		Collected(Thread thread, boolean goesOn) {
			this.thread = thread;
			this.goesOn = goesOn;
		}

		synchronized void kill() {
			if (!this.finished) {
				this.killed = true;
				this.thread.interrupt();
			}
		}

		// The interrupt was meant for the command, not for whatever the thread does next.
		synchronized void finish() {
			this.finished = true;
			if (this.killed && this.goesOn) {
				Thread.interrupted();
			}
			this.done.complete(null);
		}

	}

}
