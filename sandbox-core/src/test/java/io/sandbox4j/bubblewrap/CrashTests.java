package io.sandbox4j.bubblewrap;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SandboxTemplate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Applications that are killed: what they owned is recovered by the next one, with no
 * help.
 */
@Tag("isolation")
class CrashTests {

	// Log lines of the child come between.
	private static final Pattern WORD = Pattern.compile("owned|busy|SANDBOX_.*");

	private static final int KILLS = Integer.getInteger("sandbox.test.kills", 10);

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension().cold();

	private final List<Process> owners = new ArrayList<>();

	@AfterEach
	void killOwnersAndStartOnceMore() throws Exception {
		for (Process owner : this.owners) {
			owner.destroyForcibly().waitFor();
		}
		// What a killed application leaves is swept by the next start.
		this.sandboxes.backend().close();
	}

	@Test
	void aSessionSurvivesKillsOfItsApplicationAtRandomMoments() throws Exception {
		BubblewrapBackend backend = this.sandboxes.backend();
		SandboxState state = newSession(backend);
		Random random = new Random(7);
		for (int kill = 0; kill < KILLS; kill++) {
			Process owner = owner(state);
			awaitLine(owner, "owned");
			LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(60_000)));
			owner.destroyForcibly().waitFor();
			SandboxHandle recovered = attach(backend, state);
			awaitNoActiveProcess(state);
			assertThat(recovered.session().files().readText("README")).isEqualTo("hello\n");
			assertThat(recovered.session().files().list(".").stream().map((entry) -> entry.path().relative()))
				.as("nothing half-written")
				.isSubsetOf("README", "log", "file");
			recovered.stop();
		}
		assertThat(this.sandboxes.events()).filteredOn(SandboxEvent.SessionAttached.class::isInstance)
			.hasSize(KILLS)
			.allMatch((event) -> ((SandboxEvent.SessionAttached) event).recovered());
		assertThat(filesBelow("guests")).isEmpty();
		assertThat(filesBelow("staging")).isEmpty();
		assertNothingSurvivesTheNextOwner(state);
	}

	@Test
	void theNextStartSweepsTheRuntimeDirectoryOfAKilledApplication() throws Exception {
		SandboxState state = newSession(this.sandboxes.backend());
		Process owner = owner(state);
		awaitLine(owner, "owned");
		owner.destroyForcibly().waitFor();
		assertThat(instances()).hasSize(2);
		BubblewrapBackend next = this.sandboxes.backend();
		assertThat(instances()).hasSize(2);
		attach(next, state).stop();
	}

	@Test
	void commandsDieWithTheirApplication() throws Exception {
		SandboxState state = newSession(this.sandboxes.backend());
		Process owner = owner(state);
		awaitLine(owner, "owned");
		awaitLine(owner, "busy");
		assertThat(BackendExtension.processesWithMarker(state.sessionId())).isNotEmpty();
		owner.destroyForcibly().waitFor();
		awaitNoActiveProcess(state);
		assertNothingSurvivesTheNextOwner(state);
	}

	// A sandbox whose start was on its way when its application died comes up, gets no
	// command, and ends.
	private static void awaitNoActiveProcess(SandboxState state) {
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(10))
			.atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(BackendExtension.activeProcessesWithMarker(state.sessionId())).isEmpty());
	}

	private void assertNothingSurvivesTheNextOwner(SandboxState state) throws Exception {
		Process owner = owner(state);
		awaitLine(owner, "owned");
		owner.destroyForcibly().waitFor();
		// By then nothing that the killed application had begun to start is on its way.
		Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
			attach(this.sandboxes.backend(), state).stop();
			assertThat(BackendExtension.processesWithMarker(state.sessionId())).isEmpty();
		});
	}

	@Test
	void aSecondApplicationIsTurnedAwayAtOnce() throws Exception {
		BubblewrapBackend backend = this.sandboxes.backend();
		SandboxState state = newSession(backend);
		Process owner = owner(state);
		awaitLine(owner, "owned");
		long before = System.nanoTime();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> attach(backend, state))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY));
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
		owner.destroyForcibly().waitFor();
	}

	@Test
	void ofTwoApplicationsThatAttachAtOnceExactlyOneOwns() throws Exception {
		SandboxState state = newSession(this.sandboxes.backend());
		for (int round = 0; round < 5; round++) {
			Process one = owner(state);
			Process other = owner(state);
			List<String> said = List.of(firstLine(one), firstLine(other));
			assertThat(said).containsExactlyInAnyOrder("owned", "SANDBOX_BUSY");
			one.destroyForcibly().waitFor();
			other.destroyForcibly().waitFor();
		}
	}

	private SandboxState newSession(BubblewrapBackend backend) {
		PreparedTemplate template = backend.prewarm(SandboxTemplate.named("crash").file("README", "hello\n").build());
		SandboxHandle handle = backend.create(SandboxRequest.from(template).network(NetworkPolicy.denyAll()).build());
		handle.stop();
		return handle.captureState();
	}

	private static SandboxHandle attach(BubblewrapBackend backend, SandboxState state) {
		return backend.create(SandboxRequest.attach(state).network(NetworkPolicy.denyAll()).build());
	}

	private Process owner(SandboxState state) throws IOException {
		Process owner = ChildJvm.start(CrashingOwner.class, List.of(), Map.of(),
				this.sandboxes.stateDirectory().toString(), this.sandboxes.runtimeDirectory().toString(),
				state.sessionId(), state.templateKey());
		this.owners.add(owner);
		return owner;
	}

	private static void awaitLine(Process process, String expected) throws IOException {
		assertThat(firstLine(process)).isEqualTo(expected);
	}

	private static String firstLine(Process process) throws IOException {
		BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
		String line = reader.readLine();
		while (line != null && !WORD.matcher(line).matches()) {
			line = reader.readLine();
		}
		return String.valueOf(line);
	}

	private List<Path> instances() throws IOException {
		try (Stream<Path> instances = Files.list(this.sandboxes.runtimeDirectory())) {
			return instances.toList();
		}
	}

	private List<Path> filesBelow(String directory) throws IOException {
		try (Stream<Path> all = Files.walk(this.sandboxes.stateDirectory())) {
			return all.filter((path) -> path.getParent().endsWith(directory)).toList();
		}
	}

}
