package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.WarmMode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real backend for each test, and the proof afterwards that nothing of it is left: no
 * process, no thread, no runtime directory, no lease. Directories lie where the guest's
 * user can reach them.
 */
final class BackendExtension implements BeforeEachCallback, AfterEachCallback {

	private final List<BubblewrapBackend> backends = new ArrayList<>();

	private final List<SandboxEvent> events = new CopyOnWriteArrayList<>();

	private WarmSettings warm = WarmMode.settings();

	private Path root;

	private Path runtime;

	/**
	 * Builds each sandbox when its command comes, for tests that count processes.
	 */
	BackendExtension cold() {
		this.warm = WarmSettings.off();
		return this;
	}

	@Override
	public void beforeEach(ExtensionContext context) throws IOException {
		this.root = temporaryDirectory(Path.of("/tmp"));
		this.runtime = temporaryDirectory(Path.of("/dev/shm"));
		this.backends.clear();
		this.events.clear();
	}

	@Override
	public void afterEach(ExtensionContext context) throws IOException {
		this.backends.forEach(BubblewrapBackend::close);
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(sandboxProcesses(this.runtime)).as("processes left behind").isEmpty());
		if (Files.isDirectory(runtimeDirectory())) {
			try (Stream<Path> left = Files.list(runtimeDirectory())) {
				assertThat(left).as("runtime directories left behind").isEmpty();
			}
		}
		deleteRecursively(this.root);
		deleteRecursively(this.runtime);
	}

	Path root() {
		return this.root;
	}

	Path stateDirectory() {
		return this.root.resolve("state");
	}

	Path runtimeDirectory() {
		return this.runtime.resolve("run");
	}

	List<SandboxEvent> events() {
		return this.events;
	}

	BubblewrapBackend backend() {
		return backend((builder) -> builder);
	}

	BubblewrapBackend backend(UnaryOperator<BubblewrapBackendBuilder> customizer) {
		BubblewrapBackend backend = customizer
			.apply(BubblewrapBackend.builder()
				.warm(this.warm)
				.stateDirectory(stateDirectory())
				.runtimeDirectory(runtimeDirectory())
				.listener(this.events::add))
			.build();
		this.backends.add(backend);
		return backend;
	}

	SandboxHandle sandbox() {
		return sandbox(backend());
	}

	SandboxHandle sandbox(BubblewrapBackend backend) {
		return sandbox(backend, NetworkPolicy.denyAll());
	}

	SandboxHandle sandbox(BubblewrapBackend backend, NetworkPolicy network) {
		PreparedTemplate template = backend.prewarm(SandboxTemplate.named("test").file("README", "hello\n").build());
		return backend.create(SandboxRequest.from(template).network(network).build());
	}

	SandboxHandle emptySandbox() {
		BubblewrapBackend backend = backend();
		PreparedTemplate template = backend.prewarm(SandboxTemplate.named("empty").build());
		return backend.create(SandboxRequest.from(template).network(NetworkPolicy.denyAll()).build());
	}

	/**
	 * Finds a session's own directory among the runtime directories.
	 */
	Path runtimeDirectory(SandboxHandle sandbox) throws IOException {
		String name = sandbox.session().id().substring(0, RuntimeDirectory.SESSION_NAME);
		try (Stream<Path> instances = Files.list(runtimeDirectory())) {
			return instances.map((instance) -> instance.resolve(name))
				.filter(Files::isDirectory)
				.findFirst()
				.orElseThrow();
		}
	}

	static ExecResult sh(SandboxHandle sandbox, String script) {
		return sandbox.session().run(ExecSpec.shell(script));
	}

	static String out(SandboxHandle sandbox, String script) {
		return sh(sandbox, script).stdoutText().strip();
	}

	static boolean isRoot() {
		return GuestUser.ownUid() == 0;
	}

	static Path temporaryDirectory(Path parent) throws IOException {
		Path directory = Files.createTempDirectory(parent, "s4j-");
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
		return directory;
	}

	/**
	 * Finds processes of sandboxes: by the marker that each carries, and by the directory
	 * that their launchers name.
	 */
	static List<String> sandboxProcesses(Path directory) throws IOException {
		List<String> found = new ArrayList<>();
		try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
			for (Path process : processes) {
				String command = commandLine(process);
				if (command.contains("bwrap") && command.contains(directory.toString())) {
					found.add(process.getFileName() + " " + command);
				}
			}
		}
		return found;
	}

	static String commandLine(Path process) {
		try {
			return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1).replace('\0', ' ');
		}
		catch (IOException ex) {
			return "";
		}
	}

	static void deleteRecursively(Path directory) throws IOException {
		if (!Files.exists(directory)) {
			return;
		}
		new ProcessBuilder("rm", "-rf", directory.toString()).inheritIO().start().onExit().join();
	}

	static List<Long> processesWithMarker(String sessionId) throws IOException {
		List<Long> found = new ArrayList<>();
		try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
			for (Path process : processes) {
				if (commandLine(process).contains("sandbox4j:" + sessionId)) {
					found.add(Long.parseLong(process.getFileName().toString()));
				}
			}
		}
		return found;
	}

	/**
	 * Returns the processes of a session's sandboxes that can do anything. Left out is
	 * what bubblewrap forked and has told nothing: when its first process dies before
	 * that, with the application that should read what it writes, the second one waits
	 * for ever. It is in no sandbox yet, and the next owner of the session kills it.
	 * @param sessionId the session's id
	 * @return the processes
	 * @throws IOException if they cannot be listed
	 */
	static List<Long> activeProcessesWithMarker(String sessionId) throws IOException {
		List<Long> found = new ArrayList<>();
		for (long pid : processesWithMarker(sessionId)) {
			Path process = Path.of("/proc", Long.toString(pid));
			boolean waits = read(process.resolve("comm")).equals("bwrap\n")
					&& read(process.resolve("status")).contains("\nPPid:\t1\n")
					&& read(process.resolve("task/" + pid + "/children")).isEmpty();
			if (!waits) {
				found.add(pid);
			}
		}
		return found;
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			return "";
		}
	}

}
