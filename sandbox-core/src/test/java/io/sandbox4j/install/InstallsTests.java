package io.sandbox4j.install;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.install.InstallState.Done;
import io.sandbox4j.install.InstallState.Failed;
import io.sandbox4j.install.InstallState.Idle;
import io.sandbox4j.install.InstallState.Running;
import io.sandbox4j.install.InstallState.Skipped;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("isolation")
class InstallsTests {

	private static final String COUNTED = "echo x >>count; mkdir -p node_modules";

	private static final String FAILING = "echo x >>count; echo broken >&2; exit 3";

	private static final String ENDLESS = "echo x >>count; echo begun; sleep 300";

	private static final String REPOSITORY = InstallExtension.REPOSITORY;

	@RegisterExtension
	static final InstallExtension sandbox = new InstallExtension();

	private static void awaitCount(int count) {
		Awaitility.await().pollInterval(Duration.ofMillis(10)).until(() -> sandbox.count() == count);
	}

	@Test
	void nothingIsKnownOfADirectoryThatNobodyAskedFor() {
		assertThat(sandbox.installs(COUNTED).state(".")).isEqualTo(new Idle());
		assertThat(sandbox.store().list(sandbox.session().id())).isEmpty();
	}

	@Test
	void anInstallRunsInTheBackgroundToItsEnd() {
		Installs installs = sandbox
			.installs(COUNTED + "; cat; echo '\u001b[1mhello'; echo there >&2; until [ -e go ]; do sleep 0.02; done");
		assertThat(installs.start(".", REPOSITORY)).isInstanceOfSatisfying(Running.class,
				(running) -> assertThat(running.startedAt()).isEqualTo(sandbox.now()));
		sandbox.advance(Duration.ofSeconds(7));
		sandbox.files().writeText("go", "");
		assertThat(sandbox.awaitEnd(installs)).isInstanceOfSatisfying(Done.class, (done) -> {
			assertThat(done.command()).startsWith("echo x");
			assertThat(done.exitCode()).isZero();
			assertThat(done.finishedAt()).isEqualTo(sandbox.now());
			assertThat(done.took()).isEqualTo(Duration.ofSeconds(7));
			assertThat(done.tail()).isEqualTo("[1mhello\nthere");
			assertThat(done.repairAt()).isNull();
		});
		assertThat(installs.treePresent(".")).isTrue();
	}

	@Test
	void whoListensHearsOfEachEndOnce() {
		List<String> heard = new ArrayList<>();
		sandbox.files().writeText("package.json", "{}");
		Installs installs = sandbox.installs((builder) -> builder.plan(InstallExtension.plan(COUNTED).build())
			.listener((session, directory, state) -> {
				heard.add(directory + " " + state.getClass().getSimpleName());
				throw new IllegalStateException("logged");
			}));
		sandbox.run(installs);
		installs.start(".", REPOSITORY);
		installs.rearm(".");
		installs.start("absent");
		installs.start("absent");
		assertThat(heard).containsExactly(". Done", "absent Skipped");
		assertThat(installs.states()).containsOnlyKeys(".", "absent");
	}

	@Test
	void thePauseCanBeSet() {
		Installs installs = sandbox
			.installs((builder) -> builder.plan(InstallExtension.plan(FAILING).build()).pause(Duration.ofSeconds(30)));
		sandbox.files().writeText("package.json", "{}");
		sandbox.run(installs);
		assertThat(installs.start(".", REPOSITORY)).isInstanceOfSatisfying(Failed.class,
				(failed) -> assertThat(failed.repairAt()).isEqualTo(sandbox.now().plusSeconds(30)));
	}

	@Test
	void aRunningInstallShowsTheEndOfItsOutput() {
		Installs installs = sandbox.installs(ENDLESS);
		installs.start(".", REPOSITORY);
		Awaitility.await()
			.until(() -> installs.state(".") instanceof Running running && "begun".equals(running.tail()));
	}

	@Test
	void aFailureTellsItsExitCodeAndTheEndOfItsOutput() {
		assertThat(sandbox.run(sandbox.installs(FAILING))).isInstanceOfSatisfying(Failed.class, (failed) -> {
			assertThat(failed.error()).isEqualTo("The command ended with exit code 3.");
			assertThat(failed.exitCode()).isEqualTo(3);
			assertThat(failed.tail()).isEqualTo("broken");
			assertThat(failed.repairAt()).isNull();
		});
	}

