package io.sandbox4j.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.SessionInfo;
import io.sandbox4j.WarmMode;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs over a real backend, which the tests of a class share, and a store in memory that
 * outlives an application; and the proof after each test that no sandbox runs any more.
 * Register it as a static field.
 */
final class RunsExtension implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

	static final String SECRET = "0123456789abcdef";

	private final List<SandboxRuns> opened = new ArrayList<>();

	private Path root;

	private Path runtime;

	private BubblewrapBackend backend;

	private PreparedTemplate template;

	private RunStore store;

	@Override
	public void beforeAll(ExtensionContext context) throws IOException {
		this.root = temporaryDirectory(Path.of(System.getProperty("java.io.tmpdir")));
		this.runtime = temporaryDirectory(Path.of("/dev/shm"));
		this.backend = BubblewrapBackend.builder()
			.warm(WarmMode.settings())
			.stateDirectory(this.root.resolve("state"))
			.runtimeDirectory(this.runtime.resolve("run"))
			.build();
		this.template = this.backend.prewarm(SandboxTemplate.named("runs").file("README", "hello\n").build());
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		this.store = RunStore.inMemory();
	}

	@Override
	public void afterEach(ExtensionContext context) {
		this.opened.forEach(SandboxRuns::close);
		this.opened.clear();
		assertThat(this.backend.handles()).as("sandboxes left behind").isEmpty();
		this.backend.sessions().stream().map(SessionInfo::id).forEach(this.backend::delete);
	}

	@Override
	public void afterAll(ExtensionContext context) throws IOException {
		this.backend.close();
		delete(this.root);
		delete(this.runtime);
	}

	private static Path temporaryDirectory(Path parent) throws IOException {
		Path directory = Files.createTempDirectory(parent, "s4j-");
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
		return directory;
	}

	private static void delete(Path directory) throws IOException {
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.delete(file);
			}
		}
	}

	BubblewrapBackend backend() {
		return this.backend;
	}

	PreparedTemplate template() {
		return this.template;
	}

	RunStore store() {
		return this.store;
	}

	// An application: whoever opens a second one of the same store has restarted it, once
	// the first is closed.
	SandboxRuns runs(RunAdapter adapter) {
		return runs(adapter, (builder) -> builder);
	}

	SandboxRuns runs(RunAdapter adapter, UnaryOperator<SandboxRunsBuilder> customizer) {
		SandboxRuns runs = customizer
			.apply(SandboxRuns.builder(this.backend, this.template, this.store, adapter)
				.network(NetworkPolicy.denyAll())
				.drainTimeout(Duration.ZERO)
				.debugSecret(SECRET))
			.build();
		this.opened.add(runs);
		return runs;
	}

	// A sandbox with the run 'r'.
	DurableSandbox sandbox(RunAdapter adapter) {
		DurableSandbox sandbox = runs(adapter).sandbox("s");
		sandbox.createRun(RunSpec.of("r"));
		return sandbox;
	}

	static OperationRecord settled(DurableSandbox sandbox, String operation) {
		return settled(sandbox, "r", operation);
	}

	static OperationRecord settled(DurableSandbox sandbox, String run, String operation) {
		OperationRecord record = sandbox.poll(run, operation, Duration.ofSeconds(30), 0).operation();
		assertThat(record.isSettled()).as(record.toString()).isTrue();
		return record;
	}

}
