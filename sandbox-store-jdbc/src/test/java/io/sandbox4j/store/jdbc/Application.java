package io.sandbox4j.store.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.function.Consumer;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import io.sandbox4j.checkpoint.Checkpoint;
import io.sandbox4j.checkpoint.Checkpoints;
import io.sandbox4j.checkpoint.FileSnapshotStore;
import io.sandbox4j.install.InstallPlan;
import io.sandbox4j.install.InstallStore;
import io.sandbox4j.install.Installs;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.SandboxRuns;
import io.sandbox4j.run.Turn;

/**
 * A whole application: real sandboxes, durable runs, checkpoints and installs, in one
 * directory. Its agent leaves in the workspace what it did.
 */
final class Application implements AutoCloseable {

	static final String REPOSITORY = "owner/repo";

	// A lock of the kernel's tells whether another one runs, whoever started it.
	private static final String INSTALL = "exec 9>lock; flock -n 9 || touch two; mkdir -p node_modules; sleep 0.05; "
			+ "cp package.json node_modules/whole";

	private final BubblewrapBackend backend;

	private final PreparedTemplate template;

	private final Checkpoints checkpoints;

	private final InstallStore installs;

	private final SandboxRuns runs;

	/**
	 * Starts an application.
	 * @param root where all is that outlives it
	 * @param runtime where its sandboxes have what does not
	 * @param store the store of its runs
	 * @param told is told of each checkpoint before a stop
	 */
	Application(Path root, Path runtime, RunStore store, Consumer<Checkpoint> told) {
		this.backend = BubblewrapBackend.builder()
			.stateDirectory(root.resolve("state"))
			.runtimeDirectory(runtime)
			.build();
		this.template = this.backend.prewarm(SandboxTemplate.named("kill").file("package.json", "{}").build());
		this.checkpoints = Checkpoints.builder(FileSnapshotStore.open(root.resolve("checkpoints"))).build();
		this.installs = InstallStore.directory(root.resolve("installs"));
		Path begun = root.resolve("begun");
		this.runs = SandboxRuns.builder(this.backend, this.template, store, (turn) -> work(turn, begun))
			.network(NetworkPolicy.denyAll())
			.beforeStop((sandbox) -> told.accept(this.checkpoints.backUp(sandbox)))
			.drainTimeout(Duration.ofSeconds(20))
			.build();
	}

	// What it is asked tells which operation it is. A line of the log has its file.
	private static String work(Turn turn, Path begun) throws IOException {
		Files.writeString(begun, turn.text() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		turn.message("begun", turn.text());
		String name = turn.text().replace('/', '+');
		turn.session()
			.run(ExecSpec.shell("mkdir -p f; echo " + name + " >f/" + name + "; sleep 0.01; echo " + name + " >>log"))
			.orThrow();
		turn.message("done", turn.text());
		return "answer to " + turn.text();
	}

	BubblewrapBackend backend() {
		return this.backend;
	}

	PreparedTemplate template() {
		return this.template;
	}

	Checkpoints checkpoints() {
		return this.checkpoints;
	}

	SandboxRuns runs() {
		return this.runs;
	}

	Installs installs(SandboxSession session) {
		return installs(session, this.installs);
	}

	static Installs installs(SandboxSession session, InstallStore store) {
		return Installs.builder(session, store)
			.plan(InstallPlan.builder().override(REPOSITORY, INSTALL, "node_modules").build())
			.build();
	}

	SandboxHandle handle(String session) {
		return this.backend.handle(session).orElseThrow();
	}

	@Override
	public void close() {
		this.runs.close();
		this.backend.close();
	}

}
