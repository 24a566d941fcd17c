package io.sandbox4j.agentsandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import io.sandbox4j.bubblewrap.BubblewrapBackendBuilder;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A real backend for each test, and the proof afterwards that none of its processes is
 * left.
 */
final class SandboxExtension implements BeforeEachCallback, AfterEachCallback {

	private final List<BubblewrapBackend> backends = new ArrayList<>();

	private final List<String> sessions = new ArrayList<>();

	private Path root;

	@Override
	public void beforeEach(ExtensionContext context) throws IOException {
		this.root = Files.createTempDirectory("s4j-");
		// The guest of root is another user, who must get through to its workspace.
		Files.setPosixFilePermissions(this.root, PosixFilePermissions.fromString("rwx--x--x"));
	}

	@Override
	public void afterEach(ExtensionContext context) throws IOException {
		this.backends.forEach(BubblewrapBackend::close);
		for (String session : this.sessions) {
			await().atMost(Duration.ofSeconds(10))
				.untilAsserted(() -> assertThat(processesOf(session)).as("processes left behind").isEmpty());
		}
		try (Stream<Path> tree = Files.walk(this.root)) {
			for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
				Files.delete(path);
			}
		}
	}

	Path root() {
		return this.root;
	}

	BubblewrapBackend backend(UnaryOperator<BubblewrapBackendBuilder> customizer) {
		BubblewrapBackend backend = customizer
			.apply(BubblewrapBackend.builder()
				.stateDirectory(this.root.resolve("state"))
				.runtimeDirectory(this.root.resolve("run")))
			.build();
		this.backends.add(backend);
		return backend;
	}

	SandboxHandle handle() {
		return handle(backend((builder) -> builder));
	}

	SandboxHandle handle(BubblewrapBackend backend) {
		PreparedTemplate template = backend.prewarm(SandboxTemplate.named("test").build());
		SandboxHandle handle = backend.create(SandboxRequest.from(template).network(NetworkPolicy.denyAll()).build());
		this.sessions.add(handle.session().id());
		return handle;
	}

	SessionSandbox sandbox() {
		return SessionSandbox.of(handle());
	}

	static List<String> processesOf(String session) throws IOException {
		return processesWith("sandbox4j:" + session);
	}

	/**
	 * Lists what runs on the host, sandboxes included.
	 */
	static List<String> processesWith(String word) throws IOException {
		List<String> found = new ArrayList<>();
		try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
			for (Path process : processes) {
				String command = commandLine(process);
				if (command.contains(word)) {
					found.add(process.getFileName() + " " + command);
				}
			}
		}
		return found;
	}

	/**
	 * Returns how long a command may sleep that no other one does.
	 */
	static String sleepTime() {
		return "43200." + ThreadLocalRandom.current().nextInt(100_000_000, 1_000_000_000);
	}

	static void awaitProcess(String time) {
		await().atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(processesWith("sleep " + time)).isNotEmpty());
	}

	private static String commandLine(Path process) {
		try {
			return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1).replace('\0', ' ');
		}
		catch (IOException ex) {
			return "";
		}
	}

}
