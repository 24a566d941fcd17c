package io.sandbox4j.install;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OutputTailTests {

	private final OutputTail tail = new OutputTail();

	private void write(String text) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		this.tail.write(bytes, bytes.length);
	}

	@Test
	void nothingIsNoText() {
		assertThat(this.tail.text()).isNull();
		write(" \n");
		assertThat(this.tail.text()).isNull();
	}

	@Test
	void theLastBytesStay() {
		for (int i = 0; i < 3000; i++) {
			write(i + "\n");
		}
		assertThat(this.tail.text()).endsWith("2998\n2999").hasSizeLessThanOrEqualTo(OutputTail.CAPACITY);
	}

	@Test
	void aPieceLargerThanTheTailKeepsItsEnd() {
		write("old");
		write("x".repeat(3 * OutputTail.CAPACITY + 7) + "end");
		assertThat(this.tail.text()).endsWith("xend").hasSize(OutputTail.CAPACITY).doesNotContain("old");
	}

	@Test
	void itStartsWithAWholeCharacter() {
		write("é".repeat(OutputTail.CAPACITY) + "x");
		assertThat(this.tail.text()).startsWith("é").endsWith("éx").doesNotContain("\uFFFD");
	}

	@Test
	void controlCharactersAreLeftOut() {
		write("a\u001b[31mred\u0000\r\n\tb\u007f");
		assertThat(this.tail.text()).isEqualTo("a[31mred\n\tb");
	}

	@Test
	void whatControlsATerminalInOneCharacterOrTurnsTextIsLeftOut() {
		write("a\u009b31mb\u202ec\u2066d\u200be\ufeff");
		assertThat(this.tail.text()).isEqualTo("a31mbcde");
	}

	@Test
	void aLineThatIsDrawnOverIsSeveral() {
		write("10%\r20%\rdone\r\nend");
		assertThat(this.tail.text()).isEqualTo("10%\n20%\ndone\nend");
	}

}
