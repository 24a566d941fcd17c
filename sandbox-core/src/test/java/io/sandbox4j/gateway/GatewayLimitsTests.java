package io.sandbox4j.gateway;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Bounds of size, number and time, and that whoever leaves or is cut off gives back what
 * he held.
 */
@Timeout(120)
class GatewayLimitsTests {

	private static final Duration SHORT = Duration.ofMillis(400);

	private static final Duration LONG = Duration.ofSeconds(60);

	@Test
	void aBodyOfExactlyTheLimitPassesAndOneByteMoreDoesNot() {
		try (TestUpstream upstream = TestUpstream
			.answering((request) -> TestUpstream.ok("got " + request.body().length));
				TestGateway gateway = TestGateway.to(upstream, (rule) -> rule.maxRequestBytes(1000))) {
			assertThat(post(gateway, upstream, 1000).body()).isEqualTo("got 1000");
			assertThat(postChunked(gateway, upstream, 1000).body()).isEqualTo("got 1000");
			assertThat(post(gateway, upstream, 1001).status()).isEqualTo(413);
			assertThat(postChunked(gateway, upstream, 1001).status()).isEqualTo(413);
			assertThat(upstream.requests()).hasSize(2);
		}
	}

	@Test
	void whatFollowsABodyThatIsTooLargeIsNoRequest() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok(""));
				TestGateway gateway = TestGateway.to(upstream);
				TestGuest guest = gateway.connect()) {
			String smuggled = TestGateway.request("GET", upstream, "/smuggled") + "\r\n";
			guest.write(TestGateway.request("POST", upstream, "/", "Content-Length: 5000000") + "\r\n");
			TestGuest.Response response = guest.readResponse();
			assertThat(response.status()).isEqualTo(413);
			guest.write(smuggled.repeat(100));
			assertThat(guest.readToEnd()).isEmpty();
			assertThat(upstream.connections()).isZero();
		}
	}

	@Test
	void anAnswerOfExactlyTheLimitPassesAndOneByteMoreDoesNot() {
		try (TestUpstream upstream = TestUpstream
			.answering((request) -> TestUpstream.ok("x".repeat(Integer.parseInt(request.target().substring(1)))));
				TestGateway gateway = TestGateway.to(upstream, (rule) -> rule.maxResponseBytes(1000))) {
			assertThat(gateway.get(upstream, "/1000").body()).hasSize(1000);
			TestGuest.Response response = gateway.get(upstream, "/1001");
			assertThat(response.status()).isEqualTo(502);
			assertThat(response.reason()).isEqualTo("response_too_large");
			assertThat(gateway.failures().get(0).failure().code()).isEqualTo(ErrorCode.SANDBOX_LIMIT);
		}
	}

	@Test
	void anAnswerThatGrowsBeyondTheLimitNeverLooksWhole() {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
			for (int i = 0; i < 20; i++) {
				peer.write("64\r\n" + "x".repeat(100) + "\r\n");
			}
			peer.write("0\r\n\r\n");
			peer.awaitEnd();
		});
				TestGateway gateway = TestGateway.to(upstream, (rule) -> rule.maxResponseBytes(1000));
				TestGuest guest = gateway.connect()) {
			guest.write(TestGateway.request("GET", upstream, "/") + "\r\n");
			assertThat(guest.readToEnd()).startsWith("HTTP/1.1 200").doesNotEndWith("\r\n0\r\n\r\n");
			assertThat(gateway.audit(1).get(0).reason()).isEqualTo("response_too_large");
		}
	}

	@Test
	void anAnswerThatBreaksOffNeverLooksWhole() {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n");
		}); TestGateway gateway = TestGateway.to(upstream); TestGuest guest = gateway.connect()) {
			guest.write(TestGateway.request("GET", upstream, "/") + "\r\n");
			assertThat(guest.readToEnd()).contains("abc").doesNotContain("\r\n0\r\n");
			assertThat(gateway.audit(1).get(0).reason()).isEqualTo("upstream_closed");
			assertThat(gateway.failures()).hasSize(1);
		}
	}

	@Test
	void theSeventeenthRequestIsTurnedAway() throws Exception {
		CountDownLatch arrived = new CountDownLatch(16);
		CountDownLatch go = new CountDownLatch(1);
		try (TestUpstream upstream = TestUpstream.answering((request) -> {
			arrived.countDown();
			go.await();
			return TestUpstream.ok("done");
		}); TestGateway gateway = TestGateway.to(upstream)) {
			List<TestGuest> guests = new ArrayList<>();
			for (int i = 0; i < 16; i++) {
				guests.add(gateway.connect().write(TestGateway.request("GET", upstream, "/") + "\r\n"));
			}
			assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
			TestGuest.Response response = gateway.get(upstream, "/");
			assertThat(response.status()).isEqualTo(503);
			assertThat(response.body()).startsWith("Sandbox broker busy\n");
			assertThat(response.header("Retry-After")).isEqualTo("1");
			assertThat(gateway.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").status()).isEqualTo(403);
			go.countDown();
			for (TestGuest guest : guests) {
				assertThat(guest.readResponse().body()).isEqualTo("done");
				guest.close();
			}
			assertThat(gateway.get(upstream, "/").body()).isEqualTo("done");
		}
	}

	@Test
	void requestsInAMinuteHaveABoundWhereTheRuleSaysSo() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok(""));
				TestGateway gateway = TestGateway.to(upstream, (rule) -> rule.requestsPerMinute(2))) {
			assertThat(gateway.get(upstream, "/").status()).isEqualTo(200);
			assertThat(gateway.get(upstream, "/").status()).isEqualTo(200);
			TestGuest.Response response = gateway.get(upstream, "/");
			assertThat(response.status()).isEqualTo(429);
			assertThat(Integer.parseInt(response.header("Retry-After"))).isBetween(1, 60);
			assertThat(upstream.requests()).hasSize(2);
		}
	}

	@Test
	void connectionsThatSayNothingAreClosed() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("served"));
				TestGateway gateway = TestGateway.to(upstream, (rule) -> rule, limits(LONG, LONG, SHORT, LONG))) {
			List<TestGuest> guests = new ArrayList<>();
			for (int i = 0; i < 300; i++) {
				TestGuest guest = gateway.connect();
				guests.add(guest);
				if (i % 3 == 0) {
					guest.shutdownOutput();
				}
			}
			await().atMost(Duration.ofSeconds(20)).until(() -> gateway.gateway().status().connections() == 0);
			assertThat(gateway.get(upstream, "/").body()).isEqualTo("served");
			guests.forEach(TestGuest::close);
		}
	}

	@Test
	void aHeadThatDripsIsCutOff() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok(""));
				TestGateway gateway = TestGateway.to(upstream, (rule) -> rule, limits(SHORT, LONG, LONG, LONG));
				TestGuest guest = gateway.connect()) {
			Thread drip = drip(guest, "GET / HTTP/1.1\r\n", "X: ");
			TestGuest.Response response = guest.readResponse();
			assertThat(response.status()).isEqualTo(408);
			assertThat(response.reason()).isEqualTo("head_timeout");
			drip.interrupt();
		}
	}

	@Test
	void aBodyThatStopsIsCutOff() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok(""));
				TestGateway gateway = TestGateway.to(upstream, (rule) -> rule, limits(LONG, SHORT, LONG, LONG));
				TestGuest guest = gateway.connect()) {
			guest.write(TestGateway.request("POST", upstream, "/", "Transfer-Encoding: chunked") + "\r\n2\r\nab\r\n");
			TestGuest.Response response = guest.readResponse();
			assertThat(response.status()).isEqualTo(408);
			assertThat(response.reason()).isEqualTo("request_timeout");
			assertThat(upstream.requests()).isEmpty();
		}
	}

	@Test
	void anOriginThatIsSilentIsCutOff() {
		CountDownLatch never = new CountDownLatch(1);
		try (TestUpstream upstream = TestUpstream.answering((request) -> {
			never.await();
			return "";
		}); TestGateway gateway = TestGateway.to(upstream, (rule) -> rule, limits(LONG, SHORT, LONG, LONG))) {
			TestGuest.Response response = gateway.get(upstream, "/");
			assertThat(response.status()).isEqualTo(504);
			assertThat(response.body()).startsWith("Sandbox upstream request failed\n");
			assertThat(response.reason()).isEqualTo("upstream_timeout");
			never.countDown();
		}
	}

	@Test
	void aRequestHasADeadlineHoweverBusyItIs() {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
			while (true) {
				peer.write("1\r\nx\r\n");
				TimeUnit.MILLISECONDS.timedJoin(Thread.currentThread(), 20);
			}
		});
				TestGateway gateway = TestGateway.to(upstream, (rule) -> rule.timeout(Duration.ofSeconds(1)));
				TestGuest guest = gateway.connect()) {
			long start = System.nanoTime();
			guest.write(TestGateway.request("GET", upstream, "/") + "\r\n");
			assertThat(guest.readToEnd()).contains("1\r\nx\r\n").doesNotContain("\r\n0\r\n");
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(900),
					Duration.ofSeconds(10));
			assertThat(gateway.audit(1).get(0).reason()).isIn("upstream_timeout", "aborted");
		}
	}

	@Test
	void guestsThatDoNotReadGiveTheirPlaceBack() {
		AtomicInteger cutOff = new AtomicInteger();
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			TestUpstream.Request request = peer.readRequest();
			if (request.target().equals("/small")) {
				peer.write(TestUpstream.ok("served"));
				return;
			}
			try {
				peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
				while (true) {
					peer.write("8000\r\n" + "x".repeat(0x8000) + "\r\n");
				}
			}
			catch (java.io.IOException ex) {
				cutOff.incrementAndGet();
			}
		});
				TestGateway gateway = TestGateway.to(upstream, (rule) -> rule.maxResponseBytes(1L << 40),
						limits(LONG, SHORT, LONG, LONG))) {
			List<TestGuest> stuck = new ArrayList<>();
			for (int i = 0; i < 16; i++) {
				stuck.add(gateway.connect().write(TestGateway.request("GET", upstream, "/big") + "\r\n"));
			}
			await().atMost(Duration.ofSeconds(20)).until(() -> cutOff.get() == 16);
			await().atMost(Duration.ofSeconds(20))
				.untilAsserted(() -> assertThat(gateway.get(upstream, "/small").body()).isEqualTo("served"));
			stuck.forEach(TestGuest::close);
		}
	}

	@Test
	void aGuestThatLeavesCancelsWhatItAskedFor() throws Exception {
		CountDownLatch asked = new CountDownLatch(1);
		CountDownLatch cancelled = new CountDownLatch(1);
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			asked.countDown();
			peer.awaitEnd();
			cancelled.countDown();
		}); TestGateway gateway = TestGateway.to(upstream)) {
			TestGuest guest = gateway.connect();
			guest.write(TestGateway.request("GET", upstream, "/") + "\r\n");
			assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
			guest.close();
			assertThat(cancelled.await(10, TimeUnit.SECONDS)).isTrue();
			assertThat(gateway.audit(1).get(0).status()).isZero();
			assertThat(gateway.audit(1).get(0).reason()).isEqualTo("guest_left");
		}
	}

	@Test
	void aGuestThatOnlySendsNoMoreStillGetsItsAnswer() {
		CountDownLatch go = new CountDownLatch(1);
		try (TestUpstream upstream = TestUpstream.answering((request) -> {
			go.await();
			return TestUpstream.ok("late");
		}); TestGateway gateway = TestGateway.to(upstream); TestGuest guest = gateway.connect()) {
			guest.write(TestGateway.request("GET", upstream, "/") + "\r\n");
			guest.shutdownOutput();
			await().pollDelay(Duration.ofMillis(600)).until(() -> true);
			go.countDown();
			assertThat(guest.readResponse().body()).isEqualTo("late");
		}
	}

	@Test
	void aNewPolicyAbortsWhatIsInFlight() throws Exception {
		CountDownLatch asked = new CountDownLatch(1);
		CountDownLatch cancelled = new CountDownLatch(1);
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			asked.countDown();
			peer.awaitEnd();
			cancelled.countDown();
		});
				TestGateway gateway = TestGateway.to(upstream);
				TestGuest waiting = gateway.connect();
				TestGuest idle = gateway.connect()) {
			waiting.write(TestGateway.request("GET", upstream, "/") + "\r\n");
			assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
			gateway.session().setPolicy(NetworkPolicy.denyAll());
			assertThat(cancelled.await(10, TimeUnit.SECONDS)).isTrue();
			assertThat(waiting.readToEnd()).doesNotContain("200");
			assertThat(idle.readToEnd()).isEmpty();
			assertThat(gateway.get(upstream, "/").reason()).isEqualTo("denied_by_policy");
		}
	}

	@Test
	void aPolicyThatNamesWhatIsNotThereLeavesTheOldOne() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("served"));
				TestGateway gateway = TestGateway.to(upstream)) {
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> gateway.session()
					.setPolicy(NetworkPolicy.allow(
							OriginRule.builder("https://a.example").credential("authorization", "nobody", "").build())))
				.withMessageContaining("'network.allow.credentials.source'")
				.withMessageContaining("'nobody'");
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> gateway.session()
					.setPolicy(NetworkPolicy.allow(OriginRule.builder("https://a.example").tls("nothing").build())))
				.withMessageContaining("'network.allow.ssl-bundle'");
			assertThat(gateway.get(upstream, "/").body()).isEqualTo("served");
		}
	}

	@Test
	void closingAbortsAndRemovesTheSocket() throws Exception {
		CountDownLatch asked = new CountDownLatch(1);
		CountDownLatch cancelled = new CountDownLatch(1);
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			asked.countDown();
			peer.awaitEnd();
			cancelled.countDown();
		}); TestGateway gateway = TestGateway.to(upstream); TestGuest guest = gateway.connect()) {
			guest.write(TestGateway.request("GET", upstream, "/") + "\r\n");
			assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
			gateway.session().close();
			assertThat(gateway.socket()).doesNotExist();
			assertThat(cancelled.await(10, TimeUnit.SECONDS)).isTrue();
			guest.readToEnd();
			gateway.session().close();
		}
	}

	@Test
	void closingToleratesASocketThatIsGone() throws Exception {
		try (TestGateway gateway = TestGateway.with(NetworkPolicy.denyAll())) {
			Files.delete(gateway.socket());
			gateway.session().close();
		}
	}

	@Test
	void theSocketIsForItsOwnerOnly() throws Exception {
		try (TestGateway gateway = TestGateway.with(NetworkPolicy.denyAll())) {
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(gateway.socket())))
				.isEqualTo("rw-------");
		}
	}

	@Test
	void aDirectoryMayBeAsDeepAsItLikes() throws Exception {
		Path base = Files.createTempDirectory("gw");
		Path directory = Files.createDirectory(base.resolve("d".repeat(200)));
		try (SandboxGateway gateway = SandboxGateway.builder().build()) {
			GatewaySession session = gateway.open("s", directory, NetworkPolicy.denyAll(), (pid) -> null, (event) -> {
			});
			assertThat(directory.resolve(GatewaySession.SOCKET)).exists();
			Path link = Files.createSymbolicLink(base.resolve("l"), directory);
			try (TestGuest guest = TestGuest.connect(link.resolve(GatewaySession.SOCKET))) {
				guest.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
				assertThat(guest.readResponse().reason()).isEqualTo("denied_by_policy");
			}
			Files.delete(link);
			session.close();
			assertThat(directory).isEmptyDirectory();
		}
		finally {
			Files.delete(directory);
			Files.delete(base);
		}
	}

	@Test
	void afterTheEndNothingIsLeft() {
		int before = threads();
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("served"));
				TestGateway gateway = TestGateway.to(upstream)) {
			for (int i = 0; i < 20; i++) {
				gateway.get(upstream, "/");
			}
			assertThat(gateway.gateway().status().sessions()).isEqualTo(1);
		}
		await().atMost(Duration.ofSeconds(10)).until(() -> threads() <= before);
	}

	private static int threads() {
		return (int) Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("sandbox-gateway-"))
			.count();
	}

	private static GatewayLimits limits(Duration head, Duration idle, Duration keepAlive, Duration request) {
		return new GatewayLimits(16, 64, 64 * 1024, 1024 * 1024, 1024 * 1024, head, Duration.ofSeconds(10), idle,
				keepAlive, request);
	}

	private static Thread drip(TestGuest guest, String start, String more) {
		guest.write(start);
		Thread thread = new Thread(() -> {
			try {
				while (!Thread.currentThread().isInterrupted()) {
					guest.write(more + "a\r\n");
					Thread.currentThread().join(50);
				}
			}
			catch (InterruptedException | RuntimeException ex) {
				// The gateway closed, or the test ended.
			}
		});
		thread.start();
		return thread;
	}

	private static TestGuest.Response post(TestGateway gateway, TestUpstream upstream, int size) {
		return gateway
			.send(TestGateway.request("POST", upstream, "/", "Content-Length: " + size) + "\r\n" + "x".repeat(size));
	}

	private static TestGuest.Response postChunked(TestGateway gateway, TestUpstream upstream, int size) {
		return gateway.send(TestGateway.request("POST", upstream, "/", "Transfer-Encoding: chunked") + "\r\n"
				+ "1\r\nx\r\n".repeat(size) + "0\r\n\r\n");
	}

}
