package io.sandbox4j.tools;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;

import io.sandbox4j.tools.LineWindow.Line;
import io.sandbox4j.tools.LineWindow.Newlines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LineWindowLimitsTests {

	private static final int MANY = 1_000_000;

	@ParameterizedTest
	@CsvSource({ "1, '', 9", "2, é, 7", "3, é, 7", "4, é, 7", "5, é€, 4", "8, é€, 4", "9, é€😀, 0", "10, é€😀, 0" })
	void aLongLineIsClippedBetweenCharacters(int most, String text, long omitted) throws Exception {
		for (String end : new String[] { "", "\n", "\r\n" }) {
			LineWindow window = read("é€😀" + end, 1, MANY, MANY, most, MANY);
			assertThat(window.lines()).containsExactly(new Line(1, text, omitted));
			assertThat(window.truncated()).isFalse();
			assertThat(window.totalLines()).isEqualTo(1);
		}
	}

	@Test
	void aCarriageReturnInALineCountsToItsLength() throws Exception {
		assertThat(read("abc\rd\nx", 1, 1, MANY, 3, MANY).lines()).containsExactly(new Line(1, "abc", 2));
		assertThat(read("abc\r", 1, 1, MANY, 3, MANY).lines()).containsExactly(new Line(1, "abc", 1));
	}

	@Test
	void theLineAfterAClippedOneIsFound() throws Exception {
		String text = "x".repeat(100_000) + "\nshort\n";
		LineWindow window = read(text, 1, 1, MANY, 10, MANY);
		assertThat(window.lines()).containsExactly(new Line(1, "x".repeat(10), 99_990));
		assertThat(window.nextOffset()).isEqualTo(100_001);
		assertThat(read(text, 1, 2, MANY, 10, MANY).lines()).last().isEqualTo(new Line(2, "short", 0));
	}

	@ParameterizedTest
	@CsvSource({ "1, 1", "2, 1", "3, 2", "4, 2", "5, 3", "7, 3", "8, 4", "9, 4" })
	void theLinesFitIntoTheBytes(int maxBytes, int count) throws Exception {
		String text = "a\nb\nc\nde\n";
		LineWindow window = read(text, 1, MANY, maxBytes, MANY, MANY);
		assertThat(window.lines()).hasSize(count);
		assertThat(window.truncated()).isEqualTo(count < 4);
		assertThat(window.nextLine()).isEqualTo(count + 1);
		assertThat(text.lines().limit(count).toList()).isEqualTo(window.lines().stream().map(Line::text).toList());
		assertThat(window.nextOffset()).isEqualTo((count < 4) ? count * 2L : 9L);
	}

	@Test
	void aLineWithoutRoomIsLeftToTheNextWindow() throws Exception {
		LineWindow window = read("ab\ncdefgh", 1, MANY, 8, 100, MANY);
		assertThat(window.lines()).containsExactly(new Line(1, "ab", 0));
		assertThat(window.truncated()).isTrue();
		assertThat(window.nextLine()).isEqualTo(2);
		assertThat(window.nextOffset()).isEqualTo(3);
		assertThat(window.totalLines()).isEqualTo(LineWindow.UNKNOWN);
		assertThat(read("ab\ncdefg", 1, MANY, 8, 100, MANY).lines()).hasSize(2);
		assertThat(read("ab\ncdefgh\r", 1, MANY, 9, 100, MANY).lines()).hasSize(1);
	}

	@Test
	void aClippedLineTakesTheRoomThatItShows() throws Exception {
		String text = "abcdefgh\nijklmnop\nq";
		assertThat(read(text, 1, MANY, 5, 2, MANY).lines()).containsExactly(new Line(1, "ab", 6), new Line(2, "ij", 6));
		assertThat(read(text, 1, MANY, 7, 2, MANY).lines()).hasSize(3);
	}

	@Test
	void theFirstLineIsClippedToTheRoom() throws Exception {
		LineWindow window = read("abcdefgh\nij", 1, MANY, 3, 100, MANY);
		assertThat(window.lines()).containsExactly(new Line(1, "abc", 5));
		assertThat(window.nextLine()).isEqualTo(2);
		assertThat(window.nextOffset()).isEqualTo(9);
	}

	@Test
	void aLineTooFarAwayIsNotLookedFor() {
		assertThatExceptionOfType(ScanLimitException.class).isThrownBy(() -> read("a\nb\nc\nd", 4, 1, MANY, MANY, 5))
			.satisfies((ex) -> {
				assertThat(ex.lines()).isEqualTo(2);
				assertThat(ex.bytes()).isEqualTo(5);
			});
	}

	@Test
	void aLineAtTheLimitIsFound() throws Exception {
		assertThat(read("a\nb\nc\nd", 4, 1, MANY, MANY, 6).lines()).containsExactly(new Line(4, "d", 0));
		assertThat(read("a\nb\nc", 9, 1, MANY, MANY, 5).totalLines()).isEqualTo(3);
		assertThat(read("a", 1, 1, MANY, MANY, 0).lines()).hasSize(1);
	}

	@Test
	void anEndlessLineIsNeitherHeldNorPassed() {
		EndlessLine in = new EndlessLine("a\n", 'x');
		assertThatExceptionOfType(ScanLimitException.class)
			.isThrownBy(() -> LineWindow.read(in, 3, 1, 100, 100, 20_000_000))
			.satisfies((ex) -> assertThat(ex.lines()).isEqualTo(1));
		assertThat(in.count()).isLessThan(20_010_000);
	}

	@Test
	void theEndOfAnEndlessLineIsUnknown() throws Exception {
		EndlessLine in = new EndlessLine("a\r\n", 'x');
		LineWindow window = LineWindow.read(in, 1, 5, 10_000, 100, 20_000_000);
		assertThat(window.lines()).containsExactly(new Line(1, "a", 0),
				new Line(2, "x".repeat(100), LineWindow.UNKNOWN));
		assertThat(window.truncated()).isTrue();
		assertThat(window.nextLine()).isEqualTo(3);
		assertThat(window.nextOffset()).isEqualTo(LineWindow.UNKNOWN);
		assertThat(window.totalLines()).isEqualTo(LineWindow.UNKNOWN);
		assertThat(window.newlines()).isEqualTo(Newlines.CRLF);
		assertThat(in.count()).isLessThan(20_010_000);
	}

	@Test
	void anEndlessLineWithoutRoomIsNotReadOn() throws Exception {
		EndlessLine in = new EndlessLine("a\n", 'x');
		assertThat(LineWindow.read(in, 1, 5, 1000, 2000, MANY).nextOffset()).isEqualTo(2);
		assertThat(in.count()).isLessThan(20_000);
	}

	@ParameterizedTest
	@CsvSource({ "2, -1", "3, 3", "4, 3" })
	void theRestOfALineIsCountedWithinTheLimit(long maxScan, long omitted) throws Exception {
		assertThat(read("abcdef\nx", 1, 1, MANY, 3, maxScan).lines()).containsExactly(new Line(1, "abc", omitted));
		assertThat(read("abcdef", 1, 1, MANY, 3, maxScan).lines()).containsExactly(new Line(1, "abc", omitted));
	}

	@Test
	void clippedLinesShareOneLimit() throws Exception {
		assertThat(read("abcd\nefgh\nijkl\nm", 1, 9, MANY, 2, 5).lines()).containsExactly(new Line(1, "ab", 2),
				new Line(2, "ef", 2), new Line(3, "ij", LineWindow.UNKNOWN));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "0,1,1,1,0", "-1,1,1,1,0", "1,0,1,1,0", "1,1,0,1,0", "1,1,-1,1,0", "1,1,1,0,0", "1,1,1,1,-1" })
	void argumentsAreChecked(String arguments) {
		String[] all = arguments.split(",");
		assertThatIllegalArgumentException().isThrownBy(() -> read("a", Long.parseLong(all[0]),
				Integer.parseInt(all[1]), Integer.parseInt(all[2]), Integer.parseInt(all[3]), Long.parseLong(all[4])));
	}

	private static LineWindow read(String text, long firstLine, int maxLines, int maxBytes, int maxLineBytes,
			long maxScanBytes) throws Exception {
		return LineWindow.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), firstLine, maxLines,
				maxBytes, maxLineBytes, maxScanBytes);
	}

}
