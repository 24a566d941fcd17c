package io.sandbox4j.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TextSearchTests {

	@Test
	void findsWhatIndexOfFinds() {
		Random random = new Random(7);
		for (int i = 0; i < 20_000; i++) {
			String text = word(random, random.nextInt(30));
			String pattern = word(random, 1 + random.nextInt(6));
			List<Integer> expected = new ArrayList<>();
			for (int at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + pattern.length())) {
				expected.add(at);
			}
			assertThat(new TextSearch(pattern).all(text, (start) -> true)).as("%s in %s", pattern, text)
				.containsExactly(expected.stream().mapToInt(Integer::intValue).toArray());
		}
	}

	@Test
	void findsTheLongestBeginning() {
		Random random = new Random(8);
		for (int i = 0; i < 20_000; i++) {
			String text = word(random, random.nextInt(30));
			String pattern = word(random, 1 + random.nextInt(8));
			int length = pattern.length();
			while (!text.contains(pattern.substring(0, length))) {
				length--;
			}
			int start = (length > 0) ? text.indexOf(pattern.substring(0, length)) : 0;
			assertThat(new TextSearch(pattern).longest(text)).as("%s in %s", pattern, text)
				.isEqualTo(new TextSearch.Match(start, length));
		}
	}

	@Test
	void anOccurrenceThatDoesNotCountHidesNoOther() {
		assertThat(new TextSearch("aa").all("aaaa", (start) -> start > 0)).containsExactly(1);
	}

	@Test
	void thereIsNoSearchForNothing() {
		assertThatIllegalArgumentException().isThrownBy(() -> new TextSearch(""));
	}

	private static String word(Random random, int length) {
		StringBuilder word = new StringBuilder();
		for (int i = 0; i < length; i++) {
			word.append((char) ('a' + random.nextInt(2)));
		}
		return word.toString();
	}

}
