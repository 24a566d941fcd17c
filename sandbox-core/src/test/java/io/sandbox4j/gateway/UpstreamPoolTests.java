package io.sandbox4j.gateway;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.sandbox4j.Origin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

class UpstreamPoolTests {

	private final UpstreamFixture fixture = new UpstreamFixture();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void requestsOfOneRouteShareAConnection() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"))) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			for (int i = 0; i < 5; i++) {
				assertThat(this.fixture.get(route)).isEqualTo("200 hi");
			}
			assertThat(upstream.connections()).isEqualTo(1);
			assertThat(this.fixture.pool.open()).isEqualTo(1);
		}
	}

	@Test
	void otherRoutesShareNothing() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"))) {
			Origin origin = upstream.origin();
			this.fixture.get(new UpstreamRoute(origin, true, null, "secret one"));
			this.fixture.get(new UpstreamRoute(origin, true, null, "secret two"));
			this.fixture.get(new UpstreamRoute(upstream.origin("other.test"), true, null, "secret one"));
			assertThat(upstream.connections()).isEqualTo(3);
			UpstreamRoute privateRefused = new UpstreamRoute(origin, false, null, "secret one");
			assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> this.fixture.get(privateRefused))
				.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.ADDRESS_NOT_ALLOWED));
			assertThat(privateRefused.toString()).doesNotContain("secret");
		}
	}

	@Test
	void aConnectionInUseIsNotShared() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"))) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			UpstreamConnection first = this.fixture.lease(route);
			UpstreamConnection second = this.fixture.lease(route);
			assertThat(first).isNotSameAs(second);
			assertThat(this.fixture.pool.open()).isEqualTo(2);
			this.fixture.pool.release(first, false);
			this.fixture.pool.release(second, false);
			assertThat(this.fixture.pool.open()).isZero();
		}
	}

	@Test
	void freshIsNew() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"))) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			this.fixture.get(route);
			UpstreamConnection connection = this.fixture.pool.lease(route, true, new AbortHandle());
			assertThat(connection.reused()).isFalse();
			assertThat(this.fixture.lease(route).reused()).isTrue();
		}
	}

	@Test
	void aConnectionThatServedNothingIsNotKept() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"))) {
			UpstreamConnection connection = this.fixture.lease(UpstreamFixture.route(upstream.origin()));
			this.fixture.pool.release(connection, true);
			assertThat(this.fixture.pool.open()).isZero();
			assertThat(connection.isOpen()).isFalse();
		}
	}

	@Test
	void givingBackTwiceKeepsOnce() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"))) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			this.fixture.get(route);
			UpstreamConnection connection = this.fixture.lease(route);
			var request = UpstreamFixture.request(route, "GET", null);
			connection.send(request);
			UpstreamFixture.body(connection.receiveFinalHead(request));
			this.fixture.pool.release(connection, true);
			this.fixture.pool.release(connection, true);
			this.fixture.pool.release(connection, false);
			assertThat(this.fixture.lease(route)).isSameAs(connection);
			assertThat(this.fixture.lease(route)).isNotSameAs(connection);
		}
	}

	@Test
	void idleAndOldConnectionsAreReplaced() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"))) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			this.fixture.get(route);
			this.fixture.advance(Duration.ofSeconds(29));
			this.fixture.get(route);
			assertThat(upstream.connections()).isEqualTo(1);
			this.fixture.advance(Duration.ofSeconds(31));
			this.fixture.get(route);
			assertThat(upstream.connections()).isEqualTo(2);
			for (int i = 0; i < 11; i++) {
				this.fixture.advance(Duration.ofSeconds(28));
				this.fixture.get(route);
			}
			assertThat(upstream.connections()).isEqualTo(3);
		}
	}

	@Test
	void theSweepClosesWhatIsIdle() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"))) {
			this.fixture.get(UpstreamFixture.route(upstream.origin()));
			this.fixture.pool.closeIdle();
			assertThat(this.fixture.pool.open()).isEqualTo(1);
			this.fixture.advance(Duration.ofSeconds(31));
			this.fixture.pool.closeIdle();
			assertThat(this.fixture.pool.open()).isZero();
		}
	}

	@Test
	void keepsABoundedCountOfARoute() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"))) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			List<UpstreamConnection> connections = new ArrayList<>();
			for (int i = 0; i < 34; i++) {
				UpstreamConnection connection = this.fixture.lease(route);
				var request = UpstreamFixture.request(route, "GET", null);
				connection.send(request);
				UpstreamFixture.body(connection.receiveFinalHead(request));
				connections.add(connection);
			}
			connections.forEach((connection) -> this.fixture.pool.release(connection, true));
			assertThat(this.fixture.pool.open()).isEqualTo(32);
		}
	}

	// BC-144: the origin closes what is idle, on or just before the next request.
	@Test
	void aConnectionThatTheOriginClosedIsNotUsed() throws Exception {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			peer.write(TestUpstream.ok("hi"));
		})) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			for (int i = 1; i <= 20; i++) {
				assertThat(this.fixture.get(route)).isEqualTo("200 hi");
				int served = i;
				await().until(() -> upstream.ended() == served);
				this.fixture.advance(Duration.ofMillis(101));
			}
			assertThat(upstream.connections()).isEqualTo(20);
		}
	}

	@Test
	void aCloseThatIsSeenTooLateIsToldApart() throws Exception {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			peer.write(TestUpstream.ok("hi"));
		})) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			this.fixture.get(route);
			await().until(() -> upstream.ended() == 1);
			UpstreamConnection connection = this.fixture.lease(route);
			assertThat(connection.reused()).isTrue();
			var request = UpstreamFixture.request(route, "GET", null);
			RefusedException ex = catchThrowableOfType(RefusedException.class, () -> {
				connection.send(request);
				connection.receiveFinalHead(request);
			});
			assertThat(ex.refusal()).isEqualTo(Refusal.UPSTREAM_CLOSED);
			assertThat(connection.answered()).isFalse();
		}
	}

	@Test
	void bytesThatCameWhileIdleAnswerNothing() throws Exception {
		CountDownLatch idle = new CountDownLatch(1);
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			peer.write(TestUpstream.ok("hi"));
			if (peer.number() == 1) {
				idle.await();
				peer.write(TestUpstream.answer(408, "too slow"));
			}
			peer.awaitEnd();
		})) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			UpstreamConnection connection = this.fixture.lease(route);
			var request = UpstreamFixture.request(route, "GET", null);
			connection.send(request);
			UpstreamFixture.body(connection.receiveFinalHead(request));
			this.fixture.pool.release(connection, true);
			idle.countDown();
			// Even without a wait: bytes on the socket are a sign that costs nothing.
			await().until(() -> !connection.quiet(false));
			assertThat(this.fixture.get(route)).isEqualTo("200 hi");
			assertThat(upstream.connections()).isEqualTo(2);
		}
	}

	@Test
	void connectsToTheAddressThatWasChecked() throws Exception {
		List<String> asked = new ArrayList<>();
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"));
				UpstreamFixture fixture = new UpstreamFixture(GatewayLimits.DEFAULT, null, (host) -> {
					asked.add(host);
					return new InetAddress[] { InetAddress.getByName("127.0.0.1") };
				})) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin("api.example.test"));
			assertThat(fixture.get(route)).isEqualTo("200 hi");
			assertThat(asked).containsExactly("api.example.test");
			assertThat(upstream.requests().get(0).header("Host")).isEqualTo("api.example.test:" + upstream.port());
		}
	}

	@Test
	void triesTheAddressesInOrder() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"));
				UpstreamFixture fixture = new UpstreamFixture(GatewayLimits.DEFAULT, null, (host) -> new InetAddress[] {
						InetAddress.getByName("127.0.0.2"), InetAddress.getByName("127.0.0.1") })) {
			assertThat(fixture.get(UpstreamFixture.route(upstream.origin("a.test")))).isEqualTo("200 hi");
		}
	}

	@Test
	void whatTakesNoConnectionIsUnreachable() throws Exception {
		TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"));
		upstream.close();
		assertThatExceptionOfType(RefusedException.class)
			.isThrownBy(() -> this.fixture.lease(UpstreamFixture.route(upstream.origin("a.test"))))
			.withMessageContaining("http://a.test")
			.withMessageContaining("127.0.0.1")
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.UPSTREAM_UNREACHABLE));
		assertThat(this.fixture.pool.open()).isZero();
	}

	@Test
	void anAddressThatSwallowsPacketsIsLeftInTime() throws Exception {
		try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
				UpstreamFixture fixture = new UpstreamFixture(
						UpstreamFixture.limits(Duration.ofMillis(300), Duration.ofSeconds(10)), null)) {
			List<Socket> fillers = new ArrayList<>();
			try {
				for (int i = 0; i < 2; i++) {
					fillers.add(new Socket(full.getInetAddress(), full.getLocalPort()));
				}
				Origin origin = new Origin("http", "a.test", full.getLocalPort());
				assertThatExceptionOfType(RefusedException.class)
					.isThrownBy(() -> fixture.lease(UpstreamFixture.route(origin)))
					.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.UPSTREAM_UNREACHABLE));
			}
			finally {
				for (Socket filler : fillers) {
					filler.close();
				}
			}
		}
	}

	@Test
	void anAbortEndsARead() throws Exception {
		CountDownLatch read = new CountDownLatch(1);
		CountDownLatch ended = new CountDownLatch(1);
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			read.countDown();
			peer.awaitEnd();
			ended.countDown();
		})) {
			AbortHandle handle = new AbortHandle();
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			UpstreamConnection connection = this.fixture.pool.lease(route, false, handle);
			var request = UpstreamFixture.request(route, "GET", null);
			connection.send(request);
			Thread aborter = new Thread(() -> {
				awaitQuietly(read);
				handle.abort();
			});
			aborter.start();
			assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> connection.receiveFinalHead(request));
			assertThat(handle.aborted()).isTrue();
			this.fixture.pool.release(connection, true);
			assertThat(this.fixture.pool.open()).isZero();
			assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
			aborter.join();
		}
	}

	@Test
	void anAbortAfterwardsTouchesNothing() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"))) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			AbortHandle handle = new AbortHandle();
			UpstreamConnection connection = this.fixture.pool.lease(route, false, handle);
			var request = UpstreamFixture.request(route, "GET", null);
			connection.send(request);
			UpstreamFixture.body(connection.receiveFinalHead(request));
			this.fixture.pool.release(connection, true);
			handle.abort();
			assertThat(this.fixture.get(route)).isEqualTo("200 hi");
			assertThat(upstream.connections()).isEqualTo(1);
			assertThatExceptionOfType(RefusedException.class)
				.isThrownBy(() -> this.fixture.pool.lease(route, false, handle))
				.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.STOPPED));
		}
	}

	@Test
	void closingEndsWhatIsInUseAndWhatComes() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"))) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin());
			this.fixture.get(route);
			UpstreamConnection connection = this.fixture.pool.lease(route, true, new AbortHandle());
			this.fixture.pool.close();
			this.fixture.pool.close();
			assertThat(connection.isOpen()).isFalse();
			assertThat(this.fixture.pool.open()).isZero();
			this.fixture.pool.release(connection, true);
			assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> this.fixture.lease(route))
				.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.STOPPED));
			assertThat(this.fixture.pool.open()).isZero();
		}
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
