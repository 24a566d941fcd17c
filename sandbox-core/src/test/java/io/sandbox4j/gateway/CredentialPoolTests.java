package io.sandbox4j.gateway;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.sandbox4j.Credential;
import io.sandbox4j.CredentialSource;
import io.sandbox4j.CredentialUnavailableException;
import io.sandbox4j.Origin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class CredentialPoolTests {

	private final CredentialSource.Use use = new CredentialSource.Use("s1", Origin.parse("https://api.example.com"));

	private final MutableInstant clock = new MutableInstant();

	private final CredentialPool pool = CredentialPool.of("github", List.of("first", "second", "third"), this.clock);

	@Test
	void givesTheSameUntilItIsRefused() {
		assertThat(current()).isEqualTo("first");
		assertThat(current()).isEqualTo("first");
	}

	@Test
	void aSpentCredentialIsFollowedByTheSecond() {
		// C-T24
		assertThat(refuse("first", 401)).isTrue();
		assertThat(current()).isEqualTo("second");
		this.clock.advance(Duration.ofDays(1000));
		assertThat(refuse("second", 401)).isTrue();
		assertThat(refuse("third", 401)).isFalse();
		assertUnavailable(null);
	}

	@Test
	void aLimitedCredentialRestsAsLongAsTheUpstreamSays() {
		assertThat(this.pool.refused(this.use, Credential.of("first"), 429, Duration.ofSeconds(10))).isTrue();
		assertThat(this.pool.refused(this.use, Credential.of("second"), 429, Duration.ofSeconds(30))).isTrue();
		assertThat(this.pool.refused(this.use, Credential.of("third"), 429, Duration.ofSeconds(20))).isFalse();
		this.clock.advance(Duration.ofSeconds(3));
		assertUnavailable(Duration.ofSeconds(7));
		this.clock.advance(Duration.ofSeconds(7));
		assertThat(current()).isEqualTo("first");
	}

	@Test
	void aLimitWithoutATimeIsAMinute() {
		CredentialPool one = CredentialPool.of("one", List.of("only"), this.clock);
		assertThat(one.refused(this.use, Credential.of("only"), 429, null)).isFalse();
		this.clock.advance(Duration.ofSeconds(59));
		assertThatExceptionOfType(CredentialUnavailableException.class).isThrownBy(() -> one.get(this.use))
			.satisfies((ex) -> assertThat(ex.retryAfter()).isEqualTo(Duration.ofSeconds(1)));
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(one.get(this.use).value()).isEqualTo("only");
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -5, Long.MIN_VALUE })
	void aTimeThatIsOverIsASecond(long seconds) {
		assertThat(this.pool.refused(this.use, Credential.of("first"), 429, Duration.ofSeconds(seconds))).isTrue();
		assertThat(current()).isEqualTo("second");
	}

	@Test
	void anAbsurdTimeIsAMonth() {
		CredentialPool one = CredentialPool.of("one", List.of("only"), this.clock);
		one.refused(this.use, Credential.of("only"), 429, Duration.ofSeconds(Long.MAX_VALUE));
		this.clock.advance(Duration.ofDays(31));
		assertThat(one.get(this.use).value()).isEqualTo("only");
	}

	@Test
	void oneThatIsBackWaitsForItsTurn() {
		refuse("first", 429);
		assertThat(current()).isEqualTo("second");
		this.clock.advance(Duration.ofMinutes(2));
		assertThat(current()).isEqualTo("second");
		refuse("second", 429);
		assertThat(current()).isEqualTo("third");
		refuse("third", 401);
		assertThat(current()).isEqualTo("first");
	}

	@Test
	void aSecondRefusalOfTheSameDoesNotRotateAgain() {
		assertThat(refuse("first", 401)).isTrue();
		assertThat(refuse("first", 401)).isTrue();
		assertThat(current()).isEqualTo("second");
	}

	@Test
	void manyRefusalsAtOnceRotateOnce() throws Exception {
		List<String> values = IntStream.range(0, 100).mapToObj((i) -> "value-" + i).toList();
		CredentialPool many = CredentialPool.of("many", values, this.clock);
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			for (int round = 0; round < 50; round++) {
				Credential sent = many.get(this.use);
				assertThat(sent.value()).isEqualTo("value-" + round);
				CountDownLatch start = new CountDownLatch(1);
				Callable<String> refusal = () -> {
					start.await();
					assertThat(many.refused(this.use, sent, 401, null)).isTrue();
					return many.get(this.use).value();
				};
				List<Future<String>> next = IntStream.range(0, 8).mapToObj((i) -> threads.submit(refusal)).toList();
				start.countDown();
				for (Future<String> value : next) {
					assertThat(value.get()).isEqualTo("value-" + (round + 1));
				}
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void aLimitDoesNotBringARefusedOneBack() {
		refuse("first", 401);
		refuse("first", 429);
		refuse("second", 401);
		refuse("third", 401);
		this.clock.advance(Duration.ofDays(1));
		assertUnavailable(null);
	}

	@Test
	void aShorterLimitDoesNotShortenALongerOne() {
		CredentialPool one = CredentialPool.of("one", List.of("only"), this.clock);
		one.refused(this.use, Credential.of("only"), 429, Duration.ofSeconds(100));
		one.refused(this.use, Credential.of("only"), 429, Duration.ofSeconds(10));
		assertThatExceptionOfType(CredentialUnavailableException.class).isThrownBy(() -> one.get(this.use))
			.satisfies((ex) -> assertThat(ex.retryAfter()).isEqualTo(Duration.ofSeconds(100)));
	}

	@Test
	void otherStatusesChangeNothing() {
		assertThat(refuse("first", 403)).isFalse();
		assertThat(refuse("first", 500)).isFalse();
		assertThat(current()).isEqualTo("first");
	}

	@Test
	void aForeignCredentialPutsNothingAside() {
		refuse("foreign", 401);
		assertThat(current()).isEqualTo("first");
	}

	@Test
	void anEmptyPoolHasNone() {
		CredentialPool empty = CredentialPool.of("none", List.of(), this.clock);
		assertThatExceptionOfType(CredentialUnavailableException.class).isThrownBy(() -> empty.get(this.use))
			.withMessageContaining("'none'")
			.satisfies((ex) -> assertThat(ex.retryAfter()).isNull());
		assertThat(empty.refused(this.use, Credential.of("x"), 401, null)).isFalse();
	}

	@Test
	void aValueThatStandsTwiceCountsOnce() {
		CredentialPool twice = CredentialPool.of("twice", List.of("same", "same"), this.clock);
		assertThat(twice.refused(this.use, Credential.of("same"), 401, null)).isFalse();
	}

	@Test
	void refusesAnEmptyValue() {
		assertThatIllegalArgumentException().isThrownBy(() -> CredentialPool.of("bad", List.of("a", ""), this.clock))
			.withMessageContaining("'bad'");
	}

	@Test
	void namesNoValue() {
		refuse("second", 429);
		assertThat(this.pool).hasToString("CredentialPool[name=github, size=3]");
	}

	private String current() {
		return this.pool.get(this.use).value();
	}

	private boolean refuse(String value, int status) {
		return this.pool.refused(this.use, Credential.of(value), status, null);
	}

	private void assertUnavailable(Duration wait) {
		assertThatExceptionOfType(CredentialUnavailableException.class).isThrownBy(this::current)
			.satisfies((ex) -> assertThat(ex.retryAfter()).isEqualTo(wait))
			.satisfies((ex) -> assertThat(ex.getMessage()).contains("github").doesNotContain("first"));
	}

}
