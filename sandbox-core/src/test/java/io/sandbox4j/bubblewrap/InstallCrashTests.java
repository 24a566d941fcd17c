package io.sandbox4j.bubblewrap;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.install.InstallKey;
import io.sandbox4j.install.InstallState;
import io.sandbox4j.install.InstallStore;
import io.sandbox4j.install.Installs;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that die while an install runs, or before they can write down how it
 * ended: the next one knows. A fourth of {@code sandbox.test.kills} sets how many are
 * killed at random moments.
 */
@Tag("isolation")
class InstallCrashTests {

	private static final int KILLS = Math.max(1, Integer.getInteger("sandbox.test.kills", 10) / 4);

	// A lock of the kernel's tells whether another one runs, whoever started it.
	private static final String ALONE = "exec 9>lock; flock -n 9 || touch two; mkdir -p node_modules; sleep 0.2; "
			+ "touch node_modules/whole; sleep 0.05";

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	private BubblewrapBackend backend;

	private SandboxState state;

	@BeforeEach
	void makeASession() {
		this.backend = this.sandboxes.backend();
		PreparedTemplate template = this.backend
			.prewarm(SandboxTemplate.named("crash").file("package.json", "{}").build());
		SandboxHandle handle = this.backend
			.create(SandboxRequest.from(template).network(NetworkPolicy.denyAll()).build());
		handle.stop();
		this.state = handle.captureState();
	}

	@AfterEach
	void startOnceMore() {
		// What a killed application leaves is swept by the next start.
		this.sandboxes.backend().close();
	}

	private Path store() {
		return this.sandboxes.root().resolve("installs");
	}

	private Process owner(String command, String life) throws IOException {
		return ChildJvm.start(InstallingOwner.class, List.of(), Map.of(), this.sandboxes.stateDirectory().toString(),
				this.sandboxes.runtimeDirectory().toString(), this.state.sessionId(), this.state.templateKey(),
				store().toString(), command, life);
	}

	private SandboxHandle attach() {
		return this.backend.create(SandboxRequest.attach(this.state).network(NetworkPolicy.denyAll()).build());
	}

	private Installs installs(SandboxHandle sandbox, String command) {
		return Installs.builder(sandbox.session(), InstallStore.directory(store()))
			.plan(InstallingOwner.plan(command))
			.build();
	}

	@Test
	void howeverOftenApplicationsAreKilledOneRunsAndWhatIsSettledStays() throws Exception {
		Random random = new Random(13);
		for (int kill = 0; kill < KILLS; kill++) {
			String before = document();
			Process owner = owner(ALONE, "live");
			try {
				await(owner, "attached");
				// Before it is written down, amid the command, as it ends, or afterwards.
				LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(500_000)));
			}
			finally {
				owner.destroyForcibly().waitFor();
			}
			String left = document();
			SandboxHandle sandbox = attach();
			try (Installs installs = installs(sandbox, ALONE)) {
				assertSettled(kill, before, left, installs.state("."), sandbox);
				assertThat(ended(installs)).isInstanceOf(InstallState.Done.class);
				assertThat(sandbox.session().files().exists("two")).as("kill %d: two at once", kill).isFalse();
				if (random.nextInt(3) > 0) {
					// The next application has something to do again.
					sandbox.session().files().writeText("package.json", "{\"kill\":" + kill + "}");
					sandbox.session().files().remove("node_modules");
				}
			}
			sandbox.stop();
		}
	}

	private void assertSettled(int kill, @Nullable String before, @Nullable String left, InstallState state,
			SandboxHandle sandbox) {
		boolean whole = sandbox.session().files().exists("node_modules/whole");
		assertThat(state).as("kill %d: nothing runs that nobody started", kill)
			.isNotInstanceOf(InstallState.Running.class);
		if (left == null || !left.contains("\"status\":\"RUNNING\"")) {
			assertThat(document()).as("kill %d: what is settled stays", kill).isEqualTo(left);
		}
		else if (state instanceof InstallState.Done) {
			assertThat(whole).as("kill %d: done by what it left", kill).isTrue();
		}
		if (before != null && whole && before.equals(left)) {
			assertThat(state).as("kill %d: what was not touched", kill).isInstanceOf(InstallState.Done.class);
		}
	}

	private @Nullable String document() {
		InstallStore.Entry entry = InstallStore.directory(store()).load(new InstallKey(this.state.sessionId(), "."));
		return (entry != null) ? entry.document() : null;
	}

	private static InstallState ended(Installs installs) {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(20))
			.atMost(Duration.ofSeconds(60))
			.until(() -> !(installs.start(".", InstallingOwner.REPOSITORY) instanceof InstallState.Running));
		return installs.state(".");
	}

	private static void await(Process owner, String word) throws IOException {
		BufferedReader said = owner.inputReader(StandardCharsets.UTF_8);
		String line = said.readLine();
		while (line != null && !line.equals(word)) {
			line = said.readLine();
		}
		assertThat(line).isEqualTo(word);
	}

	@Test
	void anInstallWhoseApplicationIsKilledIsLostAndNotRunAgain() throws Exception {
		String command = "echo x >>count; sleep 300";
		Process owner = owner(command, "die");
		try {
			await(owner, "started");
		}
		finally {
			owner.destroyForcibly().waitFor();
		}
		SandboxHandle sandbox = attach();
		try (Installs installs = installs(sandbox, command)) {
			assertThat(installs.state(".")).isInstanceOfSatisfying(InstallState.Failed.class, (failed) -> {
				assertThat(failed.error()).startsWith("It was lost");
				assertThat(failed.exitCode()).isNull();
			});
			assertThat(sandbox.session().admission().active()).isZero();
			assertThat(BackendExtension.out(sandbox, "cat count 2>/dev/null | wc -l")).isIn("0", "1");
		}
		sandbox.stop();
	}

	@Test
	void anInstallThatEndedUnseenIsDoneByTheFileThatItLeft() throws Exception {
		String command = "echo x >>count; mkdir node_modules";
		assertThat(owner(command, "die").waitFor()).isEqualTo(9);
		SandboxHandle sandbox = attach();
		try (Installs installs = installs(sandbox, command)) {
			assertThat(installs.state(".")).isInstanceOfSatisfying(InstallState.Done.class,
					(done) -> assertThat(done.exitCode()).isZero());
			assertThat(installs.start(".", InstallingOwner.REPOSITORY)).isInstanceOf(InstallState.Done.class);
			assertThat(BackendExtension.out(sandbox, "wc -l <count")).isEqualTo("1");
		}
		sandbox.stop();
	}

	@Test
	void anInstallThatFailedUnseenIsFailedByTheFileThatItLeft() throws Exception {
		assertThat(owner("exit 5", "die").waitFor()).isEqualTo(9);
		SandboxHandle sandbox = attach();
		try (Installs installs = installs(sandbox, "exit 5")) {
			assertThat(installs.state(".")).isInstanceOf(InstallState.Failed.class);
			assertThat(((InstallState.Failed) installs.state(".")).exitCode()).isEqualTo(5);
		}
		sandbox.stop();
	}

}
