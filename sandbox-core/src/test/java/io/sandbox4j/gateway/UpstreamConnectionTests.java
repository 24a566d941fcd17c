package io.sandbox4j.gateway;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;

import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.InputStreamEntity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class UpstreamConnectionTests {

	private static final int LARGE = 8 * 1024 * 1024;

	private final UpstreamFixture fixture = new UpstreamFixture();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	// BC-138
	@Test
	void interimAnswersAreSkipped() throws Exception {
		String hint = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
		try (TestUpstream upstream = TestUpstream.answering((request) -> "HTTP/1.1 100 Continue\r\n\r\n" + hint + hint
				+ hint + TestUpstream.ok(request.target()))) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			for (int i = 0; i < 5; i++) {
				assertThat(this.fixture.get(route)).isEqualTo("200 /");
			}
			assertThat(upstream.connections()).isEqualTo(1);
		}
	}

	@Test
	void anEndlessRowOfInterimAnswersIsRefused() throws Exception {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			while (true) {
				peer.write("HTTP/1.1 103 Early Hints\r\n\r\n");
			}
		})) {
			assertRefused(upstream, Refusal.UPSTREAM_MALFORMED);
		}
	}

	// BC-135
	@ParameterizedTest
	@CsvSource({ "HEAD,200 OK,Content-Length: 1234,true", "HEAD,200 OK,Transfer-Encoding: chunked,true",
			"GET,304 Not Modified,Transfer-Encoding: chunked,true", "GET,304 Not Modified,Content-Length: 99,true",
			"GET,204 No Content,Content-Length: 5,false", "GET,204 No Content,Content-Length: 0,true",
			"GET,204 No Content,X-None: 1,true" })
	void answersWithoutABodyAreNotWaitedFor(String method, String status, String field, boolean kept) throws Exception {
		try (TestUpstream upstream = TestUpstream
			.answering((request) -> "HTTP/1.1 " + status + "\r\n" + field + "\r\n\r\n")) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			String expected = status.substring(0, 4);
			assertThat(this.fixture.exchange(route, method, null)).isEqualTo(expected);
			assertThat(this.fixture.exchange(route, method, null)).isEqualTo(expected);
			assertThat(upstream.connections()).isEqualTo(kept ? 1 : 2);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
			"HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nab", "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\na",
			"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\na", "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\na",
			"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\na",
			"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nabc",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nabc",
			"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
			"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
			"HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\na", "HTTP/1.1 200 OK\r\nNo colon\r\n\r\na",
			"HTTP/1.1 200 OK\r\nA b: 1\r\n\r\na", "HTTP/1.1 200 OK\r\nA\rB: 2\r\n\r\na", "HTTP/1.1 099 Odd\r\n\r\n",
			"HTTP/1.1 000 Odd\r\n\r\n", "HTTP/1.1 600 Odd\r\n\r\n", "HTTP/1.1 2x0 Odd\r\n\r\n",
			"HTTP/2.0 200 OK\r\n\r\n", "ICY 200 OK\r\n\r\n", "\r\n\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
			"SSH-2.0-OpenSSH_9.2\r\n" })
	void ambiguousAnswersAreRefused(String answer) throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> answer)) {
			assertRefused(upstream, Refusal.UPSTREAM_MALFORMED);
		}
	}

	@Test
	void aLengthThatIsRepeatedIsOne() throws Exception {
		try (TestUpstream upstream = TestUpstream
			.answering((request) -> "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi")) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			assertThat(this.fixture.get(route)).isEqualTo("200 hi");
			assertThat(this.fixture.get(route)).isEqualTo("200 hi");
			assertThat(upstream.connections()).isEqualTo(1);
		}
	}

	@Test
	void theHeadIsBoundedAsAWhole() throws Exception {
		String field = "X-Long: " + "x".repeat(1000) + "\r\n";
		try (TestUpstream fits = TestUpstream.answering((request) -> TestUpstream.ok("hi", (field + field).strip()));
				TestUpstream many = TestUpstream.answering((request) -> TestUpstream.ok("hi", field.repeat(5).strip()));
				TestUpstream endless = TestUpstream.raw((peer) -> {
					peer.readRequest();
					while (true) {
						peer.write("x".repeat(1000));
					}
				})) {
			assertThat(this.fixture.get(UpstreamFixture.route(fits.origin()))).isEqualTo("200 hi");
			assertRefused(many, Refusal.UPSTREAM_MALFORMED);
			assertRefused(endless, Refusal.UPSTREAM_MALFORMED);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n",
			"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n" })
	void anAnswerThatEndsTooSoonIsNotTaken(String answer) throws Exception {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			peer.write(answer);
		})) {
			assertRefused(upstream, Refusal.UPSTREAM_CLOSED);
		}
	}

	@Test
	void anAnswerUntilTheEndOfTheConnectionIsTakenAndTheConnectionNotKept() throws Exception {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\n\r\nhi");
		})) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			assertThat(this.fixture.get(route)).isEqualTo("200 hi");
			assertThat(this.fixture.pool.open()).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi",
			"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi",
			"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil" })
	void aConnectionIsNotKeptAfter(String answer) throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> answer)) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			assertThat(this.fixture.get(route)).isEqualTo("200 hi");
			assertThat(this.fixture.pool.open()).isZero();
			assertThat(this.fixture.get(route)).isEqualTo("200 hi");
		}
	}

	@Test
	void anAnswerThatIsNotReadToItsEndIsNotDrained() throws Exception {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
			while (true) {
				peer.write("5\r\nhello\r\n");
			}
		})) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			UpstreamConnection connection = this.fixture.lease(route);
			ClassicHttpRequest request = UpstreamFixture.request(route, "GET", null);
			connection.send(request);
			ClassicHttpResponse answer = connection.receiveFinalHead(request);
			try (InputStream in = answer.getEntity().getContent()) {
				assertThat(in.readNBytes(5)).asString().isEqualTo("hello");
			}
			answer.close();
			this.fixture.pool.release(connection, true);
			assertThat(this.fixture.pool.open()).isZero();
		}
	}

	@Test
	void bodiesGoUpWithALengthAndInChunks() throws Exception {
		try (TestUpstream upstream = TestUpstream
			.answering((request) -> TestUpstream.ok(String.valueOf(request.body().length)))) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			byte[] body = new byte[100_000];
			assertThat(this.fixture.exchange(route, "POST", new ByteArrayEntity(body, null))).isEqualTo("200 100000");
			assertThat(this.fixture.exchange(route, "POST", chunked(new ByteArrayInputStream(body))))
				.isEqualTo("200 100000");
			assertThat(upstream.connections()).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@CsvSource({ "false,false", "false,true", "true,false", "true,true" })
	void anAnswerThatRefusesABodyEndsTheUpload(boolean tls, boolean chunks) throws Exception {
		CountDownLatch answered = new CountDownLatch(1);
		try (TestUpstream upstream = TestUpstream.raw(serverTls(tls), (peer) -> {
			peer.readHead();
			peer.readExactly(1000);
			peer.write(TestUpstream.answer(413, "too large"));
			answered.countDown();
			// Neither closes nor reads on before the client has seen it.
			peer.awaitEnd();
		})) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin(), clientTls(tls));
			WaitingSource source = new WaitingSource(answered);
			HttpEntity entity = chunks ? chunked(source) : new InputStreamEntity(source, LARGE, null);
			assertThat(this.fixture.exchange(route, "POST", entity)).isEqualTo("413 too large");
			assertThat(source.sent).isLessThan(LARGE);
			assertThat(this.fixture.pool.open()).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void anAnswerBeforeAResetIsNotLost(boolean chunks) throws Exception {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readHead();
			peer.write(TestUpstream.answer(413, "too large"));
			// Closing with unread bytes resets the connection.
			peer.readExactly(1);
		})) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			for (int i = 0; i < 20; i++) {
				InputStream source = new ByteArrayInputStream(new byte[LARGE]);
				HttpEntity entity = chunks ? chunked(source) : new InputStreamEntity(source, LARGE, null);
				assertThat(this.fixture.exchange(route, "POST", entity)).isEqualTo("413 too large");
			}
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void interimAndSuccessfulAnswersDoNotCutTheUploadOff(boolean tls) throws Exception {
		CountDownLatch answered = new CountDownLatch(1);
		try (TestUpstream upstream = TestUpstream.raw(serverTls(tls), (peer) -> {
			String head = peer.readHead();
			byte[] start = peer.readExactly(1000);
			peer.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n"
					+ "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
			answered.countDown();
			byte[] rest = peer.readExactly(LARGE - 1000);
			String text = String.valueOf(start.length + rest.length);
			peer.write(text.length() + "\r\n" + text + "\r\n0\r\n\r\n");
			peer.readRequest();
			peer.write(TestUpstream.ok(head.isEmpty() ? "" : "next"));
		})) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin(), clientTls(tls));
			HttpEntity entity = new InputStreamEntity(new WaitingSource(answered), LARGE, null);
			assertThat(this.fixture.exchange(route, "POST", entity)).isEqualTo("200 " + LARGE);
			assertThat(this.fixture.get(route)).isEqualTo("200 next");
			assertThat(upstream.connections()).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void halfOfABodyIsNeverEndedAsAWhole(boolean chunks) throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("whole"))) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			InputStream broken = new InputStream() {

				private int left = 100_000;

				@Override
				public int read(byte[] bytes, int offset, int length) throws IOException {
					if (this.left == 0) {
						throw new IOException("the guest left");
					}
					int count = Math.min(length, this.left);
					this.left -= count;
					return count;
				}

				@Override
				public int read() throws IOException {
					throw new IOException("Not used.");
				}

			};
			HttpEntity entity = chunks ? chunked(broken) : new InputStreamEntity(broken, 200_000, null);
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.fixture.exchange(route, "POST", entity))
				.withMessage("the guest left");
			assertThat(this.fixture.pool.open()).isZero();
			await().until(() -> upstream.ended() == 1);
			assertThat(upstream.requests()).isEmpty();
		}
	}

	@Test
	void anAbortEndsAWrite() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		try (TestUpstream upstream = TestUpstream.raw((peer) -> end.await())) {
			AbortHandle handle = new AbortHandle();
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			UpstreamConnection connection = this.fixture.pool.lease(route, false, handle);
			CountDownLatch filling = new CountDownLatch(64);
			ClassicHttpRequest request = UpstreamFixture.request(route, "POST", chunked(new InputStream() {

				@Override
				public int read(byte[] bytes, int offset, int length) {
					filling.countDown();
					return length;
				}

				@Override
				public int read() throws IOException {
					throw new IOException("Not used.");
				}

			}));
			Thread aborter = new Thread(() -> {
				try {
					filling.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				handle.abort();
			});
			aborter.start();
			assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> {
				connection.send(request);
				connection.receiveFinalHead(request);
			});
			aborter.join();
			end.countDown();
			assertThat(connection.isOpen()).isFalse();
		}
	}

	@Test
	void silenceIsATimeout() throws Exception {
		try (TestUpstream upstream = TestUpstream.raw(TestUpstream.Peer::awaitEnd);
				UpstreamFixture fixture = new UpstreamFixture(
						UpstreamFixture.limits(Duration.ofSeconds(10), Duration.ofMillis(50)), null)) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> fixture.get(route))
				.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.UPSTREAM_TIMEOUT));
		}
	}

	private void assertRefused(TestUpstream upstream, Refusal refusal) throws Exception {
		UpstreamRoute route = UpstreamFixture.route(upstream.origin());
		UpstreamConnection connection = this.fixture.lease(route);
		ClassicHttpRequest request = UpstreamFixture.request(route, "GET", null);
		connection.send(request);
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> {
			try {
				UpstreamFixture.body(connection.receiveFinalHead(request));
			}
			catch (IOException ex) {
				throw connection.failure(ex);
			}
		}).satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(refusal));
		this.fixture.pool.release(connection, true);
		assertThat(connection.isOpen()).isFalse();
	}

	private static HttpEntity chunked(InputStream source) {
		return new InputStreamEntity(source, null);
	}

	private static @Nullable SSLContext serverTls(boolean tls) {
		return tls ? TestAuthority.shared().server("ip:127.0.0.1") : null;
	}

	private static @Nullable SSLContext clientTls(boolean tls) {
		return tls ? TestAuthority.shared().client() : null;
	}

	/**
	 * A body that goes on when the answer is on its way, so that it is there early for
	 * sure.
	 */
	private static final class WaitingSource extends InputStream {

		private final CountDownLatch answered;

		private int sent;

		WaitingSource(CountDownLatch answered) {
			this.answered = answered;
		}

		@Override
		public int read(byte[] bytes, int offset, int length) throws IOException {
			if (this.sent >= 64 * 1024) {
				try {
					assertThat(this.answered.await(10, TimeUnit.SECONDS)).isTrue();
				}
				catch (InterruptedException ex) {
					throw new IOException(ex);
				}
			}
			if (this.sent == LARGE) {
				return -1;
			}
			int count = Math.min(length, LARGE - this.sent);
			this.sent += count;
			return count;
		}

		@Override
		public int read() throws IOException {
			throw new IOException("Not used.");
		}

	}

}
