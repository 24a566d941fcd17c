package io.sandbox4j.storage;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxTemplate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TemplateStoreTests {

	@TempDir
	Path directory;

	private StateDirectory state;

	@BeforeEach
	void open() {
		this.state = TestState.open(this.directory);
	}

	@AfterEach
	void close() {
		this.state.close();
	}

	@Test
	void sameTemplateIsStoredOnce() {
		PreparedTemplate first = prewarm(template("one"));
		PreparedTemplate second = prewarm(template("one"));
		assertThat(first.reused()).isFalse();
		assertThat(second).isEqualTo(new PreparedTemplate(first.key(), true));
		assertThat(this.state.templates().keys()).containsExactly(first.key());
	}

	@Test
	void keyIsTheDocumentedDigest() throws Exception {
		PreparedTemplate prepared = prewarm(SandboxTemplate.named("t")
			.file("b", "2")
			.file("a", "1".getBytes(StandardCharsets.UTF_8), true)
			.build());
		String json = "[\"test\",\"t\",[[\"a\",\"" + StateDirectory.sha256("1") + "\",\"x\"],[\"b\",\""
				+ StateDirectory.sha256("2") + "\"]]]";
		assertThat(prepared.key()).isEqualTo(StateDirectory.sha256(json));
	}

	@Test
	void otherContentIsAnotherTemplate() {
		assertThat(prewarm(template("one")).key()).isNotEqualTo(prewarm(template("two")).key());
	}

	@Test
	void otherNameIsAnotherTemplate() {
		assertThat(prewarm(SandboxTemplate.named("a").build()).key())
			.isNotEqualTo(prewarm(SandboxTemplate.named("b").build()).key());
	}

	@Test
	void executableBitIsPartOfTheKey() {
		byte[] bytes = { 1 };
		assertThat(prewarm(SandboxTemplate.named("t").file("f", bytes, true).build()).key())
			.isNotEqualTo(prewarm(SandboxTemplate.named("t").file("f", bytes, false).build()).key());
	}

	@Test
	void otherBackendHasOtherKeysAndSeesNothing() {
		try (StateDirectory other = TestState.open(this.directory, "other")) {
			PreparedTemplate mine = prewarm(template("one"));
			assertThat(other.templates().keys()).isEmpty();
			assertThat(other.templates().prewarm(template("one")).key()).isNotEqualTo(mine.key());
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> other.sessions().create(mine.key()))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_NOT_FOUND));
		}
	}

	@Test
	void bytesAreThoseOfTheCall() throws Exception {
		byte[] buffer = "original".getBytes(StandardCharsets.UTF_8);
		SandboxTemplate template = SandboxTemplate.named("t").file("f", buffer).build();
		Arrays.fill(buffer, (byte) 0);
		String key = prewarm(template).key();
		assertThat(this.state.sessions().create(key).workspace().resolve("f")).hasContent("original");
	}

	@Test
	void storedFilesAreForThisUserOnly() throws Exception {
		byte[] bytes = { 1 };
		String key = prewarm(SandboxTemplate.named("t").file("d/f", bytes, false).file("d/x", bytes, true).build())
			.key();
		Path template = templates().resolve(key);
		assertThat(modeOf(template)).isEqualTo("rwx------");
		assertThat(modeOf(template.resolve("data/d"))).isEqualTo("rwx------");
		assertThat(modeOf(template.resolve("data/d/f"))).isEqualTo("rw-------");
		assertThat(modeOf(template.resolve("data/d/x"))).isEqualTo("rwx------");
		assertThat(modeOf(template.resolve("ready"))).isEqualTo("rw-------");
	}

	@Test
	void noTemporaryStays() throws Exception {
		prewarm(template("one"));
		assertNoTemporaries();
	}

	@Test
	void markerOfAnotherTemplateIsAMismatch() throws Exception {
		String key = prewarm(template("one")).key();
		Files.writeString(templates().resolve(key).resolve("ready"),
				"{\"backend\":\"test\",\"key\":\"" + "a".repeat(64) + "\"}");
		assertFails(() -> this.state.sessions().create(key), ErrorCode.SANDBOX_STATE_MISMATCH);
	}

	@Test
	void damagedMarkerIsInvalid() throws Exception {
		String key = prewarm(template("one")).key();
		Files.writeString(templates().resolve(key).resolve("ready"), "garbage");
		assertFails(() -> this.state.sessions().create(key), ErrorCode.SANDBOX_INVALID);
	}

	@Test
	void directoryWithoutMarkerIsNoTemplateAndIsReplaced() throws Exception {
		String key = prewarm(template("one")).key();
		Files.delete(templates().resolve(key).resolve("ready"));
		assertThat(this.state.templates().keys()).isEmpty();
		assertThat(prewarm(template("one"))).isEqualTo(new PreparedTemplate(key, false));
		assertThat(this.state.templates().keys()).containsExactly(key);
	}

	@Test
	void tooManyBytesAreRefusedBeforeAnythingIsWritten() throws Exception {
		try (StateDirectory small = TestState.open(this.directory, TestState.BACKEND,
				new StorageSettings(Durability.PROCESS, null, 10, 10))) {
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(
						() -> small.templates().prewarm(SandboxTemplate.named("t").file("f", "12345678901").build()))
				.withMessageContaining("sandbox.storage.max-template-size")
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_LIMIT));
			assertThat(small.templates().keys()).isEmpty();
			assertNoTemporaries();
		}
	}

	@Test
	void tooManyFilesAreRefused() {
		try (StateDirectory small = TestState.open(this.directory, TestState.BACKEND,
				new StorageSettings(Durability.PROCESS, null, 10, 2))) {
			SandboxTemplate template = SandboxTemplate.named("t").file("a", "").file("b", "").file("c", "").build();
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> small.templates().prewarm(template))
				.withMessageContaining("sandbox.storage.max-template-files")
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_LIMIT));
		}
	}

	@Test
	void powerLossDurabilityStoresTheSame() {
		try (StateDirectory durable = TestState.open(this.directory, TestState.BACKEND,
				new StorageSettings(Durability.POWER_LOSS, null, 1 << 20, 100))) {
			String key = durable.templates().prewarm(template("one")).key();
			assertThat(durable.sessions().create(key).workspace().resolve("src/a.txt")).hasContent("one");
		}
	}

	@Test
	void threadsThatRaceAgreeOnOne() throws Exception {
		int threads = 8;
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			for (int round = 0; round < 10; round++) {
				SandboxTemplate template = template("round " + round);
				CountDownLatch start = new CountDownLatch(1);
				List<Future<PreparedTemplate>> futures = new ArrayList<>();
				for (int i = 0; i < threads; i++) {
					futures.add(executor.submit(() -> {
						start.await();
						return prewarm(template);
					}));
				}
				start.countDown();
				List<PreparedTemplate> prepared = new ArrayList<>();
				for (Future<PreparedTemplate> future : futures) {
					prepared.add(future.get());
				}
				assertThat(prepared).extracting(PreparedTemplate::key).containsOnly(prepared.get(0).key());
				assertThat(prepared).filteredOn((item) -> !item.reused()).hasSize(1);
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(this.state.templates().keys()).hasSize(10);
		assertNoTemporaries();
	}

	@Test
	void processesThatRaceAgreeOnOne() throws Exception {
		try (ChildJvm one = ChildJvm.start("prewarm", this.directory.toString());
				ChildJvm two = ChildJvm.start("prewarm", this.directory.toString())) {
			assertThat(one.line()).isEqualTo("READY");
			assertThat(two.line()).isEqualTo("READY");
			one.proceed();
			two.proceed();
			String[] first = one.line().split(" ");
			String[] second = two.line().split(" ");
			assertThat(first[0]).isEqualTo(second[0]);
			assertThat(List.of(first[1], second[1])).containsExactlyInAnyOrder("true", "false");
		}
		assertThat(this.state.templates().keys()).hasSize(1);
	}

	private PreparedTemplate prewarm(SandboxTemplate template) {
		return this.state.templates().prewarm(template);
	}

	private static SandboxTemplate template(String content) {
		return SandboxTemplate.named("template").file("src/a.txt", content).build();
	}

	private Path templates() {
		return TestState.root(this.directory, TestState.BACKEND).resolve("templates");
	}

	private void assertNoTemporaries() throws Exception {
		for (Path entry : StateDirectory.list(TestState.root(this.directory, TestState.BACKEND).resolve("building"))) {
			if (Files.isDirectory(entry)) {
				assertThat(entry).isEmptyDirectory();
			}
		}
	}

	private static void assertFails(ThrowingCallable call, ErrorCode code) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(code));
	}

	private static String modeOf(Path path) throws Exception {
		return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
	}

}
