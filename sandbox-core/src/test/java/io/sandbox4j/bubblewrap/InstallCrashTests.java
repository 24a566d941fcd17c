package io.sandbox4j.bubblewrap;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.install.InstallState;
import io.sandbox4j.install.InstallStore;
import io.sandbox4j.install.Installs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that die while an install runs, or before they can write down how it
 * ended: the next one knows.
 */
@Tag("isolation")
class InstallCrashTests {

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

	private Process owner(String command) throws Exception {
		return ChildJvm.start(InstallingOwner.class, List.of(), Map.of(), this.sandboxes.stateDirectory().toString(),
				this.sandboxes.runtimeDirectory().toString(), this.state.sessionId(), this.state.templateKey(),
				store().toString(), command);
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
	void anInstallWhoseApplicationIsKilledIsLostAndNotRunAgain() throws Exception {
		String command = "echo x >>count; sleep 300";
		Process owner = owner(command);
		try {
			BufferedReader said = owner.inputReader(StandardCharsets.UTF_8);
			String line = said.readLine();
			while (line != null && !line.equals("started")) {
				line = said.readLine();
			}
			assertThat(line).isEqualTo("started");
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
		assertThat(owner(command).waitFor()).isEqualTo(9);
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
		assertThat(owner("exit 5").waitFor()).isEqualTo(9);
		SandboxHandle sandbox = attach();
		try (Installs installs = installs(sandbox, "exit 5")) {
			assertThat(installs.state(".")).isInstanceOf(InstallState.Failed.class);
			assertThat(((InstallState.Failed) installs.state(".")).exitCode()).isEqualTo(5);
		}
		sandbox.stop();
	}

}
