package io.sandbox4j.agentsandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import io.sandbox4j.session.SessionLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springaicommunity.sandbox.ExecResult;
import org.springaicommunity.sandbox.ExecSpec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Commands of a sandbox, and its end.
 */
class SessionSandboxTests {

	@RegisterExtension
	final SandboxExtension sandboxes = new SandboxExtension();

	@ParameterizedTest
	@CsvSource({ "exit 0,0", "exit 7,7", "exit 127,127", "exit 255,255", "kill -TERM $$,143", "kill -KILL $$,137" })
	void exitCodesAndSignalsAreResults(String script, int exitCode) {
		ExecResult result = this.sandboxes.sandbox().exec(ExecSpec.of("sh", "-c", "echo out; echo err >&2; " + script));
		assertThat(result.exitCode()).isEqualTo(exitCode);
		assertThat(result.stdout()).isEqualTo("out\n");
		assertThat(result.stderr()).isEqualTo("err\n");
	}

	@Test
	void aShellCommandIsReadByBash() {
		ExecSpec command = ExecSpec.builder().shellCommand("a=(1 2 3); echo ${#a[@]} | tee count").build();
		SessionSandbox sandbox = this.sandboxes.sandbox();
		assertThat(sandbox.exec(command).stdout()).isEqualTo("3\n");
		assertThat(sandbox.files().read("count")).isEqualTo("3\n");
	}

	@Test
	void noShellReadsTheArgumentsOfOtherCommands() {
		ExecResult result = this.sandboxes.sandbox()
			.exec(ExecSpec.of("printf", "%s|", "a b", "", "$HOME", "`id`", "'\"\\", "line\nbreak", "日本"));
		assertThat(result.stdout()).isEqualTo("a b||$HOME|`id`|'\"\\|line\nbreak|日本|");
	}

	@Test
	void theEnvironmentIsWhatWasGivenAndNothingOfTheHost() {
		ExecSpec command = ExecSpec.builder().command("env").env("TOKEN", "a=b\nc").build();
		String environment = this.sandboxes.sandbox().exec(command).stdout();
		assertThat(environment).contains("TOKEN=a=b\nc\n").contains("HOME=/workspace\n");
		// The last four are of the guest's shell.
		assertThat(environment.lines().map((line) -> line.replaceFirst("=.*", ""))).isSubsetOf("TOKEN", "c", "PATH",
				"HOME", "LANG", "TMPDIR", "TERM", "PWD", "OLDPWD", "SHLVL", "_");
		assertThat(System.getenv()).as("variables that could have been seen").hasSizeGreaterThan(1);
	}

	@Test
	void aVariableWithAnImpossibleNameIsRefused() {
		SessionSandbox sandbox = this.sandboxes.sandbox();
		ExecSpec command = ExecSpec.builder().command("env").env("A;id", "x").build();
		Refusals.assertRefused(ErrorCode.SANDBOX_INVALID, () -> sandbox.exec(command));
		Refusals.assertRefused(ErrorCode.SANDBOX_INVALID, () -> sandbox.startInteractive(command));
	}

	@Test
	void commandsStartInTheWorkspaceAndSeeNoDirectoryOfTheHost() {
		SessionSandbox sandbox = this.sandboxes.sandbox();
		assertThat(sandbox.exec(ExecSpec.of("pwd")).stdout().strip()).isEqualTo(sandbox.workDir().toString())
			.isEqualTo("/workspace");
		assertThat(sandbox.exec(ExecSpec.of("ls", this.sandboxes.root().toString())).exitCode()).isEqualTo(2);
	}

	@Test
	void withoutAMountThereIsNoHomeForTheContractToList() {
		ExecResult result = this.sandboxes.sandbox().exec(ExecSpec.of("ls", "/home"));
		assertThat(result.failed()).isTrue();
		assertThat(result.stderr()).contains("No such file or directory");
	}

	@Test
	void aHomeForTheContractToListIsRefusedWhereSecretsMustBeHidden() throws IOException {
		Path home = Files.createDirectory(this.sandboxes.root().resolve("home"));
		BubblewrapBackend backend = this.sandboxes.backend((builder) -> builder.mount(home, "/home"));
		assertThatExceptionOfType(SandboxUnavailableException.class).isThrownBy(() -> this.sandboxes.handle(backend))
			.withMessageContaining("visible: [/home]");
	}

	@Test
	void aCommandReadsNoInput() {
		assertThat(this.sandboxes.sandbox().exec(ExecSpec.of("wc", "-c")).stdout().strip()).isEqualTo("0");
	}

	@Test
	void whatIsNotUtf8IsReplaced() {
		assertThat(this.sandboxes.sandbox().exec(ExecSpec.of("printf", "a\\377b")).stdout()).isEqualTo("a\uFFFDb");
	}

	@Test
	void bothStreamsAreWholeWhateverTheirSize() {
		SessionSandbox sandbox = SessionSandbox.builder(this.sandboxes.handle()).maxOutputBytes(8_000_000).build();
		ExecResult result = sandbox.exec(ExecSpec.of("sh", "-c",
				"head -c 3000000 /dev/zero | tr '\\0' e >&2 & head -c 3000000 /dev/zero | tr '\\0' o; wait"));
		assertThat(result.stdout()).hasSize(3_000_000).containsPattern("^o+$");
		assertThat(result.stderr()).hasSize(3_000_000).containsPattern("^e+$");
	}

