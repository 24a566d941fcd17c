package io.sandbox4j.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.WarmMode;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Installs in a real sandbox, one for each test, with a time that stands still until a
 * test moves it, and no watchdog but the test. Register it as a static field.
 */
final class InstallExtension implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

	/**
	 * The repository whose command a test sets.
	 */
	static final String REPOSITORY = "owner/repo";

	private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

	private final List<Installs> opened = new ArrayList<>();

	private Path root;

	private Path runtime;

	private BubblewrapBackend backend;

	private PreparedTemplate template;

	private SandboxHandle sandbox;

	private InstallStore store;

	@Override
	public void beforeAll(ExtensionContext context) throws IOException {
		this.root = temporaryDirectory(Path.of(System.getProperty("java.io.tmpdir")));
		this.runtime = temporaryDirectory(Path.of("/dev/shm"));
		this.backend = BubblewrapBackend.builder()
			.warm(WarmMode.settings())
			.stateDirectory(this.root.resolve("state"))
			.runtimeDirectory(this.runtime.resolve("run"))
			.build();
		this.template = this.backend.prewarm(SandboxTemplate.named("install").build());
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		this.sandbox = this.backend.create(SandboxRequest.from(this.template).network(NetworkPolicy.denyAll()).build());
		this.store = InstallStore.inMemory();
		this.now.set(Instant.parse("2026-12-01T00:00:00Z"));
	}

	@Override
	public void afterEach(ExtensionContext context) {
		this.opened.forEach(Installs::close);
		this.opened.clear();
		this.sandbox.delete();
		assertThat(this.backend.handles()).as("sandboxes left behind").isEmpty();
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

	SandboxHandle sandbox() {
		return this.sandbox;
	}

	SandboxSession session() {
		return this.sandbox.session();
	}

	SandboxFiles files() {
		return session().files();
	}

	InstallStore store() {
		return this.store;
	}

	Instant now() {
		return this.now.get();
	}

	void advance(Duration time) {
		this.now.updateAndGet((instant) -> instant.plus(time));
	}

	/**
	 * Makes installs whose repository has a command.
	 */
	Installs installs(String command) {
		return installs((builder) -> builder.plan(plan(command).build()));
	}

	static InstallPlan.Builder plan(String command) {
		return InstallPlan.builder().override(REPOSITORY, command, "node_modules");
	}

	Installs installs(UnaryOperator<InstallsBuilder> customizer) {
		Installs installs = customizer
			.apply(Installs.builder(session(), this.store).clock(this.now::get).watchdog(Duration.ofDays(1)))
			.build();
		this.opened.add(installs);
		return installs;
	}

	InstallState awaitEnd(Installs installs) {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(10))
			.atMost(Duration.ofSeconds(30))
			.until(() -> !(installs.state(".") instanceof InstallState.Running));
		return installs.state(".");
	}

	InstallState run(Installs installs) {
		installs.start(".", REPOSITORY);
		return awaitEnd(installs);
	}

	void awaitNoCommand() {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(10))
			.atMost(Duration.ofSeconds(30))
			.until(() -> session().admission().active() == 0);
	}

	/**
	 * Counts the runs of a command that adds a line to a file.
	 */
	int count() {
		return files().exists("count") ? (int) files().readText("count").lines().count() : 0;
	}

	String out(String script) {
		return session().run(ExecSpec.shell(script)).stdoutText().strip();
	}

}
