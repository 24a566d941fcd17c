package io.sandbox4j.tools;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import io.sandbox4j.WorkspacePath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is found in a file, and which files and lines are left out.
 */
class FileSearchTests {

	private static final int MAX_BYTES = 100_000;

	private static final int EXCERPT = 500;

	@Test
	void everyLineThatMatchesIsFoundOnce() {
		assertThat(found("needle", "x needle needle\n\nneedle\nneed le\n")).extracting(FileSearch.Match::line)
			.containsExactly(1, 3);
	}

	@Test
	void theLastLineNeedsNoLineEnd() {
		assertThat(found("b$", "a\nb")).containsExactly(match(2, "b"));
		assertThat(found("b$", "a\nb\n")).containsExactly(match(2, "b"));
	}

	@Test
	void aLineEndIsNoPartOfTheLine() {
		assertThat(found("a$", "a\r\nba\r\n")).containsExactly(match(1, "a"), match(2, "ba"));
		assertThat(found("\\s", "a\r\n\r\nb\n")).isEmpty();
		assertThat(found("^$", "a\r\n\r\n\nb")).containsExactly(match(2, ""), match(3, ""));
	}

	@Test
	void aCarriageReturnElsewhereIsACharacter() {
		assertThat(found("\r", "a\rb\r\nc\r\r\nd\r")).containsExactly(match(1, "a\rb"), match(2, "c\r"),
				match(3, "d\r"));
	}

	@Test
	void noTextIsFoundAcrossLines() {
		assertThat(all(text("a\nb"), "a\nb\n").matches()).isEmpty();
		assertThat(all(text("a\r"), "a\r\nb\r\n").matches()).isEmpty();
		assertThat(found("a\\sb", "a\nb\n")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "^", "$", "^$", "x*" })
	void behindTheLastLineEndIsNoLine(String expression) {
		assertThat(found(expression, "")).isEmpty();
		assertThat(found(expression, "\n")).containsExactly(match(1, ""));
		assertThat(found(expression, "\r\n\n")).containsExactly(match(1, ""), match(2, ""));
	}

	@Test
	void aByteOrderMarkIsNoPartOfTheFirstLine() {
		assertThat(found("^using", "\ufeffusing System;\nusing X;\n")).containsExactly(match(1, "using System;"),
				match(2, "using X;"));
		assertThat(found("^.?x", "a\n\ufeffx\n")).containsExactly(match(2, "\ufeffx"));
		assertThat(found("^", "\ufeff")).isEmpty();
	}

	@Test
	void aFileWithANulIsNoText() {
		assertThat(search(text("a"), 0, "a\0b".getBytes(StandardCharsets.UTF_8))).isNull();
		assertThat(search(text("z"), 0, "a\n\0".getBytes(StandardCharsets.UTF_8))).isNull();
	}

	@Test
	void bytesThatAreNotUtf8AreNoText() {
		for (byte[] bytes : List.of(bytes('a', 0xff), bytes('a', 0xc3), bytes(0xed, 0xa0, 0xbd), bytes(0xc0, 0xaf, 'a'),
				bytes('a', '\n', 0xf0, 0x9f, 0x98), bytes(0xef, 0xbf, 0xbd, 0x80), bytes(0xf4, 0x90, 0x80, 0x80))) {
			assertThat(search(text("a"), 0, bytes)).as("%s", (Object) bytes).isNull();
		}
	}

	@Test
	void aReplacementCharacterThatIsInTheFileIsText() {
		assertThat(found("a", "\ufffda\n")).containsExactly(match(1, "\ufffda"));
		assertThat(all(text("\ufffd"), "x\ufffd\n").matches()).containsExactly(match(1, "x\ufffd"));
	}

	@Test
	void charactersOfManyBytesAreFoundWhole() {
		assertThat(found("^.\u00e9.$", "\ud83d\ude00\u00e9\u20ac\n"))
			.containsExactly(match(1, "\ud83d\ude00\u00e9\u20ac"));
	}

	@Test
	void afterItsEndNothingIsSearched() throws IOException {
		FileSearch late = new FileSearch(text("a"), 0, MAX_BYTES, 10, System.nanoTime() - 1);
		assertThat(late.search(entry(1), new ByteArrayInputStream(new byte[] { 'a' })).matches()).isEmpty();
	}