	@Test
	void commandsRunBesideEachOtherAndKeepTheirOutputApart() throws Exception {
		SessionSandbox sandbox = this.sandboxes.sandbox();
		List<CompletableFuture<ExecResult>> running = IntStream.range(0, 4)
			.mapToObj((i) -> CompletableFuture.supplyAsync(
					() -> sandbox.exec(ExecSpec.of("sh", "-c",
							"touch here-" + i + "; until test $(ls | wc -l) = 4; do sleep 0.05; done; echo " + i)),
					(task) -> new Thread(task).start()))
			.toList();
		for (int i = 0; i < 4; i++) {
			assertThat(running.get(i).get(30, TimeUnit.SECONDS).stdout()).isEqualTo(i + "\n");
		}
	}

	@Test
	void aCommandBeyondTheLimitIsRefusedAtOnce() throws Exception {
		SessionSandbox sandbox = SessionSandbox.of(this.sandboxes.handle(this.sandboxes
			.backend((builder) -> builder.sessionLimits(new SessionLimits(1, 1000, 1000, 1000, 1000)))));
		Process first = sandbox.startInteractive(ExecSpec.of("cat"));
		Refusals.assertRefused(ErrorCode.SANDBOX_BUSY, () -> sandbox.exec(ExecSpec.of("true")));
		Refusals.assertRefused(ErrorCode.SANDBOX_BUSY, () -> sandbox.startInteractive(ExecSpec.of("true")));
		first.getOutputStream().close();
		assertThat(first.waitFor()).isZero();
		assertThat(sandbox.exec(ExecSpec.of("true")).success()).isTrue();
	}

	@Test
	void whereNoSandboxCanBeBuiltNothingRuns() throws IOException {
		Path tools = Files.createDirectory(this.sandboxes.root().resolve("tools"));
		SessionSandbox sandbox = SessionSandbox
			.of(this.sandboxes.handle(this.sandboxes.backend((builder) -> builder.mount(tools, "/opt/tools"))));
		Files.delete(tools);
		Refusals.assertRefused(ErrorCode.SANDBOX_UNAVAILABLE, () -> sandbox.exec(ExecSpec.of("touch", "ran")));
		Refusals.assertRefused(ErrorCode.SANDBOX_UNAVAILABLE,
				() -> sandbox.startInteractive(ExecSpec.of("touch", "ran")));
		assertThat(sandbox.files().exists("ran")).isFalse();
	}

	@Test
	void afterClosingEveryCallIsRefused() {
		SessionSandbox sandbox = this.sandboxes.sandbox();
		sandbox.close();
		assertThatIllegalStateException().isThrownBy(() -> sandbox.exec(ExecSpec.of("true")));
		assertThatIllegalStateException().isThrownBy(() -> sandbox.startInteractive(ExecSpec.of("true")));
		Refusals.assertRefused(ErrorCode.SANDBOX_STOPPED, () -> sandbox.files().create("a", "b"));
		Refusals.assertRefused(ErrorCode.SANDBOX_STOPPED, () -> sandbox.files().exists("a"));
		Refusals.assertRefused(ErrorCode.SANDBOX_STOPPED, () -> sandbox.files().list("."));
	}

	@Test
	void aSessionThatWasStoppedByOthersRefusesCommands() {
		SandboxHandle handle = this.sandboxes.handle();
		SessionSandbox sandbox = SessionSandbox.of(handle);
		handle.stop();
		assertThat(sandbox.isClosed()).isFalse();
		Refusals.assertRefused(ErrorCode.SANDBOX_STOPPED, () -> sandbox.exec(ExecSpec.of("true")));
	}

	@Test
	void aSessionThatIsKeptCanBeAttachedToLater() {
		BubblewrapBackend backend = this.sandboxes.backend((builder) -> builder);
		SandboxHandle handle = this.sandboxes.handle(backend);
		SandboxState state = handle.captureState();
		try (SessionSandbox sandbox = SessionSandbox.builder(handle).keepOnClose().build()) {
			assertThat(sandbox.shouldCleanupOnClose()).isFalse();
			sandbox.files().create("notes", "kept");
		}
		try (SessionSandbox again = SessionSandbox
			.of(backend.create(SandboxRequest.attach(state).network(NetworkPolicy.denyAll()).build()))) {
			assertThat(again.files().read("notes")).isEqualTo("kept");
		}
	}

	@Test
	void boundsOutOfTheirRangeAreRefusedBeforeTheFirstCommand() {
		SandboxHandle handle = this.sandboxes.handle();
		for (Duration timeout : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofDays(25))) {
			Refusals.assertRefused(ErrorCode.SANDBOX_INVALID,
					() -> SessionSandbox.builder(handle).defaultTimeout(timeout).build());
		}
		for (long bytes : new long[] { 0, -1, Integer.MAX_VALUE }) {
			Refusals.assertRefused(ErrorCode.SANDBOX_INVALID,
					() -> SessionSandbox.builder(handle).maxOutputBytes(bytes).build());
		}
	}

	@Test
	void noDescriptionNamesADirectoryOfTheHost() {
		assertThat(this.sandboxes.sandbox()).asString().doesNotContain(this.sandboxes.root().toString());
	}

}
