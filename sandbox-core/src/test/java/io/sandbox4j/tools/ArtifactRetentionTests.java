package io.sandbox4j.tools;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is kept, how much of it, and for how long.
 */
class ArtifactRetentionTests {

	private static final String SESSION = "session-1";

	private static final Duration EXPIRY = Duration.ofHours(1);

	private static final Duration INSTANT = Duration.ofNanos(1_000);

	@TempDir
	Path directory;

	private final MovableClock clock = new MovableClock();

	private FileArtifactStore store;

	@BeforeEach
	void openStore() throws Exception {
		this.store = open();
	}

	@Test
	void theOldestMakeRoom() {
		String first = put(SESSION, 4);
		String second = put(SESSION, 4);
		String third = put(SESSION, 2);
		assertKept(SESSION, first, second, third);
		String fourth = put(SESSION, 1);
		assertGone(SESSION, first);
		assertKept(SESSION, second, third, fourth);
		String fifth = put(SESSION, 9);
		assertGone(SESSION, second, third);
		assertKept(SESSION, fourth, fifth);
	}

	@Test
	void anOutputAsLargeAsTheQuotaTakesItAll() {
		String small = put(SESSION, 1);
		String large = put(SESSION, 10);
		assertGone(SESSION, small);
		assertKept(SESSION, large);
	}