	@Test
	void aFloodOfOutputNeitherStopsItNorIsKept() {
		assertThat(
				sandbox.run(sandbox.installs("mkdir node_modules; head -c 20000000 /dev/zero | tr '\\0' x; echo end")))
			.isInstanceOfSatisfying(Done.class,
					(done) -> assertThat(done.tail()).endsWith("xend").hasSizeLessThan(OutputTail.CAPACITY + 1));
	}

	@Test
	void aDirectoryBelowHasItsOwnInstall() {
		sandbox.files().createDirectories("web/app");
		Installs installs = sandbox.installs(COUNTED);
		installs.start("/workspace/web/app", REPOSITORY);
		Awaitility.await().until(() -> installs.state("web/app") instanceof Done);
		assertThat(sandbox.files().exists("web/app/node_modules")).isTrue();
		assertThat(installs.state(".")).isEqualTo(new Idle());
	}

	@Test
	void whatItNeedsForItselfIsIgnoredByGitAndItsCacheIsGone() {
		sandbox.run(sandbox.installs("mkdir node_modules; echo x >$SANDBOX_INSTALL_CACHE/x; ls $npm_config_cache"));
		assertThat(sandbox.out("git init -q . && git status --porcelain")).isEmpty();
		assertThat(sandbox.out("ls /workspace/.sandbox/install | grep -v '[.]exit$'")).isEmpty();
	}

	@Test
	void nothingToInstallIsSkippedWithTheReason() {
		Installs installs = sandbox.installs((builder) -> builder);
		assertThat(installs.start(".")).isInstanceOfSatisfying(Skipped.class,
				(skipped) -> assertThat(skipped.reason()).contains("package.json"));
		assertThat(installs.state(".")).isInstanceOf(Skipped.class);
	}

	@Test
	void theSameIsNotInstalledAgain() {
		sandbox.files().writeText("package.json", "{}");
		Installs installs = sandbox.installs(COUNTED);
		sandbox.run(installs);
		sandbox.advance(Duration.ofHours(1));
		assertThat(installs.start(".", REPOSITORY)).isInstanceOfSatisfying(Done.class, (done) -> {
			assertThat(done.took()).isZero();
			assertThat(done.finishedAt()).isEqualTo(sandbox.now());
		});
		assertThat(sandbox.count()).isEqualTo(1);
	}

	@Test
	void whatChangesNothingIsNotWritten() {
		sandbox.files().writeText("package.json", "{}");
		Installs installs = sandbox.installs(COUNTED);
		installs.start("web");
		installs.start("web");
		assertThat(generation("web")).isEqualTo(1);
		sandbox.run(installs);
		long done = generation(".");
		installs.start(".", REPOSITORY);
		assertThat(generation(".")).isEqualTo(done);
		sandbox.files().writeText("package.json", "{ }");
		Installs failing = sandbox.installs(FAILING);
		sandbox.run(failing);
		failing.start(".", REPOSITORY);
		long armed = generation(".");
		failing.start(".", REPOSITORY);
		assertThat(generation(".")).isEqualTo(armed);
	}

	private static long generation(String directory) {
		return sandbox.store().load(new InstallKey(sandbox.session().id(), directory)).generation();
	}

	@Test
	void aStartThatIsNotNeededForgetsNoRepair() {
		sandbox.files().writeText("package.json", "{}");
		Installs installs = sandbox.installs(COUNTED);
		sandbox.run(installs);
		installs.rearm(".");
		assertThat(installs.start(".", REPOSITORY)).isInstanceOfSatisfying(Done.class,
				(done) -> assertThat(done.repairAt()).isNotNull());
		sandbox.advance(Installs.PAUSE);
		installs.sweep();
		sandbox.awaitEnd(installs);
		assertThat(sandbox.count()).isEqualTo(2);
	}

	@Test
	void aTreeInTheHomeIsIgnoredByGit() {
		String command = "mkdir -p ~/.cached/repository; touch ~/.cached/repository/x";
		Installs installs = sandbox.installs((builder) -> builder
			.plan(InstallPlan.builder().override(REPOSITORY, command, "/workspace/.cached/repository").build()));
		assertThat(sandbox.run(installs)).isInstanceOf(Done.class);
		assertThat(sandbox.out("git init -q . && git status --porcelain")).isEmpty();
	}

