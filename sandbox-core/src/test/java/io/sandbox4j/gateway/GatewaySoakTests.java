package io.sandbox4j.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Many requests, some of which end badly: descriptors, threads and memory return to where
 * they were.
 */
@Timeout(400)
class GatewaySoakTests {

	private static final int REQUESTS = Integer.getInteger("sandbox.test.soak", 100_000);

	private static final int CLIENTS = 8;

	private static final long MEGABYTE = 1024 * 1024;

	private static final byte[] ANSWER = TestUpstream.ok("x".repeat(1024)).getBytes();

	private static final byte[] BIG = TestUpstream.ok("x".repeat(300_000)).getBytes();

	@Test
	void nothingIsLeftOfManyRequests() throws Exception {
		TestUpstream dead = TestUpstream.answering((request) -> TestUpstream.ok(""));
		dead.close();
		try (TestUpstream upstream = TestUpstream.raw(GatewaySoakTests::serve);
				TestGateway gateway = gateway(upstream, dead)) {
			soak(gateway, upstream, dead, REQUESTS / 20);
			settle(gateway);
			int descriptors = descriptors();
			int threads = Thread.activeCount();
			long heap = heap();
			soak(gateway, upstream, dead, REQUESTS);
			settle(gateway);
			assertThat(descriptors()).isLessThanOrEqualTo(descriptors + 40);
			assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads + 40);
			assertThat(gateway.gateway().status().upstreamConnections()).isLessThan(40);
			assertThat(heap()).isLessThan(heap + 16 * MEGABYTE);
			assertThat(gateway.get(upstream, "/small").body()).hasSize(1024);
		}
	}

	// Audit records are kept by the test's gateway: the soak keeps none.
	private static TestGateway gateway(TestUpstream upstream, TestUpstream dead) {
		OriginRule alive = TestGateway.rule(upstream, (rule) -> rule);
		OriginRule gone = TestGateway.rule(dead, (rule) -> rule);
		return TestGateway.forgetful(NetworkPolicy.allow(alive, gone));
	}

	private static void soak(TestGateway gateway, TestUpstream upstream, TestUpstream dead, int requests)
			throws Exception {
		ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
		try {
			List<Future<?>> runs = new ArrayList<>();
			for (int client = 0; client < CLIENTS; client++) {
				Random random = new Random(client);
				runs.add(clients.submit(() -> {
					int left = requests / CLIENTS;
					while (left > 0) {
						left -= session(gateway, upstream, dead, random, Math.min(left, 1 + random.nextInt(100)));
					}
					return null;
				}));
			}
			for (Future<?> run : runs) {
				run.get();
			}
		}
		finally {
			clients.shutdownNow();
		}
	}

	// One connection: good requests, and at its end perhaps one that ends badly.
	private static int session(TestGateway gateway, TestUpstream upstream, TestUpstream dead, Random random,
			int requests) throws IOException {
		try (TestGuest guest = gateway.connect()) {
			String small = TestGateway.request("GET", upstream, "/small") + "\r\n";
			for (int i = 0; i < requests - 1; i++) {
				guest.write(small);
				assertThat(guest.readResponse().body()).hasSize(1024);
			}
			switch (random.nextInt(6)) {
				case 0 -> {
					guest.write(TestGateway.request("POST", upstream, "/", "Content-Length: 100000") + "\r\nabc");
				}
				case 1 -> {
					guest.write(
							TestGateway.request("POST", upstream, "/", "Transfer-Encoding: chunked") + "\r\n5\r\nab");
				}
				case 2 -> {
					guest.write(TestGateway.request("GET", upstream, "/big") + "\r\n");
					guest.readHead();
					guest.in().readNBytes(1000);
				}
				case 3 -> {
					guest.write(TestGateway.request("GET", dead, "/") + "\r\n");
					assertThat(guest.readResponse().status()).isEqualTo(502);
				}
				case 4 -> {
					guest.write(TestGateway.request("GET", upstream, "/drop") + "\r\n");
					assertThat(guest.readResponse().status()).isEqualTo(502);
				}
				default -> {
					guest.write("GET /");
				}
			}
		}
		return requests;
	}

	private static void serve(TestUpstream.Peer peer) throws IOException {
		for (String head = peer.readHead(); head != null; head = peer.readHead()) {
			peer.readBody(head);
			if (head.startsWith("GET /drop")) {
				return;
			}
			peer.write(head.startsWith("GET /big") ? BIG : ANSWER);
		}
	}

	private static void settle(TestGateway gateway) {
		await().atMost(Duration.ofSeconds(60))
			.until(() -> gateway.gateway().status().connections() == 0 && gateway.gateway().status().requests() == 0);
	}

	private static int descriptors() throws IOException {
		try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
			return (int) open.count();
		}
	}

	private static long heap() {
		System.gc();
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

}
