package io.sandbox4j.gateway;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

class RedactingInputStreamTests {

	private static final String SECRET = "ghp_s3cr3t";

	private static final String STARS = "**********";

	private final PatternAutomaton automaton = new PatternAutomaton(List.of(SECRET));

	@Test
	void findsASecretWhereverReadsDivideIt() throws IOException {
		String text = "{\"a\": \"" + SECRET + "\", \"b\": \"ghp_s3c" + SECRET + SECRET + "\"}";
		String masked = text.replace(SECRET, STARS);
		for (int first = 0; first <= text.length(); first++) {
			for (int second = first; second <= text.length(); second++) {
				ScriptedStream in = ScriptedStream.of(text.substring(0, first), text.substring(first, second),
						text.substring(second));
				RedactingInputStream stream = over(in);
				assertThat(string(stream.readAllBytes())).isEqualTo(masked);
				assertThat(stream.found()).isTrue();
			}
		}
	}

	@Test
	void findsASecretInReadsOfOneByte() throws IOException {
		String text = SECRET + "-" + SECRET.substring(1) + SECRET;
		ScriptedStream in = ScriptedStream.of(text.split(""));
		RedactingInputStream stream = over(in);
		StringBuilder read = new StringBuilder();
		for (int value = stream.read(); value >= 0; value = stream.read()) {
			read.append((char) value);
		}
		assertThat(read).hasToString(text.replace(SECRET, STARS));
		assertThat(stream.read()).isEqualTo(-1);
		assertThat(stream.read(new byte[4])).isEqualTo(-1);
	}

	@Test
	void aBeginningAtTheEndIsFlushed() throws IOException {
		RedactingInputStream stream = over(ScriptedStream.of("x" + SECRET.substring(0, 9)));
		assertThat(string(stream.readAllBytes())).isEqualTo("x" + SECRET.substring(0, 9));
		assertThat(stream.found()).isFalse();
	}

	@Test
	void anEmptyBodyStaysEmpty() throws IOException {
		assertThat(over(ScriptedStream.of()).readAllBytes()).isEmpty();
		assertThat(over(ScriptedStream.of()).read(new byte[0])).isZero();
	}

	@Test
	void bytesAbove127AreNoEndOfStream() throws IOException {
		assertThat(over(ScriptedStream.of("\u00ff")).read()).isEqualTo(0xff);
	}

	@Test
	void nothingIsKeptBackThatCannotBecomeAMatch() throws IOException {
		ScriptedStream in = ScriptedStream.of("data: 1\n\n", "data: ghp_x\n\n", "data: " + SECRET).staysOpen();
		RedactingInputStream stream = over(in);
		byte[] target = new byte[100];
		assertThat(string(target, stream.read(target))).isEqualTo("data: 1\n\n");
		assertThat(string(target, stream.read(target))).isEqualTo("data: ghp_x\n\n");
		assertThat(string(target, stream.read(target))).isEqualTo("data: " + STARS);
	}

	@Test
	void onlyTheBeginningOfAMatchIsKeptBack() throws IOException {
		ScriptedStream in = ScriptedStream.of("data: ghp_").staysOpen();
		RedactingInputStream stream = over(in);
		byte[] target = new byte[100];
		assertThat(string(target, stream.read(target))).isEqualTo("data: ");
		assertThat(stream.available()).isZero();
		assertThatIOException().isThrownBy(() -> stream.read(target)).withMessage("would block");
		in.add("s3cr3t!".getBytes(StandardCharsets.US_ASCII)).ends();
		assertThat(string(stream.readAllBytes())).isEqualTo(STARS + "!");
	}

	@Test
	@Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void anEventIsReadWhileTheStreamStaysOpen() throws IOException {
		try (PipedOutputStream out = new PipedOutputStream(); InputStream in = new PipedInputStream(out)) {
			out.write("data: hello\n\n".getBytes(StandardCharsets.US_ASCII));
			out.flush();
			RedactingInputStream stream = over(in);
			String event = string(stream.readNBytes("data: hello\n\n".length()));
			assertThat(event).isEqualTo("data: hello\n\n");
		}
	}

