package io.sandbox4j.tools;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TextWindowTests {

	private static final String BOM = "\ufeff";

	private static final String MIXED = "aé€😀\n\r\n日本語 z\ufeff\ud7ff\ue000\uffff\udbff\udfff߿ࠀ\u0001\u007f";

	@Test
	void aTextWithinTheLimitIsOneWindow() throws Exception {
		assertThat(read("Zoë", 0, 4)).isEqualTo(new TextWindow("Zoë", 0, 4, false, false));
	}

	@Test
	void aWindowEndsBeforeTheCharacterThatItWouldCut() throws Exception {
		assertThat(read("ab€c", 0, 3)).isEqualTo(new TextWindow("ab", 0, 2, true, false));
		assertThat(read("ab€c", 0, 4)).isEqualTo(new TextWindow("ab", 0, 2, true, false));
		assertThat(read("ab€c", 0, 5)).isEqualTo(new TextWindow("ab€", 0, 5, true, false));
		assertThat(read("ab€", 0, 5)).isEqualTo(new TextWindow("ab€", 0, 5, false, false));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4 })
	void aWindowHasAtLeastOneCharacter(int maxBytes) throws Exception {
		assertThat(read("😀😀", 0, maxBytes)).isEqualTo(new TextWindow("😀", 0, 4, true, false));
		assertThat(read("😀😀", 4, maxBytes)).isEqualTo(new TextWindow("😀", 4, 4, false, false));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3 })
	void anOffsetInsideACharacterIsMovedBehindIt(int offset) throws Exception {
		assertThat(read("😀é", offset, 9)).isEqualTo(new TextWindow("é", 4, 2, false, false));
		assertThat(read("x😀é", offset + 1, 1)).isEqualTo(new TextWindow("é", 5, 2, false, false));
		assertThat(read("😀", offset, 1)).isEqualTo(new TextWindow("", 4, 0, false, false));
	}

	@Test
	void windowsOfEverySizeGiveTheWholeText() throws Exception {
		for (String text : new String[] { MIXED, BOM + MIXED }) {
			for (int size = 1; size <= 20; size++) {
				assertThat(inWindows(text, size)).isEqualTo(MIXED);
			}
		}
	}

	@Test
	void windowsFromEveryOffsetAgree() throws Exception {
		byte[] bytes = MIXED.getBytes(StandardCharsets.UTF_8);
		for (int offset = 0; offset <= bytes.length; offset++) {
			for (int size = 1; size <= 20; size++) {
				TextWindow window = read(bytes, offset, size);
				assertThat(window.offset()).isBetween((long) offset, offset + 3L);
				assertThat(window.bytes()).isLessThanOrEqualTo(Math.max(size, 4));
				assertThat(window.text())
					.isEqualTo(new String(bytes, (int) window.offset(), window.bytes(), StandardCharsets.UTF_8));
				assertThat(window.truncated()).isEqualTo(window.nextOffset() < bytes.length);
				assertThat(window.text().isEmpty()).isEqualTo(window.offset() == bytes.length);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1000, 4096, 8192 })
	void charactersAcrossTheBordersOfBuffersAreWhole(int border) throws Exception {
		for (int size = border - 3; size <= border + 2; size++) {
			for (int before = 0; before < 3; before++) {
				String text = "x".repeat(before) + "日本語".repeat(border / 2);
				assertThat(inWindows(text, size)).isEqualTo(text);
				assertThat(read(text, size, size).text()).matches("[日本語]+");
			}
		}
	}

	@Test
	void aMarkAtTheStartIsCountedAndNotShown() throws Exception {
		assertThat(read(BOM + "ab", 0, 4)).isEqualTo(new TextWindow("a", 0, 4, true, false));
		assertThat(read(BOM + "ab", 0, 1)).isEqualTo(new TextWindow("a", 0, 4, true, false));
		assertThat(read(BOM + "😀", 0, 1)).isEqualTo(new TextWindow("😀", 0, 7, false, false));
		assertThat(read(BOM, 0, 1)).isEqualTo(new TextWindow("", 0, 3, false, false));
		assertThat(read(BOM + "ab", 2, 9)).isEqualTo(new TextWindow("ab", 3, 2, false, false));
	}

	@Test
	void aMarkElsewhereIsACharacter() throws Exception {
		assertThat(read(BOM + BOM, 0, 9).text()).isEqualTo(BOM);
		assertThat(read("a" + BOM, 1, 9).text()).isEqualTo(BOM);
	}

	@Test
	void atTheEndIsNotBeyond() throws Exception {
		assertThat(read("abcdef", 6, 1)).isEqualTo(new TextWindow("", 6, 0, false, false));
		assertThat(read("", 0, 1)).isEqualTo(new TextWindow("", 0, 0, false, false));
	}

	@ParameterizedTest
	@CsvSource({ "'', 1", "'', 4", "a, 2", "abc, 4", "abcdef, 7", "abcdef, 9", "abcdef, 10", "abcdef, 100",
			"abcdef, 9223372036854775807" })
	void beyondTheEndIsSaid(String text, long offset) throws Exception {
		assertThat(read(text, offset, 5)).isEqualTo(new TextWindow("", offset, 0, false, true));
	}

	@ParameterizedTest
	@CsvSource({ "6180, 1", "61ff, 1", "c080, 0", "c1bf, 0", "61e08080, 1", "61eda080, 1", "f0808080, 0", "f4908080, 0",
			"f5808080, 0", "61c3, 1", "61e282, 1", "61f09f98, 1", "e28261, 0", "61c3c3a9, 1", "e282ace282, 3",
			"efbbbfff, 3", "efbb, 0" })
	void malformedBytesAreNoText(String hex, long at) {
		assertNoText(HexFormat.of().parseHex(hex), 0, 9, at, false);
	}

	@Test
	void aNulIsNoText() {
		assertNoText(new byte[] { 'a', 0, 'b' }, 0, 9, 1, true);
		assertNoText(new byte[] { 'a', 0, 'b' }, 1, 1, 1, true);
		assertNoText(new byte[] { (byte) 0xe2, 0, 'b' }, 0, 9, 0, false);
	}

	@Test
	void aStrayByteIsNotInsideACharacter() {
		assertNoText(HexFormat.of().parseHex("e282ac8061"), 3, 9, 3, false);
		assertNoText(HexFormat.of().parseHex("6180808080"), 3, 9, 3, false);
		assertNoText(HexFormat.of().parseHex("e28261"), 1, 9, 1, false);
	}

	@Test
	void aFirstCharacterThatTheStreamCutsIsNoText() {
		assertNoText(HexFormat.of().parseHex("f09f98"), 0, 1, 0, false);
		assertNoText(HexFormat.of().parseHex("f09f98"), 0, 2, 0, false);
		assertNoText(HexFormat.of().parseHex("61f09f98"), 1, 3, 1, false);
	}

	@Test
	void aCharacterThatTheWindowCutsIsText() throws Exception {
		assertThat(read(HexFormat.of().parseHex("61f09f9880"), 0, 2).text()).isEqualTo("a");
		assertThat(read(HexFormat.of().parseHex("61f09f9880"), 0, 4).text()).isEqualTo("a");
	}

	@Test
	void whatIsOutsideOfTheWindowIsNotJudged() throws Exception {
		byte[] bytes = HexFormat.of().parseHex("ff0061620000ff");
		assertThat(read(bytes, 2, 2)).isEqualTo(new TextWindow("ab", 2, 2, true, false));
	}

	@Test
	void aHugeSparseFileIsNotHeld(@TempDir Path directory) throws Exception {
		Path file = directory.resolve("sparse");
		long size = 10L << 30;
		try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
			sparse.seek(size - 4);
			sparse.writeBytes("tail");
		}
		try (InputStream in = Files.newInputStream(file)) {
			assertThat(TextWindow.read(in, size - 4, 1000))
				.isEqualTo(new TextWindow("tail", size - 4, 4, false, false));
		}
		try (InputStream in = Files.newInputStream(file)) {
			assertThat(TextWindow.read(in, size + 1, 1000).beyondEnd()).isTrue();
		}
	}

	@Test
	void noMoreIsReadThanTheWindowNeeds() throws Exception {
		EndlessLine in = new EndlessLine("", 'x');
		assertThat(TextWindow.read(in, 5L << 30, 1000).text()).hasSize(1000);
		assertThat(in.count()).isLessThan((5L << 30) + 1100);
	}

	@Test
	void aLimitOfAnySizeIsTaken() throws Exception {
		assertThat(read("abc", 1, Integer.MAX_VALUE)).isEqualTo(new TextWindow("bc", 1, 2, false, false));
	}

	@Test
	void aStreamThatGivesLittleAtATimeIsReadOn() throws Exception {
		InputStream in = new ByteArrayInputStream("日本語".getBytes(StandardCharsets.UTF_8)) {
			@Override
			public synchronized int read(byte[] target, int offset, int length) {
				return super.read(target, offset, Math.min(length, 1));
			}

			@Override
			public synchronized long skip(long distance) {
				return 0;
			}
		};
		assertThat(TextWindow.read(in, 4, 3)).isEqualTo(new TextWindow("語", 6, 3, false, false));
	}

	@Test
	void argumentsAreChecked() {
		assertThatIllegalArgumentException().isThrownBy(() -> read("a", -1, 1));
		assertThatIllegalArgumentException().isThrownBy(() -> read("a", 0, 0));
		assertThatIllegalArgumentException().isThrownBy(() -> read("a", 0, -1));
	}

	private static String inWindows(String text, int size) throws Exception {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		StringBuilder whole = new StringBuilder();
		TextWindow window = read(bytes, 0, size);
		whole.append(window.text());
		while (window.truncated()) {
			long next = window.nextOffset();
			window = read(bytes, next, size);
			assertThat(window.offset()).isEqualTo(next);
			assertThat(window.bytes()).isPositive();
			whole.append(window.text());
		}
		assertThat(window.nextOffset()).isEqualTo(bytes.length);
		return whole.toString();
	}

	private static void assertNoText(byte[] bytes, long offset, int maxBytes, long at, boolean nul) {
		assertThatExceptionOfType(NotTextException.class).isThrownBy(() -> read(bytes, offset, maxBytes))
			.satisfies((ex) -> {
				assertThat(ex.byteOffset()).isEqualTo(at);
				assertThat(ex.nul()).isEqualTo(nul);
			});
	}

	private static TextWindow read(String text, long offset, int maxBytes) throws IOException, NotTextException {
		return read(text.getBytes(StandardCharsets.UTF_8), offset, maxBytes);
	}

	private static TextWindow read(byte[] bytes, long offset, int maxBytes) throws IOException, NotTextException {
		return TextWindow.read(new ByteArrayInputStream(bytes), offset, maxBytes);
	}

}
