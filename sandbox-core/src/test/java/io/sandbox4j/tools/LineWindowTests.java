package io.sandbox4j.tools;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import io.sandbox4j.tools.LineWindow.Line;
import io.sandbox4j.tools.LineWindow.Newlines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LineWindowTests {

	private static final int MANY = 1_000_000;

	@Test
	void aTextIsReadLineByLine() throws Exception {
		LineWindow window = read("one\ntwo\n\nfour\n", 1, MANY);
		assertThat(window.lines()).containsExactly(new Line(1, "one", 0), new Line(2, "two", 0), new Line(3, "", 0),
				new Line(4, "four", 0));
		assertThat(window.truncated()).isFalse();
		assertThat(window.totalLines()).isEqualTo(4);
		assertThat(window.nextLine()).isEqualTo(5);
		assertThat(window.nextOffset()).isEqualTo(14);
		assertThat(window.finalNewline()).isTrue();
		assertThat(window.beyondEnd()).isFalse();
	}

	@Test
	void theLastLineMayLackItsEnd() throws Exception {
		LineWindow window = read("one\ntwo", 1, MANY);
		assertThat(window.lines()).extracting(Line::text).containsExactly("one", "two");
		assertThat(window.totalLines()).isEqualTo(2);
		assertThat(window.nextLine()).isEqualTo(3);
		assertThat(window.nextOffset()).isEqualTo(7);
		assertThat(window.finalNewline()).isFalse();
	}

	@Test
	void anEndAloneIsAnEmptyLine() throws Exception {
		LineWindow window = read("\n", 1, MANY);
		assertThat(window.lines()).containsExactly(new Line(1, "", 0));
		assertThat(window.totalLines()).isEqualTo(1);
	}

	@ParameterizedTest
	@CsvSource({ "1, one, 2, 4", "2, two, 3, 8" })
	void linesFollowAWindow(long first, String text, long next, long offset) throws Exception {
		LineWindow window = read("one\ntwo\nthree", first, 1);
		assertThat(window.lines()).containsExactly(new Line(first, text, 0));
		assertThat(window.truncated()).isTrue();
		assertThat(window.nextLine()).isEqualTo(next);
		assertThat(window.nextOffset()).isEqualTo(offset);
		assertThat(window.totalLines()).isEqualTo(LineWindow.UNKNOWN);
	}

	@Test
	void afterTheLastLineNothingFollows() throws Exception {
		assertThat(read("one\ntwo\n", 2, 1).truncated()).isFalse();
		assertThat(read("one\ntwo\n", 2, 1).totalLines()).isEqualTo(2);
		assertThat(read("one\ntwo", 2, 1).truncated()).isFalse();
		assertThat(read("one\n\n", 1, 1).truncated()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "'a\nb\n', 3, 2", "'a\nb', 3, 2", "'a\nb\n', 100, 2", "'a', 2, 1", "'', 1, 0", "'', 2, 0",
			"'\n', 2, 1", "'\ufeff', 1, 0" })
	void beyondTheEndTheNumberOfLinesIsSaid(String text, long first, long total) throws Exception {
		LineWindow window = read(text, first, MANY);
		assertThat(window.beyondEnd()).isTrue();
		assertThat(window.lines()).isEmpty();
		assertThat(window.totalLines()).isEqualTo(total);
		assertThat(window.nextLine()).isEqualTo(total + 1);
		assertThat(window.truncated()).isFalse();
		assertThat(window.nextOffset()).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
		assertThat(window.finalNewline()).isEqualTo(text.endsWith("\n"));
	}

	@ParameterizedTest
	@CsvSource({ "'a\nb\n', LF", "'a\r\nb\r\n', CRLF", "'a\r\nb\n', MIXED", "'a\nb\r\n', MIXED", "'a', NONE",
			"'', NONE", "'a\rb', NONE", "'a\r', NONE", "'\r\n', CRLF", "'\n\r', LF", "'a\r\r\n', CRLF" })
	void theEndsOfLinesAreTold(String text, Newlines newlines) throws Exception {
		assertThat(read(text, 1, MANY).newlines()).isEqualTo(newlines);
	}

	@Test
	void theEndsOfLinesThatWerePassedAreTold() throws Exception {
		assertThat(read("a\r\nb\nc\nd\r\n", 2, 1).newlines()).isEqualTo(Newlines.MIXED);
		assertThat(read("a\nb\nc\r\n", 1, 2).newlines()).isEqualTo(Newlines.LF);
	}

	@Test
	void aCarriageReturnIsHiddenOnlyBeforeAnEnd() throws Exception {
		assertThat(read("a\r\n\r\nb\rc\r\r\nd\r", 1, MANY).lines()).extracting(Line::text)
			.containsExactly("a", "", "b\rc\r", "d\r");
	}

	@Test
	void aMarkAtTheStartIsNoPartOfTheLine() throws Exception {
		LineWindow window = read("\ufeffa\n\ufeffb\n", 1, 1);
		assertThat(window.lines()).containsExactly(new Line(1, "a", 0));
		assertThat(window.bom()).isTrue();
		assertThat(window.nextOffset()).isEqualTo(5);
		assertThat(read("\ufeffa\n\ufeffb\n", 2, 1).lines()).containsExactly(new Line(2, "\ufeffb", 0));
		assertThat(read("\ufeffa\n\ufeffb\n", 2, 1).bom()).isTrue();
		assertThat(read("a\ufeff\n", 1, 1).bom()).isFalse();
	}

	@Test
	void windowsOfEverySizeGiveEveryLine() throws Exception {
		String text = "é\r\n\n日本語\n\r\n😀 a\nlast";
		List<String> expected = text.lines().toList();
		for (int maxLines = 1; maxLines <= 7; maxLines++) {
			for (int maxBytes = 9; maxBytes <= 40; maxBytes++) {
				List<String> lines = new ArrayList<>();
				LineWindow window = read(text, 1, maxLines, maxBytes, MANY, MANY);
				window.lines().forEach((line) -> lines.add(line.text()));
				while (window.truncated()) {
					assertThat(startingAt(text, window.nextOffset()))
						.isEqualTo(startingAtLine(text, window.nextLine()));
					window = read(text, window.nextLine(), maxLines, maxBytes, MANY, MANY);
					window.lines().forEach((line) -> lines.add(line.text()));
				}
				assertThat(lines).isEqualTo(expected);
			}
		}
	}

	@Test
	void charactersAcrossTheBordersOfBuffersAreWhole() throws Exception {
		for (int before = 8185; before <= 8195; before++) {
			String text = "x".repeat(before) + "日本語\r\n語";
			assertThat(read(text, 1, MANY).lines()).extracting(Line::text)
				.containsExactly("x".repeat(before) + "日本語", "語");
		}
	}

	@ParameterizedTest
	@CsvSource({ "ff, 0", "61c30a62, 1", "61c30d0a62, 1", "61e282, 1", "610a80, 2", "eda080, 0", "efbbbfff, 3",
			"efbb0a, 0" })
	void malformedBytesAreNoText(String hex, long at) {
		assertNoText(HexFormat.of().parseHex(hex), MANY, at, false);
	}

	@Test
	void aNulIsNoText() {
		assertNoText(new byte[] { 'a', '\n', 'b', 0 }, MANY, 3, true);
	}

	@Test
	void whatIsClippedIsCheckedToo() {
		assertNoText(HexFormat.of().parseHex("616263ff0a"), 2, 3, false);
		assertNoText(HexFormat.of().parseHex("616263000a"), 1, 3, true);
	}

	@Test
	void linesThatAreNotShownAreNotJudged() throws Exception {
		byte[] bytes = HexFormat.of().parseHex("ff000a" + "61620a" + "ff000a");
		assertThat(read(bytes, 2, 1, MANY, MANY, MANY).lines()).containsExactly(new Line(2, "ab", 0));
		assertThat(read(bytes, 2, 2, 3, MANY, MANY).lines()).containsExactly(new Line(2, "ab", 0));
	}

	@Test
	void theEndIsTheEndThoughTheFileGrows() throws Exception {
		InputStream growing = new SequenceInputStream(bytes("a\nb"), bytes("c\nd")) {
			private boolean paused;

			@Override
			public int read(byte[] target, int offset, int length) throws IOException {
				if (length > 3 && !this.paused) {
					this.paused = true;
					return -1;
				}
				return super.read(target, offset, length);
			}
		};
		LineWindow window = LineWindow.read(growing, 1, 9, 100, 100, 100);
		assertThat(window.lines()).containsExactly(new Line(1, "a", 0), new Line(2, "b", 0));
		assertThat(window.totalLines()).isEqualTo(2);
		assertThat(window.truncated()).isFalse();
	}

	private static String startingAt(String text, long offset) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		return new String(bytes, (int) offset, bytes.length - (int) offset, StandardCharsets.UTF_8);
	}

	private static String startingAtLine(String text, long number) {
		String rest = text;
		for (long i = 1; i < number; i++) {
			rest = rest.substring(rest.indexOf('\n') + 1);
		}
		return rest;
	}

	private static void assertNoText(byte[] bytes, int maxLineBytes, long at, boolean nul) {
		assertThatExceptionOfType(NotTextException.class)
			.isThrownBy(() -> read(bytes, 1, MANY, MANY, maxLineBytes, MANY))
			.satisfies((ex) -> {
				assertThat(ex.byteOffset()).isEqualTo(at);
				assertThat(ex.nul()).isEqualTo(nul);
			});
	}

	private static InputStream bytes(String text) {
		return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
	}

	private static LineWindow read(String text, long firstLine, int maxLines) throws Exception {
		return read(text, firstLine, maxLines, MANY, MANY, MANY);
	}

	private static LineWindow read(String text, long firstLine, int maxLines, int maxBytes, int maxLineBytes,
			long maxScanBytes) throws Exception {
		return LineWindow.read(bytes(text), firstLine, maxLines, maxBytes, maxLineBytes, maxScanBytes);
	}

	private static LineWindow read(byte[] bytes, long firstLine, int maxLines, int maxBytes, int maxLineBytes,
			long maxScanBytes) throws Exception {
		return LineWindow.read(new ByteArrayInputStream(bytes), firstLine, maxLines, maxBytes, maxLineBytes,
				maxScanBytes);
	}

}