	@Test
	void availableIsWhatCanBeReadWithoutWaiting() throws IOException {
		ScriptedStream in = ScriptedStream.of("abcghp_", "xyz").staysOpen();
		RedactingInputStream stream = over(in);
		assertThat(stream.available()).isEqualTo(3);
		assertThat(string(stream.readNBytes(3))).isEqualTo("abc");
		assertThat(stream.available()).isEqualTo(7);
		assertThat(string(stream.readNBytes(7))).isEqualTo("ghp_xyz");
		assertThat(stream.available()).isZero();
	}

	@Test
	void smallTargetsGetTheSame() throws IOException {
		String text = ("lorem ghp_ipsum " + SECRET + " dolor").repeat(3000);
		RedactingInputStream stream = over(new ByteArrayInputStream(bytes(text)));
		ByteArrayOutputStream read = new ByteArrayOutputStream();
		byte[] target = new byte[7];
		for (int count = stream.read(target, 2, 3); count >= 0; count = stream.read(target, 2, 3)) {
			read.write(target, 2, count);
		}
		assertThat(string(read.toByteArray())).isEqualTo(text.replace(SECRET, STARS));
	}

	@Test
	void aPatternLongerThanTheBufferIsFound() throws IOException {
		String secret = "s" + "0123456789abcdef".repeat(4000);
		String text = "x".repeat(9000) + secret + "y" + secret.substring(0, 40_000);
		RedactingInputStream stream = new RedactingInputStream(new ByteArrayInputStream(bytes(text)),
				new PatternAutomaton(List.of(secret)));
		assertThat(string(stream.readAllBytes())).isEqualTo(text.replace(secret, "*".repeat(secret.length())));
	}

	@Test
	void withoutSecretsItPassesOn() throws IOException {
		ScriptedStream in = ScriptedStream.of("abc", "d");
		RedactingInputStream stream = Redactor.NONE.over(in);
		assertThat(stream.available()).isEqualTo(3);
		assertThat(string(stream.readAllBytes())).isEqualTo("abcd");
		assertThat(stream.found()).isFalse();
	}

	@Test
	void closesWhatItReads() throws IOException {
		ScriptedStream in = ScriptedStream.of("abc");
		over(in).close();
		assertThat(in.isClosed()).isTrue();
	}

	@Test
	void refusesBoundsThatDoNotFit() {
		assertThatExceptionOfType(IndexOutOfBoundsException.class)
			.isThrownBy(() -> over(ScriptedStream.of("abc")).read(new byte[2], 1, 2));
	}

	@Test
	void agreesWithASearchOfTheWhole() throws IOException {
		Random random = new Random(7);
		for (int round = 0; round < 3000; round++) {
			List<String> patterns = new ArrayList<>();
			for (int i = random.nextInt(5); i >= 0; i--) {
				patterns.add(PatternAutomatonTests.text(random, 1 + random.nextInt(9)));
			}
			String text = PatternAutomatonTests.text(random, random.nextInt(200));
			ScriptedStream in = ScriptedStream.of();
			for (int at = 0; at < text.length();) {
				int end = Math.min(text.length(), at + 1 + random.nextInt(12));
				in.add(bytes(text.substring(at, end)));
				at = end;
			}
			RedactingInputStream stream = new RedactingInputStream(in, new PatternAutomaton(patterns));
			String expected = PatternAutomatonTests.naive(patterns, text);
			assertThat(read(stream, random)).as("%s in %s", patterns, text).isEqualTo(expected);
			assertThat(stream.found()).isEqualTo(!expected.equals(text));
		}
	}

	private static String read(RedactingInputStream stream, Random random) throws IOException {
		StringBuilder read = new StringBuilder();
		byte[] target = new byte[16];
		while (true) {
			int available = random.nextBoolean() ? stream.available() : 0;
			int length = (available > 0) ? Math.min(available, target.length) : 1 + random.nextInt(target.length);
			int count = stream.read(target, 0, length);
			if (count < 0) {
				return read.toString();
			}
			assertThat(count).isBetween((available > 0) ? length : 1, length);
			read.append(string(target, count));
		}
	}

	private RedactingInputStream over(InputStream in) {
		return new RedactingInputStream(in, this.automaton);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

	private static String string(byte[] bytes) {
		return string(bytes, bytes.length);
	}

	private static String string(byte[] bytes, int length) {
		return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
	}

}
