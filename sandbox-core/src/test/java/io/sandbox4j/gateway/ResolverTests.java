package io.sandbox4j.gateway;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.sandbox4j.Origin;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class ResolverTests {

	private static final Origin ORIGIN = Origin.parse("https://api.example.test");

	private static final Duration LONG = Duration.ofSeconds(20);

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final CountDownLatch released = new CountDownLatch(1);

	private final AtomicInteger lookups = new AtomicInteger();

	@AfterEach
	void stop() {
		this.released.countDown();
		this.executor.shutdownNow();
	}

	@Test
	void givesAllAnswersInOrder() throws Exception {
		Resolver resolver = resolver(LONG, "8.8.8.8", "1.1.1.1", "8.8.8.8");
		assertThat(resolver.resolve(ORIGIN, false, new AbortHandle())).extracting(InetAddress::getHostAddress)
			.containsExactly("8.8.8.8", "1.1.1.1");
	}

	@Test
	void oneAnswerThatIsNotAllowedRefusesAll() {
		Resolver resolver = resolver(LONG, "8.8.8.8", "169.254.169.254");
		assertRefused(Refusal.ADDRESS_NOT_ALLOWED, "link-local",
				() -> resolver.resolve(ORIGIN, true, new AbortHandle()));
	}

	@Test
	void literalsAreNotLookedUp() throws Exception {
		Resolver resolver = resolver(LONG, "8.8.8.8");
		assertThat(resolver.resolve(Origin.parse("http://[2606:4700::1]:8080"), false, new AbortHandle()))
			.containsExactly(InetAddress.getByName("2606:4700::1"));
		assertThat(resolver.resolve(Origin.parse("http://127.0.0.1"), true, new AbortHandle()))
			.containsExactly(InetAddress.getByName("127.0.0.1"));
		assertRefused(Refusal.ADDRESS_NOT_ALLOWED, "loopback",
				() -> resolver.resolve(Origin.parse("http://[::1]"), false, new AbortHandle()));
		assertThat(this.lookups).hasValue(0);
	}

	@Test
	void namesWithoutAddressAreUnreachable() {
		Resolver unknown = resolver(LONG, (host) -> {
			throw new UnknownHostException(host);
		});
		Resolver empty = resolver(LONG);
		assertRefused(Refusal.UPSTREAM_UNREACHABLE, "cannot be resolved",
				() -> unknown.resolve(ORIGIN, false, new AbortHandle()));
		assertRefused(Refusal.UPSTREAM_UNREACHABLE, "has no address",
				() -> empty.resolve(ORIGIN, false, new AbortHandle()));
	}

	@Test
	void lookupsThatHangNeitherHoldCallersNorPileUp() {
		Resolver resolver = resolver(Duration.ofMillis(30), this::hang);
		for (int i = 0; i < 20; i++) {
			assertRefused(Refusal.UPSTREAM_UNREACHABLE, "was not resolved within",
					() -> resolver.resolve(ORIGIN, false, new AbortHandle()));
		}
		assertThat(this.lookups).hasValue(1);
	}

	@Test
	void asksAgainAfterALookupHasEnded() throws Exception {
		Resolver resolver = resolver(LONG, "8.8.8.8");
		resolver.resolve(ORIGIN, false, new AbortHandle());
		resolver.resolve(ORIGIN, false, new AbortHandle());
		assertThat(this.lookups).hasValue(2);
	}

	@Test
	void moreLookupsThanTheExecutorTakesAreRefused() {
		ThreadPoolExecutor one = new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>());
		try {
			Resolver resolver = new Resolver(this::hang, one, new AddressGuard(), Duration.ofMillis(30));
			List<String> messages = new ArrayList<>();
			for (String host : List.of("a.test", "b.test", "c.test")) {
				assertThatExceptionOfType(RefusedException.class)
					.isThrownBy(() -> resolver.addresses(host, new AbortHandle()))
					.satisfies((ex) -> messages.add(ex.getMessage()));
			}
			assertThat(messages.get(0)).contains("within");
			assertThat(messages.get(1)).contains("too many lookups hang");
			assertThat(messages.get(2)).contains("too many lookups hang");
		}
		finally {
			this.released.countDown();
			one.shutdownNow();
		}
	}

	@Test
	void anAbortEndsTheWait() {
		Resolver resolver = resolver(LONG, this::hang);
		AbortHandle handle = new AbortHandle();
		this.executor.execute(() -> {
			await().until(() -> this.lookups.get() > 0);
			handle.abort();
		});
		assertRefused(Refusal.STOPPED, "aborted", () -> resolver.resolve(ORIGIN, false, handle));
		assertRefused(Refusal.STOPPED, "aborted", () -> resolver.resolve(ORIGIN, false, handle));
	}

	private InetAddress[] hang(String host) throws UnknownHostException {
		this.lookups.incrementAndGet();
		try {
			this.released.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return new InetAddress[] { InetAddress.getByName("8.8.8.8") };
	}

	private Resolver resolver(Duration timeout, String... answers) {
		return resolver(timeout, (host) -> {
			this.lookups.incrementAndGet();
			InetAddress[] addresses = new InetAddress[answers.length];
			for (int i = 0; i < answers.length; i++) {
				addresses[i] = InetAddress.getByAddress(host, InetAddress.getByName(answers[i]).getAddress());
			}
			return addresses;
		});
	}

	private Resolver resolver(Duration timeout, NameLookup lookup) {
		return new Resolver(lookup, this.executor, new AddressGuard((address) -> false), timeout);
	}

	private static void assertRefused(Refusal refusal, String what, ThrowingCallable call) {
		assertThatExceptionOfType(RefusedException.class).isThrownBy(call)
			.withMessageContaining(what)
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(refusal));
	}

}
