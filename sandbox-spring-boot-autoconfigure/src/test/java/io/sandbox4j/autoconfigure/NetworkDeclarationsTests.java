package io.sandbox4j.autoconfigure;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.sandbox4j.Credential;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.Origin;
import io.sandbox4j.OriginRule;
import io.sandbox4j.OriginRule.CredentialHeader;
import io.sandbox4j.gateway.SandboxGateway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.ssl.SslBundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link NetworkDeclarations}.
 */
class NetworkDeclarationsTests {

	private static final String FIRST = "sandbox.network.allow[0].";

	private static final String SECOND = "sandbox.network.allow[1].";

	@Test
	void deniesAllByDefault() {
		assertThat(read(Map.of())).isEqualTo(NetworkPolicy.denyAll());
		assertThat(read(Map.of("sandbox.network.mode", ""))).isEqualTo(NetworkPolicy.denyAll());
		assertThat(read(Map.of("sandbox.network.allow", ""))).isEqualTo(NetworkPolicy.denyAll());
	}

	@Test
	void readsTheModes() {
		assertThat(read(Map.of("sandbox.network.mode", "deny-all"))).isEqualTo(NetworkPolicy.denyAll());
		assertThat(read(Map.of("sandbox.network.mode", "allow-all"))).isEqualTo(NetworkPolicy.allowAll());
		assertThat(read(Map.of("sandbox.network.mode", "allow-list"))).isEqualTo(NetworkPolicy.allow());
		assertThat(origins(Map.of("sandbox.network.mode", "allow-list", FIRST + "origin", "https://api.example.com")))
			.containsExactly("https://api.example.com");
	}

	@Test
	void listedOriginsImplyTheirMode() {
		assertThat(origins(Map.of(FIRST + "origin", "https://api.example.com/", SECOND + "origin",
				"HTTPS://Files.Example.com:8443")))
			.containsExactly("https://api.example.com", "https://files.example.com:8443");
	}

