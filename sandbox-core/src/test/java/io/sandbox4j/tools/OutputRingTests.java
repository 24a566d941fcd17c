package io.sandbox4j.tools;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The memory of a command that runs in the background.
 */
class OutputRingTests {

	@Test
	void whatIsTakenIsNew() {
		OutputRing ring = new OutputRing(16);
		write(ring, "one");
		assertTaken(ring.take(16), "one", 0);
		assertTaken(ring.take(16), "", 0);
		write(ring, "two");
		assertTaken(ring.take(16), "two", 0);
	}

	@Test
	void aPieceIsAsLargeAsItMayBe() {
		OutputRing ring = new OutputRing(16);
		write(ring, "0123456789");
		assertTaken(ring.take(6), "012345", 0);
		assertThat(ring.available()).isEqualTo(4);
		assertTaken(ring.take(6), "6789", 0);
	}

	@Test
	void aFullRingKeepsAllOfIt() {
		OutputRing ring = new OutputRing(8);
		write(ring, "01234567");
		assertTaken(ring.take(8), "01234567", 0);
	}

	@Test
	void whatIsNewPushesOutWhatIsOld() {
		OutputRing ring = new OutputRing(8);
		write(ring, "01234567");
		write(ring, "8");
		assertThat(ring.available()).isEqualTo(8);
		assertTaken(ring.take(8), "12345678", 1);
	}

	@Test
	void aWriteThatIsLargerThanTheRingLeavesItsEnd() {
		OutputRing ring = new OutputRing(8);
		write(ring, "ab");
		write(ring, "0123456789");
		assertTaken(ring.take(8), "23456789", 4);
	}

	@Test
	void aCharacterThatIsNotThereYetStays() {
		byte[] bytes = bytes("a\uD83D\uDE00b");
		OutputRing ring = new OutputRing(16);
		ring.write(bytes, 0, 3);
		assertTaken(ring.take(16), "a", 0);
		assertTaken(ring.take(16), "", 0);
		ring.write(bytes, 3, bytes.length - 3);
		assertTaken(ring.take(16), "\uD83D\uDE00b", 0);
	}

	@Test
	void aCharacterThatNeverComesIsTakenAtTheEnd() {
		OutputRing ring = new OutputRing(16);
		ring.write(bytes("a\uD83D\uDE00"), 0, 3);
		assertTaken(ring.take(16), "a", 0);
		ring.end();
		assertThat(ring.take(16).bytes()).hasSize(2);
		assertThat(ring.available()).isZero();
	}

	@Test
	void aLimitSplitsNoCharacterAndLetsOneThrough() {
		OutputRing ring = new OutputRing(16);
		write(ring, "aa\uD83D\uDE00\uD83D\uDE00");
		assertTaken(ring.take(5), "aa", 0);
		assertTaken(ring.take(1), "\uD83D\uDE00", 0);
		assertTaken(ring.take(4), "\uD83D\uDE00", 0);
	}

	@Test
	void aCharacterThatIsPushedOutInPartIsLeftOutWhole() {
		OutputRing ring = new OutputRing(8);
		write(ring, "\uD83D\uDE00abcdef");
		assertTaken(ring.take(8), "abcdef", 4);
	}

	@Test
	void bytesThatAreNoTextAreTakenAsTheyAre() {
		OutputRing ring = new OutputRing(8);
		byte[] bytes = { (byte) 0x80, (byte) 0xff, (byte) 0xc0, 'a', 0 };
		ring.write(bytes, 0, bytes.length);
		assertThat(ring.take(8).bytes()).isEqualTo(bytes);
	}

	@Test
	void continuationsWithoutEndAreTakenTooThoughManyWerePushedOut() {
		OutputRing ring = new OutputRing(8);
		byte[] bytes = new byte[20];
		Arrays.fill(bytes, (byte) 0x80);
		ring.write(bytes, 0, bytes.length);
		OutputRing.Piece piece = ring.take(8);
		assertThat(piece.bytes().length + piece.omitted()).isEqualTo(20);
		assertThat(ring.available()).isZero();
	}

	@Test
	void nothingIsLostOrTwiceWhateverTheSizes() {
		Random random = new Random(7);
		for (int round = 0; round < 200; round++) {
			OutputRing ring = new OutputRing(4 + random.nextInt(5000));
			long written = 0;
			long seen = 0;
			for (int step = 0; step < 50; step++) {
				byte[] bytes = new byte[random.nextInt(3000)];
				for (int i = 0; i < bytes.length; i++) {
					bytes[i] = letter(written + i);
				}
				ring.write(bytes, 0, bytes.length);
				written += bytes.length;
				OutputRing.Piece piece = ring.take(random.nextInt(4000));
				seen += piece.omitted();
				for (byte each : piece.bytes()) {
					assertThat(each).isEqualTo(letter(seen++));
				}
			}
			assertThat(seen + ring.available()).isEqualTo(written);
		}
	}

	@Test
	void aRingHoldsACharacter() {
		assertThatIllegalArgumentException().isThrownBy(() -> new OutputRing(3));
	}

	private static byte letter(long at) {
		return (byte) ('a' + at % 23);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static void write(OutputRing ring, String text) {
		ring.write(bytes(text), 0, bytes(text).length);
	}

	private static void assertTaken(OutputRing.Piece piece, String text, long omitted) {
		assertThat(new String(piece.bytes(), StandardCharsets.UTF_8)).isEqualTo(text);
		assertThat(piece.omitted()).isEqualTo(omitted);
	}

}
