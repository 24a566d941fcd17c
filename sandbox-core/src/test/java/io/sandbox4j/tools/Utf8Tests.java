package io.sandbox4j.tools;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class Utf8Tests {

	private static final int[] INTERESTING = { 0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf,
			0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff };

	@Test
	void itJudgesAsTheDecoderOfTheJdk() {
		int[] all = INTERESTING;
		for (int a : all) {
			for (int b : all) {
				for (int c : all) {
					for (int d : all) {
						assertJudgedAsByTheJdk((byte) a, (byte) b, (byte) c, (byte) d);
					}
				}
			}
		}
	}

	@Test
	void itAcceptsEveryCharacter() {
		StringBuilder every = new StringBuilder();
		for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
			if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
				every.appendCodePoint(c);
			}
		}
		assertThat(isText(every.toString().getBytes(StandardCharsets.UTF_8))).isTrue();
	}

	@Test
	void aCutIsMovedToTheEndsOfItsCharacter() {
		byte[] bytes = "a😀€é".getBytes(StandardCharsets.UTF_8);
		int[] floor = { 0, 1, 1, 1, 1, 5, 5, 5, 8, 8, 10 };
		int[] ceiling = { 0, 1, 5, 5, 5, 5, 8, 8, 8, 10, 10 };
		for (int at = 0; at <= bytes.length; at++) {
			assertThat(Utf8.floor(bytes, at)).isEqualTo(floor[at]);
			assertThat(Utf8.ceiling(bytes, at)).isEqualTo(ceiling[at]);
		}
	}

	@Test
	void aCutInMalformedBytesStays() {
		Random random = new Random(1);
		byte[] bytes = new byte[64];
		for (int i = 0; i < bytes.length; i++) {
			bytes[i] = (byte) (0x80 + random.nextInt(0x40));
		}
		for (int at = 0; at <= bytes.length; at++) {
			assertThat(Utf8.floor(bytes, at)).isEqualTo(at);
			assertThat(Utf8.ceiling(bytes, at)).isEqualTo(at);
		}
		assertThat(Utf8.floor(new byte[] { (byte) 0xe2, (byte) 0x82 }, 1)).isEqualTo(1);
	}

	private static void assertJudgedAsByTheJdk(byte... bytes) {
		boolean expected;
		try {
			StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
			expected = true;
		}
		catch (CharacterCodingException ex) {
			expected = false;
		}
		if (isText(bytes) != expected) {
			assertThat(bytes).as("well-formed is " + expected).isEmpty();
		}
	}

	private static boolean isText(byte[] bytes) {
		Utf8 utf8 = new Utf8();
		for (byte value : bytes) {
			if (!utf8.accept(value)) {
				return false;
			}
		}
		return utf8.isWhole();
	}

}