	@ParameterizedTest
	@ValueSource(strings = { "deny-all", "allow-all" })
	void refusesAModeThatHasNoOrigins(String mode) {
		assertThatExceptionOfType(InvalidSandboxPropertyException.class)
			.isThrownBy(() -> read(Map.of("sandbox.network.mode", mode, FIRST + "origin", "https://api.example.com")))
			.withMessageContainingAll("'sandbox.network.mode'", "'sandbox.network.allow'", "Leave one of the two out")
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("sandbox.network.mode"));
	}

	@Test
	void aRuleHasSafeDefaults() {
		OriginRule rule = rule(Map.of(FIRST + "origin", "https://api.example.com"));
		assertThat(rule.origin()).isEqualTo(Origin.parse("https://api.example.com"));
		assertThat(rule.hasSecrets()).isFalse();
		assertThat(rule.methods()).isEmpty();
		assertThat(rule.pathPrefixes()).isEmpty();
		assertThat(rule.requestHeaders()).isEmpty();
		assertThat(rule.responseHeaders()).isEmpty();
		assertThat(rule.environment()).isEmpty();
		assertThat(rule.allowPrivate()).isFalse();
		assertThat(rule.redact()).isTrue();
		assertThat(rule.maxRequestBytes()).isNull();
		assertThat(rule.maxResponseBytes()).isNull();
		assertThat(rule.timeout()).isNull();
		assertThat(rule.requestsPerMinute()).isZero();
		assertThat(rule.tls()).isNull();
	}

	@Test
	void readsEveryProperty() {
		OriginRule rule = rule(Map.ofEntries(Map.entry(FIRST + "origin", "https://api.example.com"),
				Map.entry(FIRST + "headers.X-Api_Key", "secret"),
				Map.entry(FIRST + "credentials[0].header", "Authorization"),
				Map.entry(FIRST + "credentials[0].source", "token"),
				Map.entry(FIRST + "credentials[0].prefix", "Bearer "), Map.entry(FIRST + "methods", "GET,POST"),
				Map.entry(FIRST + "path-prefixes[0]", "/v1"), Map.entry(FIRST + "path-prefixes[1]", "/v2/x"),
				Map.entry(FIRST + "request-headers", "X-Trace"), Map.entry(FIRST + "response-headers", "X-Id,Link"),
				Map.entry(FIRST + "environment.API_URL", "http://api"), Map.entry(FIRST + "allow-private", "true"),
				Map.entry(FIRST + "redact", "false"), Map.entry(FIRST + "max-request-body", "2KB"),
				Map.entry(FIRST + "max-response-body", "3MB"), Map.entry(FIRST + "timeout", "5m"),
				Map.entry(FIRST + "requests-per-minute", "60"), Map.entry(FIRST + "ssl-bundle", "internal")));
		assertThat(rule.headers()).isEqualTo(Map.of("X-Api_Key", "secret"));
		assertThat(rule.credentials()).containsExactly(new CredentialHeader("Authorization", "token", "Bearer "));
		assertThat(rule.methods()).containsExactly("GET", "POST");
		assertThat(rule.pathPrefixes()).containsExactly("/v1", "/v2/x");
		assertThat(rule.requestHeaders()).containsExactly("x-trace");
		assertThat(rule.responseHeaders()).containsExactly("link", "x-id");
		assertThat(rule.environment()).isEqualTo(Map.of("API_URL", "http://api"));
		assertThat(rule.allowPrivate()).isTrue();
		assertThat(rule.redact()).isFalse();
		assertThat(rule.maxRequestBytes()).isEqualTo(2048);
		assertThat(rule.maxResponseBytes()).isEqualTo(3 << 20);
		assertThat(rule.timeout()).isEqualTo(Duration.ofMinutes(5));
		assertThat(rule.requestsPerMinute()).isEqualTo(60);
		assertThat(rule.tls()).isEqualTo("internal");
	}

	@Test
	void secretsOverHttpNeedConsent() {
		assertThatExceptionOfType(InvalidSandboxPropertyException.class)
			.isThrownBy(() -> read(Map.of(FIRST + "origin", "http://api.example.com", FIRST + "headers.X", "secret")))
			.withMessageContaining("allow-plaintext")
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(FIRST + "headers"));
		assertThat(rule(Map.of(FIRST + "origin", "http://api.example.com", FIRST + "headers.X", "secret",
				FIRST + "allow-plaintext", "true"))
			.hasSecrets()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "*", "https://*", "https://*.example.com", "api.example.com", "ftp://example.com",
			"https://", "https://user:secret@example.com", "https://example.com/path", "https://example.com:0" })
	void refusesWhatIsNoOrigin(String origin) {
		assertThatExceptionOfType(InvalidSandboxPropertyException.class)
			.isThrownBy(() -> read(Map.of(FIRST + "origin", "https://api.example.com", SECOND + "origin", origin)))
			.withMessageNotContaining("secret")
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(SECOND + "origin"));
	}

	@Test
	void refusesARuleWithoutAnOrigin() {
		assertThatExceptionOfType(InvalidSandboxPropertyException.class)
			.isThrownBy(() -> read(Map.of(FIRST + "methods", "GET")))
			.withMessageContaining("https://api.example.com")
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(FIRST + "origin"));
		assertThatExceptionOfType(BindException.class).isThrownBy(() -> read(Map.of("sandbox.network.allow[0]", "")));
		assertThatExceptionOfType(BindException.class).isThrownBy(() -> read(Map.of("sandbox.network.allow", "*")));
	}

	@ParameterizedTest
	@CsvSource({ "origin,https://api.example.com:443,origin", "origin,http://api.example.com,origin",
			"headers[X Y],secret,headers", "headers.Host,secret,headers", "headers.X,'secret ',headers",
			"headers.X,'',headers", "headers.X,secret\u00e9,headers", "headers.X,secret${NOT_THERE},headers",
			"credentials[0].source,token,credentials[0].header", "credentials[0].header,X,credentials[0].source",
			"methods,'',methods", "methods,CONNECT,methods", "methods,'G T',methods", "path-prefixes,'',path-prefixes",
			"path-prefixes,v1,path-prefixes", "path-prefixes,/a/../b,path-prefixes",
			"request-headers,Connection,request-headers", "response-headers,a b,response-headers",
			"environment.1A,x,environment", "environment.A,x${NOT_THERE},environment",
			"max-request-body,-1B,max-request-body", "max-response-body,-1B,max-response-body", "timeout,0s,timeout",
			"requests-per-minute,-1,requests-per-minute", "ssl-bundle,unknown,ssl-bundle" })
	void namesTheInvalidPropertyWithItsNumber(String name, String value, String property) {
		Map<String, String> properties = new HashMap<>(
				Map.of(FIRST + "origin", "https://api.example.com", SECOND + "origin", "https://files.example.com"));
		properties.put(SECOND + name, value);
		assertThatExceptionOfType(InvalidSandboxPropertyException.class).isThrownBy(() -> read(properties))
			.withMessageContaining("'" + SECOND + property + "' is invalid: ")
			.withMessageNotContaining("secret")
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(SECOND + property));
	}

	@ParameterizedTest
	@CsvSource({ "X-Key,unknown,'',credentials[0].source", "X-Key,'a b','',credentials[0].source",
			"Host,token,'',credentials[0].header", "X-Key,token,secret\u00e9,credentials[0].prefix",
			"X-Key,token,${NOT_THERE},credentials[0].prefix", "X-FIXED,token,'',credentials" })
	void namesTheInvalidPartOfACredential(String header, String source, String prefix, String property) {
		assertThatExceptionOfType(InvalidSandboxPropertyException.class)
			.isThrownBy(() -> read(Map.of(FIRST + "origin", "https://api.example.com", FIRST + "headers.X-Fixed",
					"fixed", FIRST + "credentials[0].header", header, FIRST + "credentials[0].source", source,
					FIRST + "credentials[0].prefix", prefix)))
			.withMessageNotContaining("secret")
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(FIRST + property));
	}

	@Test
	void refusesAVariableThatTwoRulesGive() {
		assertThatExceptionOfType(InvalidSandboxPropertyException.class)
			.isThrownBy(() -> read(Map.of(FIRST + "origin", "https://a.example", FIRST + "environment.URL", "a",
					SECOND + "origin", "https://b.example", SECOND + "environment.URL", "b")))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(SECOND + "environment"));
	}

	@Test
	void textOfThePropertiesHasNoSecret() {
		SandboxNetworkProperties properties = bind(Map.of(FIRST + "origin", "https://user:secret1@api.example.com",
				FIRST + "headers.Authorization", "secret2", FIRST + "environment.A", "secret3",
				FIRST + "credentials[0].header", "X-Key", FIRST + "credentials[0].prefix", "secret4"));
		assertThat(properties.toString()).doesNotContain("secret")
			.contains("api.example.com")
			.contains("Authorization")
			.contains("X-Key");
	}

	private static Iterable<String> origins(Map<String, String> properties) {
		return ((NetworkPolicy.AllowList) read(properties)).rules()
			.stream()
			.map((rule) -> rule.origin().toString())
			.toList();
	}

	private static OriginRule rule(Map<String, String> properties) {
		return ((NetworkPolicy.AllowList) read(properties)).rules().get(0);
	}

	private static NetworkPolicy read(Map<String, String> properties) {
		try (SandboxGateway gateway = SandboxGateway.builder()
			.credentialSource("token", (use) -> Credential.of("secret"))
			.tls("internal", SslBundle.systemDefault().createSslContext())
			.build()) {
			return new NetworkDeclarations(gateway).read(bind(properties));
		}
	}

	private static SandboxNetworkProperties bind(Map<String, String> properties) {
		return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("sandbox.network",
				SandboxNetworkProperties.class);
	}

}
