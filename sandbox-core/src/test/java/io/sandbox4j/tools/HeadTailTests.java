package io.sandbox4j.tools;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import io.sandbox4j.tools.HeadTail.Preview;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class HeadTailTests {

	@Test
	void halfOfTheBudgetIsTheStartAndHalfTheEnd() {
		Preview preview = of("0123456789abcdef", 8);
		assertThat(preview).isEqualTo(new Preview("0123", "cdef", 4, 4, 8));
		assertThat(preview.marked()).isEqualTo("0123\n[... 8 bytes left out ...]\ncdef");
	}

	@Test
	void theOddByteIsOfTheEnd() {
		assertThat(of("0123456789abcdef", 7)).isEqualTo(new Preview("012", "cdef", 3, 4, 9));
		assertThat(of("0123456789abcdef", 15)).isEqualTo(new Preview("0123456", "89abcdef", 7, 8, 1));
	}

	@ParameterizedTest
	@ValueSource(ints = { 9, 10, Integer.MAX_VALUE })
	void contentWithinTheBudgetIsWhole(int budget) {
		Preview preview = of("Zoë €\n", budget);
		assertThat(preview).isEqualTo(new Preview("Zoë €\n", "", 9, 0, 0));
		assertThat(preview.marked()).isEqualTo("Zoë €\n");
	}

	@Test
	void nothingIsWhole() {
		assertThat(of("", 0)).isEqualTo(new Preview("", "", 0, 0, 0));
		assertThat(of("", 0).marked()).isEmpty();
	}

	@Test
	void noBudgetLeavesEverythingOut() {
		assertThat(of("abc", 0)).isEqualTo(new Preview("", "", 0, 0, 3));
		assertThat(of("abc", 1)).isEqualTo(new Preview("", "c", 0, 1, 2));
	}

	@Test
	void noCutSplitsACharacter() {
		for (String text : new String[] { "Zoë €", "Zoë €€ Zoë", "😀é€😀a😀", "日本語" }) {
			byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
			for (int budget = 0; budget < bytes.length; budget++) {
				Preview preview = HeadTail.of(bytes, budget);
				assertThat(text).startsWith(preview.head()).endsWith(preview.tail());
				assertThat(preview.head().getBytes(StandardCharsets.UTF_8)).hasSize(preview.headBytes());
				assertThat(preview.tail().getBytes(StandardCharsets.UTF_8)).hasSize(preview.tailBytes());
				assertThat(preview.headBytes() + preview.tailBytes()).isBetween(budget - 6, budget);
				assertThat(preview.headBytes() + preview.tailBytes() + preview.omittedBytes()).isEqualTo(bytes.length);
			}
		}
	}

	@Test
	void malformedBytesAreReplaced() {
		byte[] bytes = HexFormat.of().parseHex("61ff62" + "63646566" + "67ff68");
		assertThat(HeadTail.of(bytes, 6)).isEqualTo(new Preview("a\ufffdb", "g\ufffdh", 3, 3, 4));
		assertThat(HeadTail.of(bytes, 10).head()).isEqualTo("a\ufffdbcdefg\ufffdh");
	}

	@Test
	void aCutAmongMalformedBytesKeepsTheBudget() {
		byte[] bytes = HexFormat.of().parseHex("80".repeat(20));
		assertThat(HeadTail.of(bytes, 8)).isEqualTo(new Preview("\ufffd".repeat(4), "\ufffd".repeat(4), 4, 4, 12));
	}

	@Test
	void aCharacterThatEndsAtTheCutIsKept() {
		assertThat(of("€xxxxxx€", 6)).isEqualTo(new Preview("€", "€", 3, 3, 6));
	}

	@Test
	void aNegativeBudgetIsNone() {
		assertThatIllegalArgumentException().isThrownBy(() -> of("a", -1));
	}

	private static Preview of(String text, int budget) {
		return HeadTail.of(text.getBytes(StandardCharsets.UTF_8), budget);
	}

}
