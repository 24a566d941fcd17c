package io.sandbox4j.gateway;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sandbox4j.Credential;
import io.sandbox4j.CredentialSource;
import io.sandbox4j.CredentialUnavailableException;
import io.sandbox4j.Origin;
import io.sandbox4j.OriginRule;
import org.apache.hc.core5.http.Header;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RuleSecretsTests {

	private static final String ORIGIN = "https://api.example.com";

	private final MutableInstant clock = new MutableInstant();

	private final RedactorCache redactors = new RedactorCache();

	private final OriginRule rule = OriginRule.builder(ORIGIN).credential("Authorization", "github", "Bearer ").build();

	@Test
	void aRuleWithoutSecretsAddsNothing() throws RefusedException {
		RuleSecrets secrets = resolve(OriginRule.builder(ORIGIN).build(), Map.of());
		assertThat(secrets).isSameAs(RuleSecrets.NONE);
		assertThat(secrets.headers()).isEmpty();
		assertThat(secrets.redactor()).isSameAs(Redactor.NONE);
		assertThat(secrets.key()).isSameAs(SecretsKey.NONE);
		assertThat(secrets.refused(401, null)).isFalse();
	}

	@Test
	void addsFixedHeadersThenCredentials() throws RefusedException {
		OriginRule both = OriginRule.builder(ORIGIN)
			.credential("X-Token", "second", "")
			.credential("Authorization", "first", "Bearer ")
			.header("X-Fixed", "fixed-value")
			.header("Accept", "text/plain")
			.build();
		RuleSecrets secrets = resolve(both,
				Map.of("first", source("one-secret"), "second", source("two secret"), "third", source("x")));
		assertThat(secrets.headers()).extracting((header) -> header.getName() + ": " + header.getValue())
			.containsExactly("Accept: text/plain", "X-Fixed: fixed-value", "X-Token: two secret",
					"Authorization: Bearer one-secret");
		assertThat(secrets.headers()).allMatch(Header::isSensitive);
	}

	@Test
	void tellsTheSourceWhatTheCredentialIsFor() throws RefusedException {
		List<CredentialSource.Use> uses = new ArrayList<>();
		resolve(this.rule, Map.of("github", (use) -> {
			uses.add(use);
			return Credential.of("secret-value");
		}));
		assertThat(uses).containsExactly(new CredentialSource.Use("s1", Origin.parse(ORIGIN)));
	}

	@Test
	void asksASourceOnceForSeveralHeaders() throws RefusedException {
		AtomicInteger calls = new AtomicInteger();
		OriginRule twice = OriginRule.builder(ORIGIN)
			.credential("Authorization", "github", "Bearer ")
			.credential("X-Api-Key", "github", "")
			.build();
		AtomicInteger told = new AtomicInteger();
		RuleSecrets secrets = resolve(twice, Map.of("github", new CredentialSource() {

			@Override
			public Credential get(Use use) {
				return Credential.of("secret-" + calls.incrementAndGet());
			}

			@Override
			public boolean refused(Use use, Credential refused, int status, Duration retryAfter) {
				told.incrementAndGet();
				return false;
			}

		}));
		assertThat(secrets.headers()).extracting(Header::getValue).containsExactly("Bearer secret-1", "secret-1");
		secrets.refused(401, null);
		assertThat(told).hasValue(1);
	}

	@Test
	void knowsTheSecretInAnswers() throws RefusedException {
		OriginRule prefixed = OriginRule.builder(ORIGIN).credential("X-Auth", "github", "key=").build();
		RuleSecrets secrets = resolve(prefixed, Map.of("github", source("secret-value")));
		assertThat(secrets.redactor().mask("your secret-value")).isEqualTo("your ************");
		assertThat(secrets.redactor().mask("key=secret-value")).isEqualTo("****************");
	}

	@Test
	void knowsTheSecretsOfItsOwnRuleOnly() throws RefusedException {
		// E47
		OriginRule other = OriginRule.of("https://other.example.com", Map.of("X-Key", "other-secret"));
		Map<String, CredentialSource> sources = Map.of("github", source("github-secret"));
		RuleSecrets secrets = resolve(other, sources);
		assertThat(secrets.headers()).extracting(Header::getValue).containsExactly("other-secret");
		assertThat(secrets.redactor().mask("github-secret")).isEqualTo("github-secret");
	}

	@Test
	void whatGuestsMaySendThemselvesIsNoSecret() throws RefusedException {
		OriginRule plain = OriginRule.of(ORIGIN, Map.of("Accept", "application/json", "X-Api-Version", "2022-11-28",
				"Content-Type", "application/json", "X-Key", "secret-value"));
		RuleSecrets secrets = resolve(plain, Map.of());
		assertThat(secrets.redactor().mask("application/json 2022-11-28 secret-value"))
			.isEqualTo("application/json 2022-11-28 ************");
	}

	@Test
	void aRuleMaySwitchTheSearchOff() throws RefusedException {
		OriginRule off = OriginRule.builder(ORIGIN).header("X-Key", "secret-value").redact(false).build();
		assertThat(resolve(off, Map.of()).redactor()).isSameAs(Redactor.NONE);
	}

	@Test
	void buildsTheRedactorOnce() throws RefusedException {
		Map<String, CredentialSource> sources = Map.of("github", source("secret-value"));
		assertThat(resolve(this.rule, sources).redactor()).isSameAs(resolve(this.rule, sources).redactor());
		assertThat(resolve(this.rule, Map.of("github", source("other-value"))).redactor())
			.isNotSameAs(resolve(this.rule, sources).redactor());
	}

	@Test
	void aSecretThatIsTooLongToSearchForIsRefused() {
		assertMissing(() -> resolve(this.rule, Map.of("github", source("\"<&>'/+=".repeat(8000)))))
			.withMessageContaining("'redact'");
	}

	@Test
	void keysAreEqualForEqualSecretsOnly() throws RefusedException {
		SecretsKey key = resolve(this.rule, Map.of("github", source("secret-value"))).key();
		assertThat(resolve(this.rule, Map.of("github", source("secret-value"))).key()).isEqualTo(key)
			.hasSameHashCodeAs(key);
		assertThat(resolve(this.rule, Map.of("github", source("secret-valuf"))).key()).isNotEqualTo(key);
		assertThat(resolve(OriginRule.of(ORIGIN, Map.of("authorization", "Bearer secret-value")), Map.of()).key())
			.isEqualTo(key);
		assertThat(resolve(OriginRule.of(ORIGIN, Map.of("X-Other", "Bearer secret-value")), Map.of()).key())
			.isNotEqualTo(key);
		assertThat(key).isNotEqualTo(SecretsKey.NONE).isNotEqualTo("secret-value");
		assertThat(resolve(OriginRule.of(ORIGIN, Map.of("A", "bc", "D", "e")), Map.of()).key())
			.isNotEqualTo(resolve(OriginRule.of(ORIGIN, Map.of("A", "b", "D", "ce")), Map.of()).key());
	}

	@Test
	void showsNoSecret() throws RefusedException {
		RuleSecrets secrets = resolve(this.rule, Map.of("github", source("secret-value")));
		assertThat(secrets).hasToString("RuleSecrets[headers=1]");
		assertThat(secrets.key()).hasToString("SecretsKey");
		assertThat(secrets.headers()).hasToString("[Authorization: (hidden)]");
	}

	@Test
	void aSourceThatIsNotThereIsMissing() {
		assertMissing(() -> resolve(this.rule, Map.of())).withMessageContaining("'github'")
			.withMessageContaining(ORIGIN);
	}

	@Test
	void anEmptyPoolIsMissing() {
		// C-T17: this is thrown before anything is sent, and is told as 500.
		CredentialSource empty = CredentialPool.of("github", List.of(), this.clock);
		assertMissing(() -> resolve(this.rule, Map.of("github", empty)));
		assertThat(Refusal.CREDENTIAL_MISSING.status()).isEqualTo(500);
	}

	@Test
	void anExhaustedPoolTellsTheRealWait() {
		CredentialPool pool = CredentialPool.of("github", List.of("secret-value"), this.clock);
		pool.refused(new CredentialSource.Use("s1", Origin.parse(ORIGIN)), Credential.of("secret-value"), 429,
				Duration.ofSeconds(40));
		this.clock.advance(Duration.ofSeconds(10));
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> resolve(this.rule, Map.of("github", pool)))
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.CREDENTIAL_EXHAUSTED))
			.satisfies((ex) -> assertThat(ex.retryAfter()).isEqualTo(Duration.ofSeconds(30)));
	}

	@Test
	void aWaitIsAtLeastASecond() {
		CredentialSource source = (use) -> {
			throw new CredentialUnavailableException("secret-value", Duration.ofSeconds(-3));
		};
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> resolve(this.rule, Map.of("github", source)))
			.withMessageNotContaining("secret-value")
			.satisfies((ex) -> assertThat(ex.retryAfter()).isEqualTo(Duration.ofSeconds(1)));
	}

	@Test
	void whatASourceThrowsIsNamedByItsClassOnly() {
		List<Throwable> thrown = List.of(new IllegalStateException("secret-value"),
				new CredentialUnavailableException("secret-value", null), new IOException("secret-value"),
				new StackOverflowError("secret-value"), new NoClassDefFoundError("secret-value"));
		for (Throwable each : thrown) {
			assertMissing(() -> resolve(this.rule, Map.of("github", (use) -> sneak(each))))
				.withMessageContaining("'github'")
				.withMessageNotContaining("secret-value")
				.withNoCause()
				.satisfies((ex) -> assertThat(ex.getSuppressed()).isEmpty());
		}
		assertMissing(() -> resolve(this.rule, Map.of("github", (use) -> sneak(thrown.get(0)))))
			.withMessageContaining("java.lang.IllegalStateException");
	}

	@Test
	void anInterruptIsKept() {
		assertMissing(() -> resolve(this.rule, Map.of("github", (use) -> sneak(new InterruptedException()))));
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void nullIsMissing() {
		assertMissing(() -> resolve(this.rule, Map.of("github", (use) -> null))).withMessageContaining("null");
	}

	@Test
	void anExpiredCredentialIsNotSent() throws RefusedException {
		CredentialSource source = (use) -> new Credential("secret-value",
				this.clock.instant().plus(Duration.ofSeconds(1)));
		assertThat(resolve(this.rule, Map.of("github", source)).headers()).hasSize(1);
		Credential expired = new Credential("secret-value", this.clock.instant());
		assertMissing(() -> resolve(this.rule, Map.of("github", (use) -> expired))).withMessageContaining("expired")
			.withMessageNotContaining("secret-value");
	}

	@ParameterizedTest
	@ValueSource(strings = { "secret\r\nHost: evil", "secret\n", " secret", "secret ", "sec\u0000ret", "secr\u00e9t",
			"sec\tret", "secret\u007f", " ", "secret\u2028" })
	void aValueThatCannotBeSentIsMissing(String value) {
		assertMissing(() -> resolve(this.rule, Map.of("github", source(value)))).withMessageContaining("'github'")
			.withMessageNotContaining("sec")
			.withMessageNotContaining("evil");
	}

	@Test
	void passesARefusalOnToEverySource() throws RefusedException {
		OriginRule both = OriginRule.builder(ORIGIN)
			.credential("Authorization", "pool", "Bearer ")
			.credential("X-Other", "fixed", "")
			.build();
		CredentialPool pool = CredentialPool.of("pool", List.of("first-secret", "second-secret"), this.clock);
		Map<String, CredentialSource> sources = Map.of("pool", pool, "fixed", source("fixed-secret"));
		RuleSecrets first = resolve(both, sources);
		assertThat(first.refused(401, null)).isTrue();
		RuleSecrets second = resolve(both, sources);
		assertThat(second.headers().get(0).getValue()).isEqualTo("Bearer second-secret");
		assertThat(second.key()).isNotEqualTo(first.key());
		assertThat(first.refused(401, null)).isTrue();
		assertThat(resolve(both, sources).headers().get(0).getValue()).isEqualTo("Bearer second-secret");
		assertThat(second.refused(429, Duration.ofSeconds(5))).isFalse();
	}

	@Test
	void aSourceThatFailsAtARefusalDoesNotKeepOthersFromIt() throws RefusedException {
		OriginRule both = OriginRule.builder(ORIGIN)
			.credential("Authorization", "failing", "Bearer ")
			.credential("X-Other", "pool", "")
			.build();
		CredentialSource failing = new CredentialSource() {

			@Override
			public Credential get(Use use) {
				return Credential.of("secret-value");
			}

			@Override
			public boolean refused(Use use, Credential refused, int status, Duration retryAfter) {
				throw new IllegalStateException(refused.value());
			}

		};
		CredentialPool pool = CredentialPool.of("pool", List.of("first-secret", "second-secret"), this.clock);
		RuleSecrets secrets = resolve(both, Map.of("failing", failing, "pool", pool));
		Logger logger = (Logger) LoggerFactory.getLogger(RuleSecrets.class);
		ListAppender<ILoggingEvent> appender = new ListAppender<>();
		appender.start();
		logger.addAppender(appender);
		try {
			assertThat(secrets.refused(401, null)).isTrue();
		}
		finally {
			logger.detachAppender(appender);
		}
		assertThat(appender.list).singleElement().satisfies((event) -> {
			assertThat(event.getFormattedMessage()).contains("'failing'", "IllegalStateException")
				.doesNotContain("secret");
			assertThat(event.getThrowableProxy()).isNull();
		});
	}

	private RuleSecrets resolve(OriginRule rule, Map<String, CredentialSource> sources) throws RefusedException {
		return RuleSecrets.resolve(rule, sources, "s1", this.clock, this.redactors);
	}

	private static CredentialSource source(String value) {
		return (use) -> Credential.of(value);
	}

	private static ThrowableAssertAlternative<RefusedException> assertMissing(ThrowingCallable call) {
		return assertThatExceptionOfType(RefusedException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.CREDENTIAL_MISSING))
			.satisfies((ex) -> assertThat(ex.retryAfter()).isNull());
	}

	@SuppressWarnings("unchecked")
	private static <E extends Throwable> Credential sneak(Throwable thrown) throws E {
		throw (E) thrown;
	}

}
