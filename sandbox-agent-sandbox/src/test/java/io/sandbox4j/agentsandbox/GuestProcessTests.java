package io.sandbox4j.agentsandbox;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springaicommunity.sandbox.ExecSpec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Processes that are started with their streams in the caller's hands.
 */
@Tag("isolation")
@Timeout(60)
class GuestProcessTests {

	@RegisterExtension
	final SandboxExtension sandboxes = new SandboxExtension();

	private SessionSandbox sandbox;

	@BeforeEach
	void open() {
		this.sandbox = this.sandboxes.sandbox();
	}

	@Test
	void aConversationIsPossible() throws Exception {
		Process process = sh("while read line; do echo \"<$line>\"; done; echo end >&2; exit 3");
		try (OutputStream input = process.getOutputStream()) {
			for (String line : new String[] { "first", "second" }) {
				input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
				input.flush();
				assertThat(read(process, line.length() + 3)).isEqualTo("<" + line + ">\n");
				assertThat(process.isAlive()).isTrue();
			}
		}
		assertThat(process.getErrorStream().readAllBytes()).asString().isEqualTo("end\n");
		assertThat(process.waitFor()).isEqualTo(3);
		assertThat(process.exitValue()).isEqualTo(3);
		assertThat(process.isAlive()).isFalse();
		assertThat(process.getInputStream().read()).isEqualTo(-1);
	}

	@Test
	void whatRunsHasNoExitValue() {
		Process process = sh("exec cat");
		assertThatExceptionOfType(IllegalThreadStateException.class).isThrownBy(process::exitValue);
		process.destroyForcibly();
	}

	@Test
	void waitingIsBounded() throws Exception {
		Process process = sh("exec cat");
		assertThat(process.waitFor(50, TimeUnit.MILLISECONDS)).isFalse();
		assertThat(process.waitFor(0, TimeUnit.SECONDS)).isFalse();
		assertThat(process.waitFor(-1, TimeUnit.SECONDS)).isFalse();
		process.getOutputStream().close();
		assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
		assertThat(process.waitFor(0, TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).isZero();
	}

	@Test
	void theEndIsToldToThoseWhoDoNotWait() throws Exception {
		Process process = sh("exit 5");
		assertThat(process.onExit().get(20, TimeUnit.SECONDS)).isSameAs(process);
		assertThat(process.exitValue()).isEqualTo(5);
	}

	@Test
	void destroyLetsAProgramEndByItself() throws Exception {
		Process process = sh("trap 'echo asked; exit 42' TERM; echo ready; while :; do sleep 0.05; done");
		assertThat(read(process, 6)).isEqualTo("ready\n");
		assertThat(process.supportsNormalTermination()).isTrue();
		process.destroy();
		assertThat(process.waitFor()).isEqualTo(42);
		assertThat(read(process, 6)).isEqualTo("asked\n");
	}

	@Test
	void destroyEndsAProgramThatDoesNotListen() throws Exception {
		Process process = sh("echo ready; exec cat");
		assertThat(read(process, 6)).isEqualTo("ready\n");
		process.destroy();
		assertThat(process.waitFor()).isEqualTo(143);
	}

	@Test
	void destroyForciblyTakesTheChildren() throws Exception {
		String time = SandboxExtension.sleepTime();
		Process process = sh("trap '' TERM; setsid sleep " + time + " & echo ready; while :; do sleep 0.05; done");
		assertThat(read(process, 6)).isEqualTo("ready\n");
		SandboxExtension.awaitProcess(time);
		assertThat(process.destroyForcibly()).isSameAs(process);
		assertThat(process.waitFor()).isEqualTo(137);
		assertThat(SandboxExtension.processesWith("sleep " + time)).isEmpty();
		process.destroyForcibly();
		process.destroy();
		assertThat(process.exitValue()).isEqualTo(137);
	}

	@Test
	void aDeadlineEndsIt() throws Exception {
		Process process = this.sandbox.startInteractive(ExecSpec.builder()
			.command("sh", "-c", "echo part; exec sleep 60")
			.timeout(Duration.ofSeconds(1))
			.build());
		assertThat(process.waitFor()).isEqualTo(137);
		assertThat(process.getInputStream().readAllBytes()).asString().isEqualTo("part\n");
	}

	@Test
	void theDefaultTimeoutIsNotForProcesses() throws Exception {
		SessionSandbox impatient = SessionSandbox.builder(this.sandboxes.handle())
			.defaultTimeout(Duration.ofMillis(1))
			.maxOutputBytes(1)
			.build();
		Process process = impatient.startInteractive(ExecSpec.of("sh", "-c", "read line; echo $line"));
		process.getOutputStream().write("answer\n".getBytes(StandardCharsets.UTF_8));
		process.getOutputStream().flush();
		assertThat(process.waitFor()).isZero();
		assertThat(process.getInputStream().readAllBytes()).asString().isEqualTo("answer\n");
	}

	@Test
	void moreOutputThanAnyPipeHoldsWaitsForItsReader() throws Exception {
		Process process = sh("head -c 5000000 /dev/zero");
		assertThat(process.waitFor(200, TimeUnit.MILLISECONDS)).isFalse();
		assertThat(process.getInputStream().readAllBytes()).hasSize(5_000_000);
		assertThat(process.waitFor()).isZero();
	}

	@Test
	void inputForAProgramThatIsGoneFails() throws Exception {
		Process process = sh("exit 0");
		process.waitFor();
		assertThatIOException().isThrownBy(() -> {
			process.getOutputStream().write(new byte[1_000_000]);
			process.getOutputStream().flush();
		});
	}

	@Test
	void aProgramThatDoesNotExistEndsWith127() throws Exception {
		assertThat(this.sandbox.startInteractive(ExecSpec.of("no-such-program")).waitFor()).isEqualTo(127);
	}

	@Test
	void aShellCommandAndItsEnvironmentAreThoseOfTheSpecification() throws Exception {
		Process process = this.sandbox.startInteractive(
				ExecSpec.builder().shellCommand("echo ${NAMES[0]:-$NAME} in $PWD").env("NAME", "value").build());
		assertThat(process.getInputStream().readAllBytes()).asString().isEqualTo("value in /workspace\n");
	}

	@Test
	void closingTheSandboxEndsIt() throws Exception {
		Process process = sh("trap '' TERM; echo ready; while :; do sleep 0.05; done");
		assertThat(read(process, 6)).isEqualTo("ready\n");
		this.sandbox.close();
		assertThat(process.waitFor(0, TimeUnit.SECONDS)).as("it ended before the sandbox was closed").isTrue();
		assertThat(process.exitValue()).isEqualTo(137);
	}

	@Test
	void itIsNoProcessOfTheHost() {
		Process process = sh("exec cat");
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(process::pid);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(process::toHandle);
		process.destroyForcibly();
	}

	private Process sh(String script) {
		return this.sandbox.startInteractive(ExecSpec.of("sh", "-c", script));
	}

	private static String read(Process process, int bytes) throws IOException {
		return new String(process.getInputStream().readNBytes(bytes), StandardCharsets.UTF_8);
	}

}
