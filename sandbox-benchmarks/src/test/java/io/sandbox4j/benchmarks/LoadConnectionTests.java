package io.sandbox4j.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class LoadConnectionTests {

	private static final String REQUEST = "GET / HTTP/1.1\r\n\r\n";

	private static final String SIZED = "HTTP/1.1 200 OK\r\nContent-Length: 11\r\nServer: x\r\n\r\nhello world";

	private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
			+ "5\r\nhello\r\n6;name=value\r\n world\r\n0\r\n\r\n";

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 7, 1000 })
	void answersMayComeInPieces(int size) throws IOException {
		for (String answer : new String[] { SIZED, CHUNKED }) {
			CRC32 checksum = new CRC32();
			Server server = new Server(answer, size);
			LoadConnection connection = new LoadConnection(server, bytes(REQUEST), checksum);
			assertThat(connection.exchange()).isEqualTo(11);
			assertThat(checksum.getValue()).isEqualTo(crc("hello world"));
			assertThat(connection.exchange()).isEqualTo(11);
			assertThat(server.requests()).isEqualTo(REQUEST + REQUEST);
		}
	}

	@Test
	void emptyBodiesAreAnswers() throws IOException {
		assertThat(connection("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").exchange()).isZero();
	}

	@Test
	void anotherStatusFails() {
		assertThatIOException().isThrownBy(() -> connection("HTTP/1.1 403 Forbidden\r\n\r\n").exchange())
			.withMessageContaining("403");
	}

	@Test
	void anAnswerWithoutLengthFails() {
		assertThatIOException().isThrownBy(() -> connection("HTTP/1.1 200 OK\r\n\r\nhello").exchange())
			.withMessageContaining("no length");
	}

	@Test
	void aLongerAnswerFails() {
		assertThatIOException().isThrownBy(() -> connection(SIZED + "x").exchange()).withMessageContaining("longer");
	}

	@Test
	void aShorterAnswerFails() {
		assertThatIOException().isThrownBy(() -> connection(SIZED.substring(0, SIZED.length() - 1)).exchange());
		assertThatIOException().isThrownBy(() -> connection("HTTP/1.1 200").exchange());
	}

	private static LoadConnection connection(String answer) {
		return new LoadConnection(new Server(answer, Integer.MAX_VALUE), bytes(REQUEST), null);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

	private static long crc(String text) {
		CRC32 checksum = new CRC32();
		checksum.update(bytes(text));
		return checksum.getValue();
	}

	/**
	 * Answers each request with the same bytes, a few at a time.
	 */
	private static final class Server implements ByteChannel {

		private final ByteArrayOutputStream requests = new ByteArrayOutputStream();

		private final ByteBuffer answer;

		private final int size;

		Server(String answer, int size) {
			this.answer = ByteBuffer.wrap(bytes(answer)).limit(0);
			this.size = size;
		}

		String requests() {
			return this.requests.toString(StandardCharsets.ISO_8859_1);
		}

		@Override
		public int write(ByteBuffer source) {
			this.requests.write(source.get());
			if (!source.hasRemaining()) {
				this.answer.clear();
			}
			return 1;
		}

		@Override
		public int read(ByteBuffer target) {
			if (!this.answer.hasRemaining()) {
				return -1;
			}
			int count = Math.min(this.size, this.answer.remaining());
			target.put(this.answer.slice(this.answer.position(), count));
			this.answer.position(this.answer.position() + count);
			return count;
		}

		@Override
		public boolean isOpen() {
			return true;
		}

		@Override
		public void close() {
		}

	}

}
