package io.sandbox4j.tools;

import java.util.Random;

import com.google.re2j.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * A query finds what a model means by it, and none of them costs more than a search may.
 */
class LineQueryTests {

	private static final int CASES = 20_000;

	private static final String[] PIECES = { "a", "b?", "[(]", "[)]", "\\(", "\\Q", "\\E", "\\Q\\E", "(", "(?:", "(?i)",
			")", ")*", "|", "^", "\\b", ".*", "{", "}", "{2}", "{50}", "{0,90}", "{30,}", "{1000}", "{1,1000}",
			"{0100}", "\\pL", "\\p{Greek}", "\\", "[", "]", "(?P<n>", "\ud83d", "\ude00", "E", "+", "??" };

	@Test
	void aTextStandsForItself() {
		LineQuery query = LineQuery.of("a.*(b", false);
		assertThat(query.find("x a.*(b y")).isEqualTo(new LineQuery.Span(2, 7));
		assertThat(query.find("axx(b")).isNull();
		assertThat(query.find("A.*(B")).isNull();
		assertThat(LineQuery.of("\\Qa\\E", false).find("a")).isNull();
	}

	@Test
	void theFirstMatchIsFound() {
		assertThat(LineQuery.of("aa", false).find("baaaa")).isEqualTo(new LineQuery.Span(1, 3));
		assertThat(LineQuery.of("a+", true).find("baab aaa")).isEqualTo(new LineQuery.Span(1, 3));
		assertThat(LineQuery.of("class\\s+Foo", true).find("a class\t Foo;")).isEqualTo(new LineQuery.Span(2, 12));
		assertThat(LineQuery.of("$", true).find("ab")).isEqualTo(new LineQuery.Span(2, 2));
	}

	@Test
	void aSpanCountsCharactersAsTheLineDoes() {
		String line = "\ud83d\ude00\ud83d\ude00ab";
		assertThat(LineQuery.of("ab", false).find(line)).isEqualTo(new LineQuery.Span(4, 6));
		assertThat(LineQuery.of("a.", true).find(line)).isEqualTo(new LineQuery.Span(4, 6));
		assertThat(LineQuery.of("^.", true).find(line)).isEqualTo(new LineQuery.Span(0, 2));
	}

	@Test
	void aTextWithoutTheRequiredPartIsNoPlace() {
		assertThat(LineQuery.of("needle\\d", true).maybeIn("a\nneedle\n")).isTrue();
		assertThat(LineQuery.of("needle\\d", true).maybeIn("a\nneed le1\n")).isFalse();
		assertThat(LineQuery.of("needle", false).maybeIn("needl")).isFalse();
		assertThat(LineQuery.of("needle", false).maybeIn("needle")).isTrue();
		assertThat(LineQuery.of("a|b", true).maybeIn("")).isTrue();
	}

	@Test
	void onlyAnExpressionSkipsLongLines() {
		assertThat(LineQuery.of("a", true).skips("a".repeat(8192))).isFalse();
		assertThat(LineQuery.of("a", true).skips("a".repeat(8193))).isTrue();
		assertThat(LineQuery.of("a", false).skips("a".repeat(8193))).isFalse();
	}

	@Test
	void theLengthIsLimited() {
		for (boolean regex : new boolean[] { true, false }) {
			assertThatNoException().isThrownBy(() -> LineQuery.of("a".repeat(1000), regex));
			assertRefused("", regex, "1 to 1000");
			assertRefused("a".repeat(1001), regex, "1 to 1000");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "(a)\\1", "(?=a)", "(?<!a)b", "[", "a(", "a)", "*a", "a**", "a{2,1}", "a{1001}", "\\",
			"\\8", "[z-a]", "[[:nothing:]]", "\\p{Nothing}" })
	void whatRe2DoesNotTakeIsRefused(String expression) {
		assertRefused(expression, true, "not valid in RE2");
		assertThatNoException().isThrownBy(() -> LineQuery.of(expression, false));
	}

	@ParameterizedTest
	@ValueSource(strings = { "(((x{1000}){1000}){1000})", "((a{100}){100}){100}", "(?:a{1,1000}){1,1000}",
			"a{1000}\\Q\\E{1000}", "a{1000}(?i){1000}", "([(]a{1000}){1000}", "(a{1000,}){1000,}",
			"a{1000}b{1000}c{1000}d{1000}e{1000}f{1000}" })
	@Timeout(value = 5, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void repetitionsThatMultiplyAreRefusedBeforeTheyTakeMemory(String expression) {
		assertRefused(expression, true, "repeats too much");
		assertThatNoException().isThrownBy(() -> LineQuery.of(expression, false));
	}

	@ParameterizedTest
	@ValueSource(strings = { "(\\d{1,3}\\.){3}\\d{1,3}", "([0-9A-F]{2}[:-]){5}[0-9A-F]{2}", "(.*,){12}P",
			"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "^.{0,1000}needle.{0,1000}$", "\\d{4}-\\d{2}-\\d{2}",
			"a{1000}", "(a{50}){50}", "(?:(\\w{1,20})\\s){10}", "#[0-9a-f]{6}([0-9a-f]{2})?", "a{00001}", "{}",
			"{99999" })
	void repetitionsThatAreUsefulAreTaken(String expression) {
		assertThatNoException().isThrownBy(() -> LineQuery.of(expression, true));
	}

	@Test
	void whateverIsWrittenIsTakenOrRefusedAndStaysSmall() {
		Random random = new Random(20_240_612);
		int taken = 0;
		int repeated = 0;
		for (int i = 0; i < CASES; i++) {
			StringBuilder expression = new StringBuilder("a");
			for (int pieces = random.nextInt(9); pieces > 0; pieces--) {
				expression.append(PIECES[random.nextInt(PIECES.length)]);
			}
			if (isTaken(expression.toString())) {
				int size = Pattern.compile(expression.toString()).programSize();
				assertThat(size).as(expression.toString()).isLessThan(25_000);
				taken++;
				repeated += (size > 100) ? 1 : 0;
			}
		}
		assertThat(taken).isBetween(CASES / 20, CASES - CASES / 20);
		assertThat(repeated).isGreaterThan(CASES / 200);
	}

	// Anything else that is thrown fails the test.
	private static boolean isTaken(String expression) {
		try {
			LineQuery.of(expression, true);
			return true;
		}
		catch (Refusal ex) {
			return false;
		}
	}

	private static void assertRefused(String query, boolean regex, String reason) {
		assertThatExceptionOfType(Refusal.class).isThrownBy(() -> LineQuery.of(query, regex))
			.withMessageContaining(reason)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(RefusalCode.BAD_REQUEST))
			.satisfies((ex) -> assertThat(ex.hint()).isNotEmpty());
	}

}
