package io.sandbox4j.tools;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ExcerptsTests {

	private static final String DIGITS = "0123456789".repeat(3);

	@Test
	void aShortLineIsWhole() {
		assertThat(Excerpts.middle("", 0, 0, 8)).isEmpty();
		assertThat(Excerpts.middle("12345678", 3, 4, 8)).isEqualTo("12345678");
	}

	@ParameterizedTest
	@CsvSource({ "0, 1, 012345678…", "4, 5, 012345678…", "5, 6, …23456789…", "15, 16, …23456789…", "14, 18, …23456789…",
			"12, 20, …23456789…", "26, 27, …123456789", "29, 30, …123456789", "30, 30, …123456789" })
	void aLongLineIsCutAroundTheMatch(int start, int end, String excerpt) {
		assertThat(Excerpts.middle(DIGITS, start, end, 10)).isEqualTo(excerpt);
	}

	@ParameterizedTest
	@CsvSource({ "0, 30, 012345678…", "5, 25, …56789012…", "1, 30, 012345678…", "21, 30, …123456789" })
	void aLongMatchIsShownFromItsStart(int start, int end, String excerpt) {
		assertThat(Excerpts.middle(DIGITS, start, end, 10)).isEqualTo(excerpt);
	}

	@Test
	void noPairIsSplitAndTheMatchIsShown() {
		String line = "a😀😀b😀cd😀😀😀e😀😀fg😀h😀😀";
		for (int start = 0; start <= line.length(); start++) {
			for (int end = start; end <= line.length(); end++) {
				for (int most = 8; most <= line.length() + 1; most++) {
					if (!splits(line, start) && !splits(line, end)) {
						assertExcerpt(line, start, end, most);
					}
				}
			}
		}
	}

	@Test
	void aMatchInsideAPairSplitsNone() {
		String line = "😀".repeat(20);
		for (int start = 0; start <= line.length(); start++) {
			String excerpt = Excerpts.middle(line, start, start, 8);
			assertThat(excerpt.codePoints()).hasSizeGreaterThan(2).allMatch((c) -> c == 0x1f600 || c == '…');
		}
	}

	@Test
	void halvesThatAreNoPairAreNotMoved() {
		String line = "\ud83d".repeat(20);
		assertThat(Excerpts.middle(line, 10, 11, 8)).isEqualTo("…" + "\ud83d".repeat(6) + "…");
	}

	@Test
	void argumentsAreChecked() {
		assertThatIllegalArgumentException().isThrownBy(() -> Excerpts.middle("abc", 0, 1, 7));
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> Excerpts.middle("abc", 0, 4, 8));
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> Excerpts.middle("abc", 2, 1, 8));
	}

	private static void assertExcerpt(String line, int start, int end, int most) {
		String excerpt = Excerpts.middle(line, start, end, most);
		assertThat(excerpt.length()).isLessThanOrEqualTo(most);
		assertThat(excerpt.codePoints()).noneMatch((c) -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
		assertThat(line).contains(excerpt.replace("…", ""));
		if (end - start <= most - 2) {
			assertThat(excerpt).contains(line.substring(start, end));
		}
	}

	private static boolean splits(String line, int at) {
		return at < line.length() && Character.isLowSurrogate(line.charAt(at));
	}

}
