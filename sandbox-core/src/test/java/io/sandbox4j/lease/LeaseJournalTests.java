package io.sandbox4j.lease;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxException;
import io.sandbox4j.lease.LeaseInfo.Phase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("isolation")
class LeaseJournalTests {

	@RegisterExtension
	static final LeaseExtension fixture = new LeaseExtension();

	private static final LeaseKey KEY = LeaseKey.forConversation("c");

	@TempDir
	Path directory;

	@Test
	void aRestartFindsItsLeasesWithTheirFiles() {
		List<String> setups = new ArrayList<>();
		LeaseSpec spec = fixture.spec(KEY).setup((lease) -> setups.add("setup")).build();
		SandboxLeases before = journaled();
		before.use(spec, (lease) -> LeaseExtension.out(lease, "echo kept > note"));
		before.close();
		assertThat(fixture.backend().running).isEmpty();
		SandboxLeases after = journaled();
		assertThat(after.recovery().recovered()).containsExactly(KEY);
		assertThat(after.info(KEY).orElseThrow().phase()).isEqualTo(Phase.RECOVERED);
		assertThat(after.<String>use(spec, (lease) -> LeaseExtension.out(lease, "cat note"))).isEqualTo("kept");
		assertThat(after.status().recovered()).isEqualTo(1);
		assertThat(setups).hasSize(1);
	}

	@Test
	void credentialsAreRevokedAtTheCloseAndIssuedAgainAtTheNextUse() {
		RecordingBroker broker = new RecordingBroker();
		CredentialBrokers brokers = CredentialBrokers.builder().broker(broker).build();
		LeaseSpec spec = fixture.spec(KEY).broker("recording").build();
		SandboxLeases before = fixture.leases((builder) -> builder.journal(journal()).brokers(brokers));
		before.open(spec).close();
		before.close();
		assertThat(broker.events).containsExactly("issue", "revoke");
		SandboxLeases after = fixture.leases((builder) -> builder.journal(journal()).brokers(brokers));
		after.open(spec).close();
		after.open(spec).close();
		assertThat(broker.events).containsExactly("issue", "revoke", "issue");
	}

	@Test
	void aCrashLosesNoLease() throws Exception {
		String line = LeaseChild.run(fixture, journal(), "c", "work");
		assertThat(line).startsWith("opened ");
		SandboxLeases leases = journaled();
		assertThat(leases.recovery().recovered()).containsExactly(KEY);
		try (SandboxLease lease = leases.open(fixture.spec("c"))) {
			assertThat("opened " + lease.session().id()).isEqualTo(line);
			assertThat(lease.session().files().readText("note")).isEqualTo("from the child");
		}
	}

	@Test
	void aLeaseWhoseSetupDidNotEndIsNotRecovered() throws Exception {
		assertThat(LeaseChild.run(fixture, journal(), "c", "setup")).startsWith("halted in ");
		assertThat(fixture.backend().sessions()).hasSize(1);
		SandboxLeases leases = journaled();
		assertThat(leases.recovery().unfinished()).isEqualTo(1);
		assertThat(leases.list()).isEmpty();
		assertThat(fixture.backend().sessions()).isEmpty();
		assertThat(files()).isEmpty();
	}

	@Test
	void anotherProcessIsRefused() throws Exception {
		SandboxLeases leases = journaled();
		assertThat(LeaseChild.run(fixture, journal(), "c", "work")).isEqualTo("SANDBOX_BUSY");
		assertThat(leases.list()).isEmpty();
	}

	@Test
	void othersInThisProcessAreRefusedAndTakeNothingFromTheFirst() throws Exception {
		SandboxLeases first = journaled();
		assertBusy();
		assertBusy();
		assertThat(LeaseChild.run(fixture, journal(), "c", "work")).isEqualTo("SANDBOX_BUSY");
		first.close();
		SandboxLeases second = journaled();
		first.close();
		assertBusy();
		second.close();
	}