	// Each line takes a large part of a second.
	@Test
	@Timeout(15)
	void aSlowExpressionIsGivenUpWithinAFile() throws IOException {
		byte[] content = ("a".repeat(8_000) + "\n").repeat(400).getBytes(StandardCharsets.UTF_8);
		LineQuery slow = expression("(a{0,60}){0,60}b");
		FileSearch search = new FileSearch(slow, 0, content.length, 10,
				System.nanoTime() + Duration.ofMillis(100).toNanos());
		assertThat(search.search(entry(content.length), new ByteArrayInputStream(content)).matches()).isEmpty();
	}

	@Test
	void aFileThatGrewIsSearchedWhole() {
		byte[] content = "a\nb\nneedle\n".getBytes(StandardCharsets.UTF_8);
		for (int listed = 0; listed < content.length; listed++) {
			assertThat(search(text("needle"), 0, listed, content).matches()).containsExactly(match(3, "needle"));
		}
	}

	@Test
	void aFileThatShrankIsSearchedAsItIs() {
		byte[] content = "a\nneedle".getBytes(StandardCharsets.UTF_8);
		assertThat(search(text("needle"), 0, MAX_BYTES, content).matches()).containsExactly(match(2, "needle"));
		assertThat(search(text("needle"), 0, 50, new byte[0]).matches()).isEmpty();
	}

	@Test
	void aFileOverTheMaximumIsLeftOut() {
		byte[] largest = ("needle" + "x".repeat(MAX_BYTES - 6)).getBytes(StandardCharsets.UTF_8);
		byte[] larger = ("needle" + "x".repeat(MAX_BYTES - 5)).getBytes(StandardCharsets.UTF_8);
		for (int listed : new int[] { 0, 5, MAX_BYTES - 1, MAX_BYTES }) {
			assertThat(search(text("needle"), 0, listed, largest).matches()).hasSize(1);
			assertThat(search(text("needle"), 0, listed, larger)).as("listed with %s", listed).isNull();
		}
		assertThat(search(text("needle"), 0, MAX_BYTES + 1L, larger)).isNull();
		assertThat(search(text("needle"), 0, 1L << 40, larger)).isNull();
	}

	@Test
	void noMoreThanTheMaximumIsReadOfAFileThatGrew() throws IOException {
		ByteArrayInputStream content = new ByteArrayInputStream(new byte[10 * MAX_BYTES]);
		assertThat(files(text("a"), 0, MAX_BYTES, 10).search(entry(10), content)).isNull();
		assertThat(content.available()).isEqualTo(9 * MAX_BYTES - 1);
	}

	@Test
	void aStreamMayGiveLittleAtATime() throws IOException {
		InputStream content = IntStream.range(0, 300)
			.mapToObj((i) -> (InputStream) new ByteArrayInputStream((i + "\n").getBytes(StandardCharsets.UTF_8)))
			.reduce(InputStream.nullInputStream(), SequenceInputStream::new);
		FileSearch.Found found = files(expression("^29.$"), 0, MAX_BYTES, 100).search(entry(7), content);
		assertThat(found.matches()).hasSize(10).startsWith(match(291, "290"));
	}

	@Test
	void contextEndsWithTheFile() {
		String lines = "1\r\n2\r\n3\r\n4\r\n5\r\n";
		assertContext("1", lines, List.of(), List.of("2", "3"));
		assertContext("2", lines, List.of("1"), List.of("3", "4"));
		assertContext("3", lines, List.of("1", "2"), List.of("4", "5"));
		assertContext("5", lines, List.of("3", "4"), List.of());
		assertContext("5", lines + "\n", List.of("3", "4"), List.of(""));
		assertContext("4", "3\n4\n5", List.of("3"), List.of("5"));
		assertContext("1", "1", List.of(), List.of());
	}

	@Test
	void contextIsOnlyShownIfItIsWanted() {
		assertThat(files(text("a"), 0, 1, 1).showsContext()).isFalse();
		assertThat(files(text("a"), 1, 1, 1).showsContext()).isTrue();
	}

	@Test
	void aLongLineOfTheContextIsCut() {
		FileSearch.Match match = all(text("needle"), 1, "x".repeat(501) + "\nneedle\n" + "y".repeat(500)).matches()
			.get(0);
		assertThat(match.before()).containsExactly("x".repeat(EXCERPT - 1) + "\u2026");
		assertThat(match.after()).containsExactly("y".repeat(EXCERPT));
	}

