package io.sandbox4j.store.jdbc;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.checkpoint.Checkpoint;
import io.sandbox4j.checkpoint.Retention;
import io.sandbox4j.install.InstallState;
import io.sandbox4j.install.Installs;
import io.sandbox4j.run.DurableSandbox;
import io.sandbox4j.run.RunStore;

/**
 * A whole application that does this and that until it is killed, and says what a call
 * returned.
 */
public final class ApplicationChild {

	private final Application application;

	private final String name;

	private final Random random;

	private final Map<String, Installs> installs = new HashMap<>();

	private int count;

	private ApplicationChild(Application application, String name) {
		this.application = application;
		this.name = name;
		this.random = new Random(name.hashCode());
	}

	// Arguments: directory, runtime directory, name, database.
	public static void main(String[] args) {
		RunningChild.endWithTheTest();
		RunStore store = ChildDatabase.of(List.of(args).subList(3, args.length)).applicationBuilder().build();
		Application application = new Application(Path.of(args[0]), Path.of(args[1]), store, ApplicationChild::say);
		RunningChild running = new RunningChild(application.runs(), args[2]);
		ApplicationChild child = new ApplicationChild(application, args[2]);
		System.out.println("open");
		while (true) {
			for (int i = 0; i < 2; i++) {
				running.step();
			}
			child.step();
		}
	}

	private static void say(Checkpoint checkpoint) {
		System.out.println("captured " + checkpoint.lineage() + " " + checkpoint.id());
	}

	private void step() {
		DurableSandbox sandbox = this.application.runs().sandbox("s" + this.random.nextInt(RunningChild.SANDBOXES));
		try {
			switch (this.random.nextInt(12)) {
				case 0, 1, 2 -> sandbox.use(this::capture);
				case 3, 4 -> sandbox.use(this::install);
				case 5 -> release(sandbox);
				case 6 -> sandbox.use(this::collect);
				default -> {
					// Turns go on meanwhile.
				}
			}
		}
		catch (SandboxException ex) {
			if (ex.code() != ErrorCode.SANDBOX_STOPPED && ex.code() != ErrorCode.SANDBOX_BUSY) {
				throw ex;
			}
		}
	}

	private Void capture(SandboxSession session) {
		say(this.application.checkpoints().capture(this.application.handle(session.id())));
		return null;
	}

	private Void collect(SandboxSession session) {
		this.application.checkpoints().retain(session.id(), Retention.keepLast(2));
		this.application.checkpoints().collect();
		return null;
	}

	private Void install(SandboxSession session) {
		Installs own = this.installs.computeIfAbsent(session.id(), (id) -> this.application.installs(session));
		String which = this.name + "-" + this.count++;
		System.out.println("installing " + session.id() + " " + which);
		session.files().writeText("package.json", "{\"which\":\"" + which + "\"}");
		InstallState state = own.start(".", Application.REPOSITORY);
		while (state instanceof InstallState.Running) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
			state = own.state(".");
		}
		if (!(state instanceof InstallState.Done)) {
			throw new IllegalStateException(state.toString());
		}
		System.out.println("installed " + session.id() + " " + which);
		return null;
	}

	// The next use has another session object.
	private void release(DurableSandbox sandbox) {
		String session = sandbox.ensureRunning();
		if (sandbox.release().released()) {
			Installs own = this.installs.remove(session);
			if (own != null) {
				own.close();
			}
		}
	}

}
