package io.sandbox4j.bubblewrap;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class MarkedOutputTests {

	private static final String MARK = "0123456789abcdef0123456789abcdef";

	private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

	private int ends;

	private final MarkedOutput output = new MarkedOutput(new Mark(MARK), new MarkedOutput.Listener() {

		@Override
		public void output(byte[] buffer, int offset, int length) {
			MarkedOutputTests.this.printed.write(buffer, offset, length);
		}

		@Override
		public void ended() {
			MarkedOutputTests.this.ends++;
		}

	});

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 7, 31, 32, 33, 1000 })
	void endsAtTheMarkHoweverTheBytesArrive(int chunk) {
		String text = "first\n" + MARK.substring(0, 20) + "0" + MARK.substring(0, 31) + "!";
		feed(text + MARK + "left behind", chunk);
		assertThat(printed()).isEqualTo(text);
		assertThat(this.ends).isOne();
	}

	@Test
	void whatIsCutOffIsDeliveredWithTheStartOfAMark() {
		feed("end " + MARK.substring(0, 10), 3);
		assertThat(printed()).isEqualTo("end ");
		this.output.finish();
		assertThat(printed()).isEqualTo("end " + MARK.substring(0, 10));
		assertThat(this.ends).isZero();
	}

	private void feed(String text, int chunk) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		for (int i = 0; i < bytes.length; i += chunk) {
			this.output.feed(bytes, i, Math.min(chunk, bytes.length - i));
		}
	}

	private String printed() {
		return this.printed.toString(StandardCharsets.UTF_8);
	}

}
