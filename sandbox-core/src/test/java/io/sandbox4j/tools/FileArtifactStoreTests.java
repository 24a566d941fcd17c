package io.sandbox4j.tools;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What goes in comes out, for its session only.
 */
class FileArtifactStoreTests {

	private static final String SESSION = "session-1";

	@TempDir
	Path temporary;

	@ParameterizedTest
	@CsvSource({ "0, 100, 0123456789", "0, 10, 0123456789", "0, 3, 012", "3, 3, 345", "8, 5, 89", "9, 1, 9",
			"10, 5, ''", "11, 5, ''", "9223372036854775807, 2147483647, ''", "0, 0, ''", "10, 0, ''",
			"1, 2147483647, 123456789" })
	void aPartIsReadAndTheSizeIsOfTheWhole(long offset, int maxBytes, String expected) {
		FileArtifactStore store = open();
		String reference = store.put(SESSION, bytes("0123456789"));
		ArtifactStore.Content content = store.read(SESSION, reference, offset, maxBytes);
		assertThat(content.bytes()).asString(StandardCharsets.UTF_8).isEqualTo(expected);
		assertThat(content.totalBytes()).isEqualTo(10);
	}

	@Test
	void anEmptyOutputIsKept() {
		FileArtifactStore store = open();
		String reference = store.put(SESSION, new byte[0]);
		assertThat(store.read(SESSION, reference, 0, 10).bytes()).isEmpty();
		assertThat(store.read(SESSION, reference, 0, 10).totalBytes()).isZero();
	}

	@Test
	void bytesThatAreNoTextStayAsTheyAre() throws Exception {
		byte[] content = new byte[300_000];
		for (int i = 0; i < content.length; i++) {
			content[i] = (byte) (i * 31);
		}
		FileArtifactStore store = open();
		String reference = store.put(SESSION, content);
		try (InputStream stream = store.open(SESSION, reference)) {
			assertThat(stream.readAllBytes()).isEqualTo(content);
		}
		assertThat(store.read(SESSION, reference, 0, Integer.MAX_VALUE).bytes()).isEqualTo(content);
	}

	@Test
	void aReferenceIsRandomAlsoForTheSameOutput() {
		FileArtifactStore store = open();
		Set<String> references = new HashSet<>();
		for (int i = 0; i < 100; i++) {
			references.add(store.put(SESSION, bytes("same")));
		}
		assertThat(references).hasSize(100).allMatch((reference) -> reference.matches("[0-9a-f]{32}"));
	}

