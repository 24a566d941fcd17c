package io.sandbox4j.install;

import java.time.Duration;
import java.util.List;

import io.sandbox4j.ExecResult;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;
import io.sandbox4j.install.InstallState.Done;
import io.sandbox4j.install.InstallState.Failed;
import io.sandbox4j.install.InstallState.Running;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What another process began, as it wrote it down.
 */
@Tag("isolation")
class InstallRecoveryTests {

	private static final String RUN = "00000000-0000-4000-8000-000000000001";

	private static final String COUNTED = "echo x >>count; mkdir -p node_modules";

	@RegisterExtension
	static final InstallExtension sandbox = new InstallExtension();

	private InstallLedger ledger;

	@BeforeEach
	void anotherProcessWroteARunDown() {
		sandbox.files().writeText("package.json", "{}");
		this.ledger = new InstallLedger(sandbox.store(), sandbox.session().id(), (session, directory, state) -> {
		});
		write("another-process/installs");
	}

	private void write(String owner) {
		InstallPlan plan = InstallExtension.plan(COUNTED).build();
		InstallResolution.Command command = (InstallResolution.Command) plan.resolve(sandbox.files(), ".",
				InstallExtension.REPOSITORY);
		String fingerprint = Fingerprint.of(sandbox.files(), WorkspacePath.parse("."), command.command(),
				command.files());
		this.ledger.write(this.ledger.load("."), InstallRecord.running(RUN, owner, InstallExtension.REPOSITORY, command,
				fingerprint, sandbox.now(), sandbox.now().plus(Duration.ofMinutes(25))));
	}

	private ExecResult runInside(String run, String command) {
		InstallScript script = new InstallScript(sandbox.files(), ".");
		script.prepare();
		InstallRecord record = InstallRecord.running(run, "", null,
				new InstallResolution.Command("m", command, List.of(), List.of(), false), null, sandbox.now(),
				sandbox.now());
		return sandbox.session().run(script.command(record, Duration.ofSeconds(30)));
	}

	@Test
	void aRunThatLeftItsExitCodeIsDoneAndSkippedLater() {
		runInside(RUN, COUNTED);
		Installs installs = sandbox.installs(COUNTED);
		assertThat(installs.state(".")).isInstanceOfSatisfying(Done.class,
				(done) -> assertThat(done.exitCode()).isZero());
		assertThat(installs.start(".", InstallExtension.REPOSITORY)).isInstanceOf(Done.class);
		assertThat(sandbox.count()).isEqualTo(1);
	}

	@Test
	void aRunThatLeftAnotherExitCodeFailed() {
		assertThat(runInside(RUN, "exit 7").exitCode()).isEqualTo(7);
		assertThat(sandbox.installs(COUNTED).state(".")).isInstanceOfSatisfying(Failed.class,
				(failed) -> assertThat(failed.exitCode()).isEqualTo(7));
	}

	@Test
	void aRunThatLeftNothingIsLostAndNotRunAgain() {
		Installs installs = sandbox.installs(COUNTED);
		installs.sweep();
		assertThat(installs.state(".")).isInstanceOfSatisfying(Failed.class, (failed) -> {
			assertThat(failed.error()).startsWith("It was lost");
			assertThat(failed.repairAt()).isNull();
		});
		sandbox.advance(Duration.ofDays(1));
		installs.sweep();
		assertThat(sandbox.count()).isZero();
		assertThat(sandbox.run(installs)).isInstanceOf(Done.class);
	}

	@Test
	void theExitCodeOfAnEarlierRunIsNotOfThisOne() {
		runInside("00000000-0000-4000-8000-000000000002", "true");
		assertThat(sandbox.installs(COUNTED).state(".")).isInstanceOf(Failed.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ln -s /etc/passwd F", "mkdir F", "mkfifo F", "echo " + RUN + " 0 0 >F",
			"printf '" + RUN + " 0' >F", "echo " + RUN + " -1 >F", "echo " + RUN + " 0000000000000 >F",
			"head -c 3000000 /dev/zero >F" })
	void whatIsNoExitCodeIsNone(String script) {
		runInside(RUN, COUNTED);
		String file = sandbox.out("ls -d /workspace/.sandbox/install/*.exit");
		sandbox.out("rm " + file + "; " + script.replace("F", file));
		assertThat(sandbox.installs(COUNTED).state(".")).isInstanceOf(Failed.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "touch .sandbox", "mkfifo .sandbox", "ln -s /etc .sandbox",
			"mkdir .sandbox; ln -s /etc .sandbox/install", "mkdir .sandbox; mkfifo .sandbox/install" })
	void whateverIsInThePlaceOfTheFileTheRunIsSettled(String script) {
		sandbox.out(script);
		assertThat(sandbox.installs(COUNTED).state(".")).isInstanceOfSatisfying(Failed.class,
				(failed) -> assertThat(failed.error()).startsWith("It was lost"));
	}

	@Test
	void whatALostRunHadDownloadedIsGone() {
		sandbox.files().createDirectories(".sandbox/install/" + RUN + ".cache/deep");
		sandbox.installs(COUNTED).state(".");
		assertThat(sandbox.out("ls /workspace/.sandbox/install")).isEmpty();
	}

	@Test
	void aRunOfOthersInThisProcessIsLeftToThemUntilItIsTooOld() {
		Installs one = sandbox.installs(COUNTED);
		one.state(".");
		one.start(".", InstallExtension.REPOSITORY);
		sandbox.awaitEnd(one);
		String process = this.ledger.load(".").record().owner().split("/")[0];
		write(process + "/others");
		assertThat(one.state(".")).isInstanceOf(Running.class);
		sandbox.advance(Duration.ofMinutes(25));
		one.sweep();
		assertThat(one.state(".")).isInstanceOf(Failed.class);
	}

	@Test
	void whoDoesNotOwnTheSessionSettlesNothing() {
		Installs installs = sandbox.installs(COUNTED);
		sandbox.sandbox().stop();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> installs.state("."));
		installs.sweep();
		assertThat(this.ledger.load(".").record().isRunning()).isTrue();
	}

	@Test
	void whoDoesNotOwnTheSessionWritesNothingOverWhatItsOwnerWrote() {
		Installs installs = sandbox.installs(COUNTED);
		sandbox.run(installs);
		InstallLedger.Page written = this.ledger.load(".");
		sandbox.files().writeText("package.json", "{ }");
		sandbox.sandbox().stop();
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> installs.start(".", InstallExtension.REPOSITORY));
		assertThat(this.ledger.load(".")).isEqualTo(written);
	}

	@Test
	void aDocumentThatCannotBeReadIsAFailureThatAStartReplaces() {
		for (String document : List.of("", "null", "{", "{\"status\":\"NEW\"}", "[]")) {
			InstallLedger.Page page = this.ledger.load(".");
			sandbox.store().replace(new InstallKey(sandbox.session().id(), "."), page.generation(), document);
			Installs installs = sandbox.installs(COUNTED);
			assertThat(installs.state(".")).isInstanceOfSatisfying(Failed.class,
					(failed) -> assertThat(failed.error()).contains("cannot be read"));
			assertThat(sandbox.run(installs)).isInstanceOf(Done.class);
		}
	}

}
