package io.sandbox4j.storage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class GuestsTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	@TempDir
	Path directory;

	private final String id = RandomIds.next();

	private SessionPaths paths;

	private Guests guests;

	private final List<Process> processes = new ArrayList<>();

	@BeforeEach
	void setUp() throws Exception {
		this.paths = new SessionPaths(this.id, this.directory);
		this.guests = new Guests(this.paths);
		Files.createDirectory(this.paths.guests());
	}

	@AfterEach
	void tearDown() {
		this.processes.forEach(Process::destroyForcibly);
	}

	@Test
	void killsWhatWasRecorded() throws Exception {
		Process guest = start("sleep", "600");
		this.guests.add(guest.pid());
		assertThat(this.guests.killLeftovers(false, BOUND)).isOne();
		assertThat(ProcessIdentity.of(guest.pid())).isEmpty();
		assertThat(this.paths.guests()).isEmptyDirectory();
	}

	@Test
	void sparesWhatWasRemoved() throws Exception {
		Process guest = start("sleep", "600");
		this.guests.add(guest.pid());
		this.guests.remove(guest.pid());
		assertThat(this.guests.killLeftovers(true, BOUND)).isZero();
		assertThat(guest.isAlive()).isTrue();
	}

	@Test
	void sparesALiveProcessWithTheRecordedNumberAndAnotherStart() throws Exception {
		Process stranger = start("sleep", "600");
		ProcessIdentity identity = ProcessIdentity.of(stranger.pid()).orElseThrow();
		write(new ProcessIdentity(identity.pid(), identity.startTicks() - 5, identity.bootId(),
				identity.pidNamespace()));
		assertThat(this.guests.killLeftovers(true, BOUND)).isZero();
		assertThat(stranger.isAlive()).isTrue();
	}

	@Test
	void sparesAProcessThatWasRecordedInAnotherPidNamespace() throws Exception {
		Process stranger = start("sleep", "600");
		ProcessIdentity identity = ProcessIdentity.of(stranger.pid()).orElseThrow();
		write(new ProcessIdentity(identity.pid(), identity.startTicks(), identity.bootId(), "pid:[1]"));
		assertThat(this.guests.killLeftovers(true, BOUND)).isZero();
		assertThat(stranger.isAlive()).isTrue();
	}

	@Test
	void sparesAProcessThatWasRecordedBeforeThisBoot() throws Exception {
		Process stranger = start("sleep", "600");
		ProcessIdentity identity = ProcessIdentity.of(stranger.pid()).orElseThrow();
		write(new ProcessIdentity(identity.pid(), identity.startTicks(), "other", identity.pidNamespace()));
		assertThat(this.guests.killLeftovers(true, BOUND)).isZero();
		assertThat(stranger.isAlive()).isTrue();
	}

	@Test
	void neverKillsThisProcess() {
		this.guests.add(ProcessHandle.current().pid());
		assertThat(this.guests.killLeftovers(true, BOUND)).isZero();
	}

	@Test
	void findsUnrecordedProcessesByTheirMarker() throws Exception {
		Process guest = startMarked(Guests.marker(this.id));
		assertThat(this.guests.killLeftovers(true, BOUND)).isPositive();
		assertThat(ProcessIdentity.of(guest.pid())).isEmpty();
	}

	@Test
	void damagedRecordLeadsToASearch() throws Exception {
		Process guest = startMarked(Guests.marker(this.id));
		Files.writeString(this.paths.guests().resolve(Long.toString(guest.pid())), "{\"pi");
		assertThat(this.guests.killLeftovers(false, BOUND)).isPositive();
		assertThat(ProcessIdentity.of(guest.pid())).isEmpty();
		assertThat(this.paths.guests()).isEmptyDirectory();
	}

	@Test
	void sparesProcessesOfOtherSessions() throws Exception {
		Process other = startMarked(Guests.marker(RandomIds.next()));
		Process longer = startMarked(Guests.marker(this.id) + "0");
		assertThat(this.guests.killLeftovers(true, BOUND)).isZero();
		assertThat(other.isAlive()).isTrue();
		assertThat(longer.isAlive()).isTrue();
	}

	@Test
	void survivorsAreNamedAndRecordsKept() throws Exception {
		Process guest = start("sleep", "600");
		this.guests.add(guest.pid());
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.guests.killLeftovers(false, Duration.ofSeconds(-1)))
			.withMessageContaining("[" + guest.pid() + "]")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY));
		assertThat(this.paths.guests()).isNotEmptyDirectory();
	}

	@Test
	void processThatIsGoneIsNotRecorded() throws Exception {
		Process guest = start("true");
		guest.waitFor();
		await().until(() -> ProcessHandle.of(guest.pid()).isEmpty());
		this.guests.add(guest.pid());
		assertThat(this.paths.guests()).isEmptyDirectory();
	}

	@Test
	void recordThatCannotBeWrittenIsAnError() throws Exception {
		Process guest = start("sleep", "600");
		Files.delete(this.paths.guests());
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.guests.add(guest.pid()))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE));
	}

	@Test
	void interruptDoesNotCutTheWaitShort() throws Exception {
		Process guest = start("sleep", "600");
		this.guests.add(guest.pid());
		Thread.currentThread().interrupt();
		assertThat(this.guests.killLeftovers(false, BOUND)).isOne();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(ProcessIdentity.of(guest.pid())).isEmpty();
	}

	private void write(ProcessIdentity identity) throws Exception {
		Files.write(this.paths.guests().resolve(Long.toString(identity.pid())), JsonFiles.bytes(identity));
	}

	private Process startMarked(String marker) throws Exception {
		Process process = start("sh", "-c", "echo up; while :; do sleep 1; done", marker);
		process.inputReader().readLine();
		return process;
	}

	private Process start(String... command) throws Exception {
		Process process = new ProcessBuilder(command).start();
		this.processes.add(process);
		// The child is seen with this JVM's name and arguments until it has become the
		// program.
		await().until(() -> process.info().command().map((path) -> !path.contains("java")).orElse(!process.isAlive()));
		return process;
	}

}