	@Test
	void theNumberOfMatchesIsLimited() throws IOException {
		byte[] content = "a\n".repeat(20).getBytes(StandardCharsets.UTF_8);
		for (int most : new int[] { 1, 19, 20, 21 }) {
			FileSearch.Found found = files(text("a"), 0, MAX_BYTES, most).search(entry(content.length),
					new ByteArrayInputStream(content));
			assertThat(found.matches()).hasSize(Math.min(most, 20)).startsWith(match(1, "a"));
		}
	}

	@Test
	void anExpressionSkipsAndCountsLongLines() {
		String lines = "ab" + "x".repeat(8190) + "\n" + "ab" + "x".repeat(8191) + "\r\nab\n" + "x".repeat(9000);
		FileSearch.Found found = all(expression("a."), lines);
		assertThat(found.matches()).extracting(FileSearch.Match::line).containsExactly(1, 3);
		assertThat(found.skippedLines()).isEqualTo(2);
	}

	@Test
	void noLineIsSkippedThatHasNoMatchForSure() {
		assertThat(all(expression("needle\\d"), "x".repeat(9000)).skippedLines()).isZero();
	}

	@Test
	void aTextIsFoundInALongLine() {
		FileSearch.Found found = all(text("needle"), "x".repeat(50_000) + "needle" + "y".repeat(20_000));
		assertThat(found.skippedLines()).isZero();
		assertThat(found.matches()).hasSize(1);
		assertThat(found.matches().get(0).text()).hasSize(EXCERPT)
			.contains("xneedley")
			.startsWith("\u2026")
			.endsWith("\u2026");
	}

	@Test
	void aMatchThatIsTooLongIsShownFromItsStart() {
		String text = found("ba+", "-".repeat(600) + "b" + "a".repeat(600) + "\n").get(0).text();
		assertThat(text).isEqualTo("\u2026b" + "a".repeat(EXCERPT - 3) + "\u2026");
	}

	@Test
	void theSizeIsThatOfAllThatIsHeld() {
		assertThat(all(text("needle"), 1, "ab\nneedle\nc\n").size()).isEqualTo(9);
		assertThat(all(text("needle"), 1, "ab\nneedle\nneedle\nc\n").size()).isEqualTo(27);
		assertThat(all(text("none"), 1, "ab\n").size()).isZero();
	}

	private static void assertContext(String line, String lines, List<String> before, List<String> after) {
		FileSearch.Match match = all(text(line), 2, lines).matches().get(0);
		assertThat(match.before()).isEqualTo(before);
		assertThat(match.after()).isEqualTo(after);
	}

	private static List<FileSearch.Match> found(String expression, String content) {
		return all(expression(expression), content).matches();
	}

	private static FileSearch.Found all(LineQuery query, String content) {
		return all(query, 0, content);
	}

	private static FileSearch.Found all(LineQuery query, int context, String content) {
		return search(query, context, content.getBytes(StandardCharsets.UTF_8));
	}

	private static FileSearch.Found search(LineQuery query, int context, byte[] content) {
		return search(query, context, content.length, content);
	}

	private static FileSearch.Found search(LineQuery query, int context, long listed, byte[] content) {
		try {
			return files(query, context, MAX_BYTES, 100).search(entry(listed), new ByteArrayInputStream(content));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static FileEntry entry(long size) {
		return new FileEntry(WorkspacePath.parse("f"), FileType.FILE, size, Instant.EPOCH, false);
	}

	private static FileSearch files(LineQuery query, int context, int maxBytes, int maxMatches) {
		return new FileSearch(query, context, maxBytes, maxMatches, System.nanoTime() + Duration.ofHours(1).toNanos());
	}

	private static FileSearch.Match match(int line, String text) {
		return new FileSearch.Match(line, text, List.of(), List.of());
	}

	private static LineQuery text(String text) {
		return LineQuery.of(text, false);
	}

	private static LineQuery expression(String expression) {
		return LineQuery.of(expression, true);
	}

	private static byte[] bytes(int... values) {
		byte[] bytes = new byte[values.length];
		for (int i = 0; i < values.length; i++) {
			bytes[i] = (byte) values[i];
		}
		return bytes;
	}

}