	@Test
	void theSameDirectoryByAnotherNameIsRefused() throws Exception {
		journaled();
		Path link = Files.createSymbolicLink(this.directory.resolve("link"), journal());
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> fixture.leases((builder) -> builder.journal(link)))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY));
	}

	@Test
	void nothingSecretIsWritten() throws Exception {
		SandboxLeases leases = fixture.leases((builder) -> builder.journal(journal())
			.brokers(CredentialBrokers.builder().environment(Map.of("A_KEY", "hush-value"), Set.of("A_KEY")).build()));
		NetworkPolicy policy = NetworkPolicy
			.allow(OriginRule.builder("https://api.example.com").header("authorization", "hush-header").build());
		leases.open(fixture.spec(LeaseKey.forAgent("r1", "coder")).network(policy).build()).close();
		assertThat(files()).singleElement().satisfies((file) -> {
			assertThat(Files.readString(file)).contains("agent/r1/coder")
				.doesNotContain("hush", "A_KEY", "example", "authorization");
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
		});
	}

	@Test
	void anEndedLeaseIsForgotten() throws Exception {
		SandboxLeases leases = journaled();
		leases.open(fixture.spec("c")).close();
		assertThat(files()).hasSize(1);
		leases.end(KEY);
		assertThat(files()).isEmpty();
	}

	@Test
	void aSessionThatIsGoneIsSwept() throws Exception {
		SandboxLeases before = journaled();
		String id = before.use(fixture.spec("c"), (lease) -> lease.session().id());
		before.close();
		fixture.backend().delete(id);
		SandboxLeases after = journaled();
		assertThat(after.recovery()).isEqualTo(new LeaseRecovery(List.of(), 1, 0, 0, 0));
		assertThat(files()).isEmpty();
	}

	@Test
	void damagedFilesAreSweptAndTheRestIsFound() throws Exception {
		SandboxLeases before = journaled();
		before.open(fixture.spec("c")).close();
		before.close();
		Path good = files().get(0);
		Files.writeString(journal().resolve("a.json"), "{\"key\":");
		Files.writeString(journal().resolve("b.json"), "");
		Files.writeString(journal().resolve("c.json"), "null");
		Files.copy(good, journal().resolve("d.json"));
		Files.writeString(journal().resolve("e.json.tmp"), "half");
		Files.writeString(journal().resolve("g.json"), "{}");
		Files.createSymbolicLink(journal().resolve("f.json"), good);
		SandboxLeases after = journaled();
		assertThat(after.recovery()).isEqualTo(new LeaseRecovery(List.of(KEY), 0, 0, 6, 0));
		assertThat(files()).containsExactly(good);
	}

	@Test
	void theLeasesOfAnotherBackendAreLeftAlone() throws Exception {
		SandboxLeases before = journaled();
		before.open(fixture.spec("c")).close();
		before.close();
		Path file = files().get(0);
		String original = Files.readString(file);
		Files.writeString(file, original.replace("\"bubblewrap\"", "\"other\""));
		SandboxLeases after = journaled();
		assertThat(after.recovery().foreign()).isEqualTo(1);
		after.close();
		assertThat(file).exists();
		Files.writeString(file, original);
		assertThat(journaled().recovery().recovered()).containsExactly(KEY);
	}

	@Test
	void timeGoesOnWhileNobodyRuns() {
		SandboxLeases before = journaled();
		before.open(fixture.spec("c")).close();
		before.close();
		Instant later = Instant.now().plus(Duration.ofHours(7));
		SandboxLeases after = fixture
			.leases((builder) -> builder.journal(journal()).clock((InstantSource) () -> later));
		assertThat(after.recovery().recovered()).containsExactly(KEY);
		after.sweep();
		assertThat(after.list()).isEmpty();
		assertThat(after.status().expired()).isEqualTo(1);
		assertThat(fixture.backend().sessions()).isEmpty();
	}

	@Test
	void aDirectoryThatOthersCanWriteIsRefused() throws Exception {
		Files.createDirectory(journal());
		Files.setPosixFilePermissions(journal(), PosixFilePermissions.fromString("rwxrwxrwx"));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(this::journaled)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE));
	}

	@Test
	void anAbsurdLifetimeIsDamage() throws Exception {
		SandboxLeases before = journaled();
		before.open(fixture.spec("c")).close();
		before.close();
		Path file = files().get(0);
		String original = Files.readString(file);
		Files.writeString(file,
				original.replaceAll("\"maxLifetimeMillis\":\\d+", "\"maxLifetimeMillis\":" + Long.MAX_VALUE));
		assertThat(original).isNotEqualTo(Files.readString(file));
		SandboxLeases after = journaled();
		assertThat(after.recovery()).isEqualTo(new LeaseRecovery(List.of(), 0, 0, 1, 0));
		fixture.backend().sessions().forEach((session) -> fixture.backend().delete(session.id()));
	}

	private void assertBusy() {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(this::journaled)
			.withMessageContaining("'sandbox.lease.journal.directory'")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY));
	}

	private Path journal() {
		return this.directory.resolve("journal");
	}

	private SandboxLeases journaled() {
		return fixture.leases((builder) -> builder.journal(journal()));
	}

	private List<Path> files() throws IOException {
		try (Stream<Path> files = Files.list(journal())) {
			return files.filter((file) -> !file.endsWith("lock")).toList();
		}
	}

}