	@Test
	void aLargerOneIsRefusedAndNothingMakesRoomForIt() {
		String small = put(SESSION, 1);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> put(SESSION, 11))
			.withMessageContaining("11 bytes")
			.withMessageContaining("at most 10")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_LIMIT));
		assertKept(SESSION, small);
	}

	@Test
	void othersDoNotMakeRoom() {
		String other = put("other", 10);
		String own = put(SESSION, 10);
		assertKept("other", other);
		assertKept(SESSION, own);
	}

	@Test
	void readingMakesNothingYounger() {
		String first = put(SESSION, 5);
		String second = put(SESSION, 5);
		this.clock.advance(Duration.ofMinutes(1));
		assertKept(SESSION, first);
		put(SESSION, 1);
		assertGone(SESSION, first);
		assertKept(SESSION, second);
	}

	@Test
	void theOrderIsThatOfPutsWhenTheClockWasSetBack() {
		String first = put(SESSION, 5);
		this.clock.advance(Duration.ofMinutes(-5));
		String second = put(SESSION, 5);
		String third = put(SESSION, 5);
		assertGone(SESSION, first);
		assertKept(SESSION, second, third);
	}

	@Test
	void theOrderOutlivesTheStore() throws Exception {
		String first = put(SESSION, 5);
		String second = open().put(SESSION, new byte[5]);
		String third = open().put(SESSION, new byte[5]);
		assertGone(SESSION, first);
		assertKept(SESSION, second, third);
	}

	@Test
	void emptyOutputsAreCountedAtLeast() throws Exception {
		String first = put(SESSION, 0);
		Path session = this.directory.resolve(SESSION);
		for (int i = 1; i < SessionArtifacts.MAX_ARTIFACTS; i++) {
			Path file = Files.createFile(session.resolve("%032x".formatted(i)));
			Files.setLastModifiedTime(file, FileTime.from(this.clock.instant().plus(INSTANT)));
		}
		assertKept(SESSION, first);
		put(SESSION, 0);
		assertGone(SESSION, first);
		assertThat(files(session)).hasSize(SessionArtifacts.MAX_ARTIFACTS);
	}

	@Test
	void anOutputExpires() {
		String reference = put(SESSION, 1);
		this.clock.advance(EXPIRY.minus(INSTANT));
		assertKept(SESSION, reference);
		this.clock.advance(INSTANT);
		assertGone(SESSION, reference);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.store.open(SESSION, reference))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_NOT_FOUND));
	}

	@Test
	void anOutputOfAClockThatWasFarAheadExpiresToo() {
		this.clock.advance(EXPIRY.plus(INSTANT));
		String reference = put(SESSION, 1);
		this.clock.advance(EXPIRY.plus(INSTANT).negated());
		assertGone(SESSION, reference);
	}

	@Test
	void anExpiredOutputTakesNothingOfTheQuota() throws Exception {
		put(SESSION, 6);
		this.clock.advance(EXPIRY.dividedBy(2));
		String second = put(SESSION, 4);
		this.clock.advance(EXPIRY.dividedBy(2));
		String third = put(SESSION, 6);
		assertKept(SESSION, second, third);
		assertThat(files(this.directory.resolve(SESSION))).hasSize(2);
	}

	@Test
	void opensWithoutWhatIsExpired() throws Exception {
		put(SESSION, 1);
		put("other", 1);
		this.clock.advance(EXPIRY);
		open();
		assertThat(this.directory).isEmptyDirectory();
	}

	@Test
	void anOutputOfAnySessionSweepsTheOthers() throws Exception {
		put("other", 1);
		this.clock.advance(EXPIRY);
		put(SESSION, 1);
		assertThat(files(this.directory)).containsExactly(SESSION);
	}

	@Test
	void sweepsAtMostOnceAMinute() throws Exception {
		put("other", 1);
		this.clock.advance(EXPIRY.minusSeconds(30));
		put(SESSION, 1);
		this.clock.advance(Duration.ofSeconds(59));
		put(SESSION, 1);
		assertThat(files(this.directory)).contains("other");
		this.clock.advance(Duration.ofSeconds(1));
		put(SESSION, 1);
		assertThat(files(this.directory)).containsExactly(SESSION);
	}

	@Test
	void whatACrashLeftIsSwept() throws Exception {
		Path left = unfinished();
		this.clock.advance(SessionArtifacts.LEFTOVER);
		open();
		assertThat(left.getParent()).doesNotExist();
	}

	@Test
	void whatAnotherProcessWritesNowStays() throws Exception {
		Path written = unfinished();
		this.clock.advance(SessionArtifacts.LEFTOVER.minus(INSTANT));
		open();
		assertThat(written).exists();
	}

	@Test
	void anUnfinishedOutputIsRemovedWithItsSession() throws Exception {
		Path left = unfinished();
		this.store.removeSession("crashed");
		assertThat(left.getParent()).doesNotExist();
	}

	@Test
	void whatIsNotOfTheStoreIsNotSwept() throws Exception {
		Path foreign = Files.writeString(this.directory.resolve("notes.txt"), "x");
		Path session = Files.createDirectory(this.directory.resolve("other"));
		Path file = Files.writeString(session.resolve("notes.txt"), "x");
		Path nested = Files.createDirectory(session.resolve("0".repeat(32)));
		old(foreign, file, nested);
		this.clock.advance(EXPIRY);
		open();
		assertThat(foreign).exists();
		assertThat(file).exists();
		assertThat(nested).isDirectory();
	}

	@Test
	void anEmptySessionIsSwept() throws Exception {
		Path session = Files.createDirectory(this.directory.resolve("empty"));
		open();
		assertThat(session).doesNotExist();
	}

	private FileArtifactStore open() throws IOException {
		return FileArtifactStore.builder(this.directory).quotaBytes(10).expiry(EXPIRY).clock(this.clock).build();
	}

	private String put(String session, int bytes) {
		return this.store.put(session, "x".repeat(bytes).getBytes(StandardCharsets.UTF_8));
	}

	private Path unfinished() throws IOException {
		Path session = Files.createDirectory(this.directory.resolve("crashed"));
		Path left = Files.writeString(session.resolve("." + "0".repeat(32) + ".tmp"), "x");
		old(left);
		return left;
	}

	private void old(Path... files) throws IOException {
		for (Path file : files) {
			Files.setLastModifiedTime(file, FileTime.from(this.clock.instant()));
		}
	}

	private static List<String> files(Path directory) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			return files.map((file) -> file.getFileName().toString()).toList();
		}
	}

	private void assertKept(String session, String... references) {
		assertThat(references).allSatisfy((reference) -> this.store.read(session, reference, 0, 1));
	}

	private void assertGone(String session, String... references) {
		assertThat(references).allSatisfy((reference) -> assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.store.read(session, reference, 0, 1))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_NOT_FOUND)));
	}

}