	@Test
	void whatAKilledInstallHadDownloadedIsGone() {
		Installs installs = sandbox.installs("head -c 100000 /dev/zero >$SANDBOX_INSTALL_CACHE/x; " + ENDLESS);
		installs.start(".", REPOSITORY);
		awaitCount(1);
		installs.cancel(".");
		assertThat(sandbox.out("ls /workspace/.sandbox/install")).isEmpty();
	}

	@Test
	void itIsInstalledAgainIfItsTreeIsGone() {
		sandbox.files().writeText("package.json", "{}");
		Installs installs = sandbox.installs(COUNTED);
		sandbox.run(installs);
		sandbox.files().remove("node_modules");
		assertThat(sandbox.run(installs)).isInstanceOf(Done.class);
		assertThat(sandbox.count()).isEqualTo(2);
	}

	@Test
	void itIsInstalledAgainIfAFileOfItChanged() {
		sandbox.files().writeText("package.json", "{}");
		Installs installs = sandbox.installs(COUNTED);
		sandbox.run(installs);
		sandbox.files().writeText("yarn.lock", "x");
		sandbox.run(installs);
		assertThat(sandbox.count()).isEqualTo(2);
	}

	@Test
	void itIsInstalledAgainIfTheCommandChanged() {
		sandbox.files().writeText("package.json", "{}");
		sandbox.run(sandbox.installs(COUNTED));
		sandbox.run(sandbox.installs(COUNTED + "; true"));
		assertThat(sandbox.count()).isEqualTo(2);
	}

	@Test
	void withoutFilesToCompareItIsAlwaysInstalledAgain() {
		Installs installs = sandbox.installs(COUNTED);
		sandbox.run(installs);
		sandbox.run(installs);
		assertThat(sandbox.count()).isEqualTo(2);
	}

	@Test
	void anInstallThatMadeNoTreeIsNotSkippedLater() {
		sandbox.files().writeText("package.json", "{}");
		Installs installs = sandbox.installs("echo x >>count");
		assertThat(sandbox.run(installs)).isInstanceOf(Done.class);
		sandbox.files().createDirectories("node_modules");
		sandbox.run(installs);
		assertThat(sandbox.count()).isEqualTo(2);
	}

	@Test
	void aFileThatChangesWhileItRunsIsSeenByTheNext() {
		sandbox.files().writeText("package.json", "{}");
		Installs installs = sandbox.installs(COUNTED + "; echo >>package.json");
		sandbox.run(installs);
		sandbox.run(installs);
		assertThat(sandbox.count()).isEqualTo(2);
	}

	@Test
	void whoeverAsksWhileItRunsFindsTheSameRun() {
		Installs installs = sandbox.installs(ENDLESS);
		InstallState first = installs.start(".", REPOSITORY);
		sandbox.advance(Duration.ofSeconds(1));
		InstallState second = installs.start(".", REPOSITORY);
		awaitCount(1);
		assertThat(((Running) second).startedAt()).isEqualTo(((Running) first).startedAt());
	}

