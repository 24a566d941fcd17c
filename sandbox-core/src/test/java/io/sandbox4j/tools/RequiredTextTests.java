package io.sandbox4j.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A file without the text is not matched, so that a text too many loses matches.
 */
class RequiredTextTests {

	private static final int EXPRESSIONS = 40_000;

	private static final int LINES = 12;

	private static final String FACE = "\ud83d\ude00";

	private static final String[] LITERALS = { "a", "b", "c", "ab", "bc", "abc", "1", "2", ",", "-", " ", "}", "]", "E",
			"Q", "\t", "\u00e9", "\u017f", "\u212a", "k", "s", FACE, FACE + "a", "\ud83d", "\ude00", "\ud83d\ude01",
			"#", "=", "/", "&&" };

	private static final String[] ESCAPES = { "\\.", "\\\\", "\\(", "\\)", "\\[", "\\]", "\\{", "\\}", "\\*", "\\|",
			"\\-", "\\_", "\\^", "\\$", "\\d", "\\D", "\\s", "\\w", "\\W", "\\b", "\\B", "\\A", "\\z", "\\t", "\\x61",
			"\\x{1F600}", "\\141", "\\pL", "\\p{Greek}", "\\PN", "\\a", "\\ ", "\\\u00e9", "\\" + FACE, "\\" };

	private static final String[] CLASSES = { "[ab]", "[^a]", "[]a]", "[^]a]", "[a-c]", "[^^]", "[a-]", "[-a]", "[.*]",
			"[(]", "[)|]", "[{2}]", "[\\]a]", "[\\d]", "[^\\w]", "[[:alpha:]]", "[[:^digit:]b]", "[a[:digit:]]", "[[a]",
			"[" + FACE + "a]", "[^" + FACE + "]", "[\\Qa]\\E]", "[]", "[^]", "[]]", "[^]]", "[a", "[\\x61]" };

	private static final String[] QUANTIFIERS = { "*", "+", "?", "*?", "+?", "??", "{2}", "{0}", "{0,1}", "{1,}",
			"{1,2}", "{2}?", "{,2}", "{,}", "{}", "{", "{a}", "{1", "{1,2", "{01}", "{ 1}", "{1,0}", "**" };

	private static final String[] OTHERS = { ".", "^", "$", "|", "(", ")", "(?:", "(?i)", "(?s)", "(?m)", "(?U)",
			"(?i:", "(?P<n>", "(?-i)", "\\Q", "\\E", "\\Qa.b\\E", "\\Qab\\E", "\\Q\\E", "\\Qa*", "\\Q|\\E" };

	private final Random random = new Random(20_240_611);

	@ParameterizedTest
	@CsvSource({ "foo\\.bar\\(, foo.bar(", "class\\s+Foo, class", "needle\\d+$, needle", "^import java, import java",
			"TODO.*fix, TODO", "x = \\[\\], x = []", "a{2}needle, needle", "[a-z]+_id\\b, _id",
			"\\$\\{name\\}, ${name}", "ab.cde.fg, cde", "ab]cd}, ab]cd}", "a\\\\b, a\\b", "[]x]foo, foo",
			"[^]x]foo, foo", "n\u00e9e, n\u00e9e" })
	void aUsefulExpressionHasOne(String expression, String text) {
		assertThat(RequiredText.of(expression)).isEqualTo(text);
	}

	@ParameterizedTest
	@CsvSource({ "foo*, fo", "foo?, fo", "'foo{0,2}', fo", "foo*?, fo", "foo+, foo", "foo+?, foo", "fo\\.*, fo",
			"foo\ud83d\ude00?, foo", "'foo{,2}bar', bar" })
	void whatMayBeMissingIsNoPartOfIt(String expression, String text) {
		assertThat(RequiredText.of(expression)).isEqualTo(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "foo|bar", "(foo)?bar", "foo(?i)bar", "(?i)foo", "\\Qfoo\\E", "foo\\x41bar", "\\pLfoo",
			"[[:alpha:]]foo", "[\\]]foo", "foo{", "foo{x}", "foo\\" })
	void whatIsNotPlainlyUnderstoodHasNone(String expression) {
		assertThat(RequiredText.of(expression)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a", "a.b.c", ".*", "^$", "ab?", "\\d+", "[abc]" })
	void oneCharacterIsNotWorthALook(String expression) {
		assertThat(RequiredText.of(expression)).isNull();
	}

	@Test
	void whateverMatchesHasTheText() {
		int accepted = 0;
		int found = 0;
		for (int i = 0; i < EXPRESSIONS; i++) {
			String expression = expression();
			Pattern pattern = patternOrNull(expression);
			String required = RequiredText.of(expression);
			if (pattern == null || required == null) {
				continue;
			}
			accepted++;
			for (String line : lines(expression)) {
				if (pattern.matcher(line).find()) {
					assertThat(line).as("what '%s' matches", expression).contains(required);
					found++;
				}
			}
		}
		assertThat(accepted).isGreaterThan(EXPRESSIONS / 20);
		assertThat(found).isGreaterThan(EXPRESSIONS / 20);
	}

	private static Pattern patternOrNull(String expression) {
		try {
			return Pattern.compile(expression);
		}
		catch (PatternSyntaxException ex) {
			return null;
		}
	}

	private String expression() {
		// Half of them of what is mostly understood.
		boolean plain = this.random.nextBoolean();
		StringBuilder expression = new StringBuilder();
		for (int tokens = 1 + this.random.nextInt(7); tokens > 0; tokens--) {
			int kind = this.random.nextInt(plain ? 8 : 12);
			if (kind < 5) {
				expression.append(any(LITERALS));
			}
			else if (kind < 7) {
				expression.append(any((kind == 5) ? ESCAPES : CLASSES));
			}
			else {
				expression.append(any((plain || kind < 9) ? QUANTIFIERS : OTHERS));
			}
			if (this.random.nextInt(4) == 0) {
				expression.append(any(QUANTIFIERS));
			}
		}
		return expression.toString();
	}

	// What an expression is made of is likely to match it.
	private List<String> lines(String expression) {
		List<String> lines = new ArrayList<>();
		lines.add(expression);
		lines.add(expression.replaceAll("[*+?^$]|\\{[0-9,]*\\}|\\\\Q|\\\\E|\\\\", ""));
		lines.add(expression.replaceAll(".[*?]+", "").replaceAll("[+^$\\\\]|\\{[0-9,]*\\}", ""));
		lines.add(expression.replaceAll("(.)\\{[0-9,]*\\}", "$1$1").replaceAll("\\\\[dws]", "1").replace("\\", ""));
		lines.add(lines.get(3).replaceAll("\\[\\^?[^]]*\\]", "a").replaceAll("[*+?^$]", ""));
		while (lines.size() < LINES) {
			StringBuilder line = new StringBuilder();
			for (int pieces = this.random.nextInt(10); pieces > 0; pieces--) {
				line.append(any(LITERALS));
			}
			lines.add(line.toString());
		}
		return lines;
	}

	private String any(String[] choices) {
		return choices[this.random.nextInt(choices.length)];
	}

}
