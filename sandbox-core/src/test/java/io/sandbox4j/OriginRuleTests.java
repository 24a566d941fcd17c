package io.sandbox4j;

import java.time.Duration;
import java.util.function.Consumer;

import io.sandbox4j.OriginRule.Builder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a rule takes, and that each refusal names its property.
 */
class OriginRuleTests {

	private static final String ORIGIN = "https://api.example.com";

	@Test
	void aRuleHasWhatItWasGiven() {
		OriginRule rule = OriginRule.builder(ORIGIN)
			.header("X-Key", "secret-value")
			.credential("Authorization", "github", "Bearer ")
			.methods("GET", "POST")
			.pathPrefixes("/v1", "/public/")
			.requestHeaders("X-Trace")
			.responseHeaders("X-Result")
			.environment("API_URL", "http://api.example.com")
			.allowPrivate(true)
			.redact(false)
			.maxRequestBytes(10)
			.maxResponseBytes(20)
			.timeout(Duration.ofSeconds(3))
			.requestsPerMinute(4)
			.tls("internal")
			.build();
		assertThat(rule.headers()).containsEntry("X-Key", "secret-value");
		assertThat(rule.credentials())
			.containsExactly(new OriginRule.CredentialHeader("Authorization", "github", "Bearer "));
		assertThat(rule.methods()).containsExactly("GET", "POST");
		assertThat(rule.pathPrefixes()).containsExactly("/v1", "/public/");
		assertThat(rule.requestHeaders()).containsExactly("x-trace");
		assertThat(rule.responseHeaders()).containsExactly("x-result");
		assertThat(rule.environment()).containsEntry("API_URL", "http://api.example.com");
		assertThat(rule.allowPrivate()).isTrue();
		assertThat(rule.redact()).isFalse();
		assertThat(rule.maxRequestBytes()).isEqualTo(10);
		assertThat(rule.maxResponseBytes()).isEqualTo(20);
		assertThat(rule.timeout()).isEqualTo(Duration.ofSeconds(3));
		assertThat(rule.requestsPerMinute()).isEqualTo(4);
		assertThat(rule.tls()).isEqualTo("internal");
		assertThat(rule.hasSecrets()).isTrue();
		assertThat(rule.toString()).doesNotContain("secret-value").contains("X-Key", "github");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " x", "x ", "a\tb\u0001", "\u00e9", "x\r\nY: z" })
	void aHeadersValueIsPlainText(String value) {
		assertRefused("headers", (rule) -> rule.header("X-Key", value));
	}

	@Test
	void aHeaderStandsOnce() {
		assertRefused("headers", (rule) -> rule.header("X-Key", "a").header("x-key", "b"));
		assertRefused("credentials.header",
				(rule) -> rule.header("authorization", "a").credential("Authorization", "github", "").build());
		assertRefused("credentials.header",
				(rule) -> rule.credential("A", "one", "").credential("a", "two", "").build());
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a}b", "a b", "${x}", "-a", "a/b", "\u00e4" })
	void aSourcesNameIsAName(String name) {
		assertRefused("credentials.source", (rule) -> rule.credential("Authorization", name, ""));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Host", "TE", "Expect", "Keep-Alive", "HTTP2-Settings", "a b" })
	void headersOfTheConnectionAreNoOnesToSet(String name) {
		assertRefused("credentials.header", (rule) -> rule.credential(name, "github", ""));
		assertRefused("request-headers", (rule) -> rule.requestHeaders(name));
		assertRefused("response-headers", (rule) -> rule.responseHeaders(name));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "G T", "CONNECT", "TRACE", "GET\r\n" })
	void aMethodIsATokenAndNoTunnel(String method) {
		assertRefused("methods", (rule) -> rule.methods(method));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "v1", "/a/../b", "/a/./b", "/a//b", "/a%2fb", "/a?b", "/a#b", "/a b", "//", "/.." })
	void aPrefixIsAPlainPath(String prefix) {
		assertRefused("path-prefixes", (rule) -> rule.pathPrefixes(prefix));
	}

	@Test
	void variablesAreVariables() {
		assertRefused("environment", (rule) -> rule.environment("A-B", "x"));
		assertRefused("environment", (rule) -> rule.environment("A", "x\0y"));
	}

	@Test
	void boundsAreNotNegative() {
		assertRefused("max-request-body", (rule) -> rule.maxRequestBytes(-1));
		assertRefused("max-response-body", (rule) -> rule.maxResponseBytes(-1));
		assertRefused("timeout", (rule) -> rule.timeout(Duration.ZERO));
		assertRefused("requests-per-minute", (rule) -> rule.requestsPerMinute(-1));
	}

	@Test
	void credentialsGoOverTlsUnlessTheRuleSaysOtherwise() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(
					() -> OriginRule.builder("http://api.example.com").header("authorization", "token-value").build())
			.withMessageContaining("'allow-plaintext'")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("token-value"));
		assertThat(OriginRule.builder("http://api.example.com")
			.header("authorization", "token-value")
			.allowPlaintext(true)
			.build()
			.hasSecrets()).isTrue();
		assertThat(OriginRule.builder("http://api.example.com").build().hasSecrets()).isFalse();
	}

	@Test
	void tlsSettingsAreForTls() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> OriginRule.builder("http://api.example.com").tls("internal").build())
			.withMessageContaining("'network.allow.ssl-bundle'");
	}

	@Test
	void twoRulesCannotGiveTheSameVariable() {
		OriginRule one = OriginRule.builder("https://a.example").environment("URL", "a").build();
		OriginRule two = OriginRule.builder("https://b.example").environment("URL", "b").build();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> NetworkPolicy.allow(one, two))
			.withMessageContaining("'network.allow.environment'")
			.withMessageContaining("'URL'");
	}

	@Test
	void credentialsShowNoValue() {
		assertThat(Credential.of("token-value").toString()).doesNotContain("token-value");
	}

	private static void assertRefused(String property, Consumer<Builder> change) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> change.accept(OriginRule.builder(ORIGIN)))
			.withMessageStartingWith("'network.allow." + property + "' of https://api.example.com ")
			.extracting(SandboxException::code)
			.isEqualTo(ErrorCode.SANDBOX_INVALID);
	}

}