	@Test
	void ofSeveralOverOneStoreOneRunsIt() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			List<Callable<InstallState>> calls = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				Installs installs = sandbox.installs(ENDLESS);
				calls.add(() -> installs.start(".", REPOSITORY));
			}
			for (Future<InstallState> state : threads.invokeAll(calls)) {
				assertThat(state.get()).isInstanceOf(Running.class);
			}
		}
		finally {
			threads.shutdownNow();
		}
		awaitCount(1);
		assertThat(sandbox.session().admission().active()).isEqualTo(1);
	}

	@Test
	void onlyWhoRunsItCanCancelIt() {
		Installs one = sandbox.installs(ENDLESS);
		Installs other = sandbox.installs(ENDLESS);
		one.start(".", REPOSITORY);
		assertThat(other.state(".")).isInstanceOf(Running.class);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> other.cancel("."))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY));
	}

	@Test
	void aCancelledInstallIsKilledAndItsResultComesTooLate() {
		Installs installs = sandbox.installs(ENDLESS);
		installs.start(".", REPOSITORY);
		awaitCount(1);
		InstallState cancelled = installs.cancel(".");
		assertThat(sandbox.session().admission().active()).isZero();
		assertThat(cancelled).isInstanceOfSatisfying(Failed.class,
				(failed) -> assertThat(failed.error()).isEqualTo("It was cancelled."));
		assertThat(installs.state(".")).isEqualTo(cancelled);
		sandbox.advance(Duration.ofSeconds(1));
		InstallState next = installs.start(".", REPOSITORY);
		awaitCount(2);
		assertThat(installs.state(".")).isInstanceOfSatisfying(Running.class,
				(running) -> assertThat(running.startedAt()).isEqualTo(((Running) next).startedAt()));
	}

	@Test
	void theResultOfASupersededRunIsDiscarded() {
		Installs installs = sandbox
			.installs("echo x >>count; until [ -e go ]; do sleep 0.02; done; mkdir node_modules");
		installs.start(".", REPOSITORY);
		awaitCount(1);
		InstallLedger ledger = new InstallLedger(sandbox.store(), sandbox.session().id(),
				(session, directory, state) -> {
				});
		InstallLedger.Page page = ledger.load(".");
		InstallRecord newer = InstallRecord.running("another-run", page.record().owner().split("/")[0] + "/other", null,
				new InstallResolution.Command("m", "c", List.of(), List.of(), false), null, sandbox.now(),
				sandbox.now().plusSeconds(600));
		ledger.write(page, newer);
		sandbox.files().writeText("go", "");
		sandbox.awaitNoCommand();
		assertThat(ledger.load(".").record()).isEqualTo(newer);
		assertThat(installs.state(".")).isInstanceOf(Running.class);
	}

	@Test
	void whatFailedIsRunAgainWhenThePauseIsOver() {
		sandbox.files().writeText("package.json", "{}");
		Installs installs = sandbox.installs(FAILING);
		sandbox.run(installs);
		sandbox.advance(Duration.ofMinutes(4));
		assertThat(installs.start(".", REPOSITORY)).isInstanceOfSatisfying(Failed.class,
				(failed) -> assertThat(failed.repairAt()).isEqualTo(sandbox.now().plusSeconds(60)));
		installs.sweep();
		assertThat(sandbox.count()).isEqualTo(1);
		sandbox.advance(Duration.ofMinutes(1));
		installs.sweep();
		assertThat(sandbox.awaitEnd(installs)).isInstanceOfSatisfying(Failed.class,
				(failed) -> assertThat(failed.repairAt()).isNull());
		assertThat(sandbox.count()).isEqualTo(2);
	}

	@Test
	void whatFailedIsNeverRunAgainUnasked() {
		Installs installs = sandbox.installs(FAILING);
		sandbox.run(installs);
		sandbox.advance(Duration.ofDays(1));
		installs.sweep();
		assertThat(installs.state(".")).isInstanceOf(Failed.class);
		assertThat(sandbox.count()).isEqualTo(1);
	}

	@Test
	void whatFailedIsRunAgainAtOnceIfAFileOfItChanged() {
		sandbox.files().writeText("package.json", "{}");
		Installs installs = sandbox.installs(FAILING);
		sandbox.run(installs);
		sandbox.files().writeText("package.json", "{ }");
		assertThat(installs.start(".", REPOSITORY)).isInstanceOf(Running.class);
		sandbox.awaitEnd(installs);
		assertThat(sandbox.count()).isEqualTo(2);
	}

	@Test
	void aRepairRunsWhatIsDoneAgain() {
		sandbox.files().writeText("package.json", "{}");
		Installs installs = sandbox.installs(COUNTED);
		sandbox.run(installs);
		assertThat(installs.rearm(".")).isInstanceOfSatisfying(Done.class,
				(done) -> assertThat(done.repairAt()).isEqualTo(sandbox.now().plus(Installs.PAUSE)));
		sandbox.advance(Installs.PAUSE);
		assertThat(installs.rearm(".")).isInstanceOf(Running.class);
		assertThat(sandbox.awaitEnd(installs)).isInstanceOf(Done.class);
		assertThat(sandbox.count()).isEqualTo(2);
	}

	@Test
	void aRepairThatIsToComeCanBeForgotten() {
		Installs installs = sandbox.installs(COUNTED);
		sandbox.run(installs);
		installs.rearm(".");
		assertThat(installs.cancel(".")).isInstanceOfSatisfying(Done.class,
				(done) -> assertThat(done.repairAt()).isNull());
		sandbox.advance(Duration.ofHours(1));
		installs.sweep();
		assertThat(sandbox.count()).isEqualTo(1);
	}

	@Test
	void whatIsIdleOrSkippedIsNotRepaired() {
		Installs installs = sandbox.installs((builder) -> builder);
		assertThat(installs.rearm(".")).isEqualTo(new Idle());
		installs.start(".");
		assertThat(installs.rearm(".")).isInstanceOf(Skipped.class);
	}

	@Test
	void aRunEndsAtItsTimeout() {
		Installs installs = sandbox.installs(
				(builder) -> builder.plan(InstallExtension.plan(ENDLESS).timeout(Duration.ofMillis(800)).build()));
		assertThat(sandbox.run(installs)).isInstanceOfSatisfying(Failed.class, (failed) -> {
			assertThat(failed.error()).isEqualTo("It took longer than PT0.8S.");
			assertThat(failed.exitCode()).isNull();
		});
	}

	@Test
	void theWatchdogFailsAndKillsWhatDoesNotEndInTime() {
		Installs installs = sandbox.installs(ENDLESS);
		installs.start(".", REPOSITORY);
		awaitCount(1);
		sandbox.advance(Duration.ofMinutes(25).minusMillis(1));
		installs.sweep();
		assertThat(installs.state(".")).isInstanceOf(Running.class);
		sandbox.advance(Duration.ofMillis(1));
		installs.sweep();
		assertThat(sandbox.store().load(new InstallKey(sandbox.session().id(), ".")).document())
			.contains("It did not end in time.");
		assertThat(sandbox.session().admission().active()).isZero();
	}

	@Test
	void theWatchdogLooksByItself() {
		Installs installs = sandbox.installs(
				(builder) -> builder.watchdog(Duration.ofMillis(20)).plan(InstallExtension.plan(ENDLESS).build()));
		installs.start(".", REPOSITORY);
		awaitCount(1);
		sandbox.advance(Duration.ofHours(1));
		Awaitility.await().until(() -> sandbox.session().admission().active() == 0);
	}

	@Test
	void whatCannotBeStartedFailsAtOnce() {
		sandbox.files().writeText(".sandbox", "in the way");
		Installs installs = sandbox.installs(COUNTED);
		assertThat(installs.start(".", REPOSITORY)).isInstanceOfSatisfying(Failed.class,
				(failed) -> assertThat(failed.error()).isEqualTo("It could not be started (SANDBOX_PATH)."));
		sandbox.files().remove(".sandbox");
		assertThat(sandbox.run(installs)).isInstanceOf(Done.class);
	}

	@Test
	void aPlantedLinkLeadsNothingAstray() {
		sandbox.out("mkdir -p elsewhere && ln -s elsewhere .sandbox");
		assertThat(sandbox.installs(COUNTED).start(".", REPOSITORY)).isInstanceOf(Failed.class);
		assertThat(sandbox.out("ls -A elsewhere")).isEmpty();
	}

	@Test
	void fullStorageRefusesAndWritesNothing() {
		StorageUse full = new StorageUse(10_000_000_000L, 10_000_000_000L);
		Installs installs = sandbox
			.installs((builder) -> builder.plan(InstallExtension.plan(COUNTED).build()).storage(() -> full));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> installs.start(".", REPOSITORY))
			.withMessageContaining("10.0 of 10.0 GB")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_LIMIT));
		assertThat(sandbox.store().list(sandbox.session().id())).isEmpty();
		assertThat(sandbox.out("ls -A")).isEmpty();
	}

	@Test
	void closeKillsWhatItRunsAndTakesNothingMore() {
		Installs installs = sandbox.installs(ENDLESS);
		installs.start(".", REPOSITORY);
		awaitCount(1);
		installs.close();
		assertThat(sandbox.session().admission().active()).isZero();
		installs.close();
		assertThat(installs.state(".")).isInstanceOfSatisfying(Failed.class,
				(failed) -> assertThat(failed.error()).contains("as it stopped"));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> installs.start(".", REPOSITORY))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STOPPED));
	}

	@Test
	void aPathOutsideIsRefused() {
		Installs installs = sandbox.installs(COUNTED);
		for (String path : List.of("../x", "/etc", "")) {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> installs.start(path, REPOSITORY))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_PATH));
		}
	}

}
