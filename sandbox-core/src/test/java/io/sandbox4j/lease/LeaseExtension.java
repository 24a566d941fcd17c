package io.sandbox4j.lease;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.WarmMode;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Leases over a real backend, which the tests of a class share, with a time that stands
 * still until a test moves it; and the proof after each test that no sandbox and no
 * session is left. Register it as a static field.
 */
final class LeaseExtension implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

	private final List<SandboxLeases> opened = new ArrayList<>();

	private final AtomicLong nanos = new AtomicLong();

	private Path root;

	private Path runtime;

	private BubblewrapBackend real;

	private WatchedBackend watched;

	private PreparedTemplate template;

	private ExecutorService threads;

	@Override
	public void beforeAll(ExtensionContext context) throws IOException {
		this.root = temporaryDirectory(Path.of(System.getProperty("java.io.tmpdir")));
		this.runtime = temporaryDirectory(Path.of("/dev/shm"));
		this.real = BubblewrapBackend.builder()
			.warm(WarmMode.settings())
			.stateDirectory(stateDirectory())
			.runtimeDirectory(runtimeDirectory())
			.build();
		this.template = this.real.prewarm(SandboxTemplate.named("lease").file("README", "hello\n").build());
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		this.watched = new WatchedBackend(this.real);
		this.threads = Executors.newCachedThreadPool();
		this.nanos.set(Long.MAX_VALUE - Duration.ofMinutes(1).toNanos());
	}

	@Override
	public void afterEach(ExtensionContext context) {
		this.watched.beforeCreate = (request) -> {
		};
		this.watched.beforeStop = () -> {
		};
		this.watched.beforeDelete = () -> {
		};
		this.opened.forEach((leases) -> {
			leases.endAll();
			leases.close();
		});
		this.opened.clear();
		this.threads.shutdownNow();
		assertThat(this.real.handles()).as("sandboxes left behind").isEmpty();
		assertThat(this.real.sessions()).as("sessions left behind").isEmpty();
	}

	@Override
	public void afterAll(ExtensionContext context) throws IOException {
		this.real.close();
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

	Path stateDirectory() {
		return this.root.resolve("state");
	}

	Path runtimeDirectory() {
		return this.runtime.resolve("run");
	}

	PreparedTemplate template() {
		return this.template;
	}

	WatchedBackend backend() {
		return this.watched;
	}

	ExecutorService threads() {
		return this.threads;
	}

	void advance(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

	SandboxLeases leases() {
		return leases((builder) -> builder);
	}

	SandboxLeases leases(UnaryOperator<SandboxLeasesBuilder> customizer) {
		SandboxLeases leases = customizer
			.apply(SandboxLeases.builder(this.watched).ticker(this.nanos::get).sweepInterval(Duration.ofDays(1)))
			.build();
		this.opened.add(leases);
		return leases;
	}

	LeaseSpec.Builder spec(LeaseKey key) {
		return LeaseSpec.builder(key, this.template).network(NetworkPolicy.denyAll());
	}

	LeaseSpec spec(String conversation) {
		return spec(LeaseKey.forConversation(conversation)).build();
	}

	static String out(SandboxLease lease, String script) {
		return lease.session().run(ExecSpec.shell(script)).stdoutText().strip();
	}

}