	@Test
	void aReferenceOfAnotherSessionIsAsUnknownAsOneThatNeverWas() {
		FileArtifactStore store = open();
		String reference = store.put("other", bytes("secret"));
		store.put(SESSION, bytes("own"));
		SandboxException foreign = notFound(() -> store.read(SESSION, reference, 0, 10));
		SandboxException unknown = notFound(() -> store.read(SESSION, "0".repeat(32), 0, 10));
		assertThat(foreign).hasMessage(unknown.getMessage()).hasNoCause();
		notFound(() -> store.open(SESSION, reference));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "..", "../other", "/etc/passwd", "0123456789abcdef0123456789abcde",
			"0123456789abcdef0123456789abcdef0", "0123456789ABCDEF0123456789ABCDEF",
			"0123456789abcdef0123456789abcdef\n", " 0123456789abcdef0123456789abcde",
			"../other/0123456789abcdef0123456", ".0123456789abcdef0123456789abcdef.tmp", "\u0000",
			"0123456789abcdef/../0123456789abc", "\u0660123456789abcdef0123456789abcde" })
	void aMalformedReferenceIsUnknownToo(String reference) {
		FileArtifactStore store = open();
		String message = notFound(() -> store.read(SESSION, "0".repeat(32), 0, 10)).getMessage();
		assertThat(notFound(() -> store.read(SESSION, reference, 0, 10))).hasMessage(message);
		assertThat(notFound(() -> store.open(SESSION, reference))).hasMessage(message);
	}

	@Test
	void whatIsUnknownSaysWhatToDo() {
		assertThat(notFound(() -> open().read(SESSION, "0".repeat(32), 0, 10)))
			.hasMessageContaining("kept for a limited time")
			.hasMessageContaining("Run the command again")
			.hasMessageNotContaining(this.temporary.toString());
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "..", "../x", "a/b", "/", "a.b", "a b", "a\n", "a\u0000", "\u00e9", "~", "a\\b" })
	void aMalformedSessionIsRefusedBeforeAnythingIsTouched(String session) throws Exception {
		FileArtifactStore store = open();
		assertInvalid(() -> store.put(session, bytes("x")));
		assertInvalid(() -> store.read(session, "0".repeat(32), 0, 1));
		assertInvalid(() -> store.open(session, "0".repeat(32)));
		assertInvalid(() -> store.removeSession(session));
		assertThat(directory()).isEmptyDirectory();
		assertThat(this.temporary).isDirectoryNotContaining((path) -> !path.equals(directory()));
	}

	@Test
	void aSessionHasAtMost128Characters() {
		FileArtifactStore store = open();
		String longest = "a_-Z".repeat(32);
		assertThat(store.read(longest, store.put(longest, bytes("x")), 0, 1).totalBytes()).isEqualTo(1);
		assertInvalid(() -> store.put(longest + "a", bytes("x")));
	}

	@Test
	void aNegativeNumberIsRefused() {
		FileArtifactStore store = open();
		String reference = store.put(SESSION, bytes("x"));
		assertInvalid(() -> store.read(SESSION, reference, -1, 1));
		assertInvalid(() -> store.read(SESSION, reference, 0, -1));
	}

	@Test
	void aRemovedSessionHasNothingAndOthersKeepTheirs() {
		FileArtifactStore store = open();
		String removed = store.put(SESSION, bytes("x"));
		String kept = store.put("other", bytes("y"));
		store.removeSession(SESSION);
		notFound(() -> store.read(SESSION, removed, 0, 1));
		assertThat(store.read("other", kept, 0, 1).bytes()).isEqualTo(bytes("y"));
		assertThat(directory().resolve(SESSION)).doesNotExist();
		assertThat(store.put(SESSION, bytes("z"))).isNotEqualTo(removed);
	}

	@Test
	void aSessionWithoutOutputsIsRemovedToo() {
		FileArtifactStore store = open();
		store.removeSession("unknown");
		assertThat(directory()).isEmptyDirectory();
	}

	@Test
	void anOpenStreamReadsToTheEndOfWhatWasRemoved() throws Exception {
		FileArtifactStore store = open();
		String reference = store.put(SESSION, bytes("content"));
		try (InputStream stream = store.open(SESSION, reference)) {
			store.removeSession(SESSION);
			store.close();
			assertThat(stream.readAllBytes()).isEqualTo(bytes("content"));
		}
	}

	@Test
	void aClosedStoreRefusesAndKeeps() {
		FileArtifactStore store = open();
		String reference = store.put(SESSION, bytes("content"));
		store.close();
		store.close();
		assertCode(ErrorCode.SANDBOX_STOPPED, () -> store.put(SESSION, bytes("x")));
		assertCode(ErrorCode.SANDBOX_STOPPED, () -> store.read(SESSION, reference, 0, 1));
		assertCode(ErrorCode.SANDBOX_STOPPED, () -> store.open(SESSION, reference));
		assertCode(ErrorCode.SANDBOX_STOPPED, () -> store.removeSession(SESSION));
		assertThat(open().read(SESSION, reference, 0, 10).bytes()).isEqualTo(bytes("content"));
	}

	@Test
	void anInterruptedThreadKeepsAndReads() throws Exception {
		FileArtifactStore store = open();
		try {
			Thread.currentThread().interrupt();
			String reference = store.put(SESSION, bytes("content"));
			assertThat(store.read(SESSION, reference, 3, 10).bytes()).isEqualTo(bytes("tent"));
			try (InputStream stream = store.open(SESSION, reference)) {
				assertThat(stream.readAllBytes()).isEqualTo(bytes("content"));
			}
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
		}
		finally {
			Thread.interrupted();
		}
	}

	@Test
	void aStoreWhoseDirectoryIsGoneNamesNoPath() throws Exception {
		FileArtifactStore store = open();
		Files.delete(directory());
		assertThat(assertCode(ErrorCode.SANDBOX_UNAVAILABLE, () -> store.put(SESSION, bytes("x"))))
			.hasMessageNotContaining(this.temporary.toString())
			.hasNoCause();
		notFound(() -> store.read(SESSION, "0".repeat(32), 0, 1));
	}

	@Test
	void settingsAreMoreThanZero() {
		FileArtifactStoreBuilder builder = FileArtifactStore.builder(directory());
		assertInvalid(() -> builder.quotaBytes(0));
		assertInvalid(() -> builder.expiry(Duration.ZERO));
		assertInvalid(() -> builder.expiry(Duration.ofSeconds(-1)));
	}

	private FileArtifactStore open() {
		return FileArtifactStore.builder(directory()).build();
	}

	private Path directory() {
		return this.temporary.resolve("outputs");
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static SandboxException notFound(ThrowingCallable call) {
		return assertCode(ErrorCode.SANDBOX_NOT_FOUND, call);
	}

	private static void assertInvalid(ThrowingCallable call) {
		assertCode(ErrorCode.SANDBOX_INVALID, call);
	}

	private static SandboxException assertCode(ErrorCode code, ThrowingCallable call) {
		return assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(code))
			.actual();
	}

}
