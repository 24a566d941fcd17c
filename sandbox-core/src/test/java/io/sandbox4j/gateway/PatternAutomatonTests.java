package io.sandbox4j.gateway;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PatternAutomatonTests {

	@ParameterizedTest
	@CsvSource({ "abcd, xxabcdxx, xx****xx", "abcd, abcd, ****", "abcd, abc, abc", "abcd, abcabcd, abc****",
			"abcd, abcdabcd, ********", "abab, xababab, x******", "abcd bc, abce, a**e", "abcd cdef, abcdef, ******",
			"abcde cd, abcdx, ab**x", "he she his hers, ushers, u*****", "aaa, aaaaa, *****", "b, abc, a*c" })
	void masksEveryMatch(String patterns, String text, String masked) {
		assertThat(mask(new PatternAutomaton(List.of(patterns.split(" "))), text)).isEqualTo(masked);
	}

	@Test
	void masksBytesAbove127() {
		assertThat(mask(new PatternAutomaton(List.of("\u00fc\u00ff\u0000")), "a\u00fc\u00ff\u0000b"))
			.isEqualTo("a***b");
	}

	@Test
	void withoutPatternsItIsEmptyAndMasksNothing() {
		PatternAutomaton empty = new PatternAutomaton(List.of());
		assertThat(empty.isEmpty()).isTrue();
		assertThat(empty.longest()).isZero();
		assertThat(mask(empty, "text")).isEqualTo("text");
	}

	@Test
	void refusesAPatternThatMatchesNothing() {
		assertThatIllegalArgumentException().isThrownBy(() -> new PatternAutomaton(List.of("a", "")));
	}

	@Test
	void findsAMatchAtEveryPlaceOfALongText() {
		PatternAutomaton automaton = new PatternAutomaton(List.of("needle-one", "other-needle-two"));
		for (int before = 0; before < 70; before++) {
			for (String pattern : List.of("needle-one", "other-needle-two")) {
				String head = "d-needle-other-".repeat(5).substring(0, before);
				assertThat(mask(automaton, head + pattern + " other-needle"))
					.isEqualTo(naive(List.of(pattern), head + pattern + " other-needle"));
			}
		}
	}

	@Test
	void tellsHowMuchMayBecomeAMatch() {
		PatternAutomaton.Scan scan = new PatternAutomaton(List.of("abcd", "bcxy")).scan();
		byte[] text = bytes("zabcdabcx");
		int[] open = new int[text.length];
		for (int i = 0; i < text.length; i++) {
			scan.mask(text, i, i + 1);
			open[i] = scan.open();
		}
		// After a whole match nothing of it may go on: it is final at once.
		assertThat(open).containsExactly(0, 1, 2, 3, 0, 1, 2, 3, 3);
		assertThat(scan.found()).isTrue();
	}

	@Test
	void agreesWithANaiveSearch() {
		Random random = new Random(42);
		for (int round = 0; round < 3000; round++) {
			List<String> patterns = new ArrayList<>();
			for (int i = random.nextInt(6); i >= 0; i--) {
				patterns.add(text(random, 1 + random.nextInt(7)));
			}
			String text = text(random, random.nextInt(60));
			assertThat(mask(new PatternAutomaton(patterns), text)).as("%s in %s", patterns, text)
				.isEqualTo(naive(patterns, text));
		}
	}

	@Test
	void refusesToGrowWithoutBound() {
		List<String> most = List.of("a".repeat(PatternAutomaton.MAX_STATES - 1));
		assertThat(new PatternAutomaton(most).states()).isEqualTo(PatternAutomaton.MAX_STATES);
		List<String> more = List.of("a".repeat(PatternAutomaton.MAX_STATES));
		assertThatIllegalArgumentException().isThrownBy(() -> new PatternAutomaton(more));
	}

	static String naive(List<String> patterns, String text) {
		char[] masked = text.toCharArray();
		for (String pattern : patterns) {
			for (int at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) {
				for (int i = 0; i < pattern.length(); i++) {
					masked[at + i] = '*';
				}
			}
		}
		return new String(masked);
	}

	static String text(Random random, int length) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < length; i++) {
			text.append((char) ('a' + random.nextInt(3)));
		}
		return text.toString();
	}

	private static String mask(PatternAutomaton automaton, String text) {
		byte[] bytes = bytes(text);
		automaton.scan().mask(bytes, 0, bytes.length);
		return new String(bytes, StandardCharsets.ISO_8859_1);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

}
