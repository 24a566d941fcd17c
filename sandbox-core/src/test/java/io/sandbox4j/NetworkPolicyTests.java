package io.sandbox4j;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.sandbox4j.NetworkPolicy.AllowList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class NetworkPolicyTests {

	@ParameterizedTest
	@CsvSource({ "https://api.example.com,https://api.example.com", "https://api.example.com/,https://api.example.com",
			"HTTPS://API.Example.COM,https://api.example.com", "https://api.example.com:443,https://api.example.com",
			"http://api.example.com:80/,http://api.example.com",
			"https://api.example.com:80,https://api.example.com:80", "http://127.0.0.1:8080,http://127.0.0.1:8080",
			"http://[::1]:8080,http://[::1]:8080" })
	void anOriginHasOneSpelling(String origin, String canonical) {
		assertThat(OriginRule.of(origin, Map.of()).origin()).hasToString(canonical);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "api.example.com", "api.example.com:443", "ftp://api.example.com",
			"file:///etc/passwd", "https://", "https:///path", "https://user@api.example.com",
			"https://user:password@api.example.com", "https://api.example.com/path", "https://api.example.com//",
			"https://api.example.com?query", "https://api.example.com/?", "https://api.example.com#fragment",
			"https://*.example.com", "https://api example.com", "https://api.example.com:port", "mailto:a@example.com",
			"\n" })
	void refusesWhatIsNoOrigin(String origin) {
		assertInvalid("'network.allow.origin'", () -> OriginRule.of(origin, Map.of()));
	}

	@Test
	void aHostAndPortStandsOnce() {
		OriginRule https = OriginRule.of("https://api.example.com", Map.of());
		assertInvalid("twice", () -> NetworkPolicy.allow(https, OriginRule.of("http://api.example.com", Map.of())));
		assertInvalid("twice",
				() -> NetworkPolicy.allow(https, OriginRule.of("https://API.example.com:443/", Map.of())));
		assertInvalid("twice", () -> NetworkPolicy.allow(OriginRule.of("https://api.example.com:8443", Map.of()),
				OriginRule.of("http://api.example.com:8443", Map.of())));
		assertThat(NetworkPolicy.allow(https, OriginRule.of("https://api.example.com:8443", Map.of())))
			.isInstanceOf(AllowList.class);
	}

	@Test
	void noOriginAtAllIsAPolicy() {
		assertThat(NetworkPolicy.allow()).isEqualTo(new AllowList(List.of()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Host", "HOST", "connection", "Content-Length", "transfer-encoding", "Proxy-Authorization",
			"proxy-connection", "Upgrade", "trailer", "TE", "", "a b", "a:b", "a\nb", "\u00e4", "a\0" })
	void refusesAHeaderThatTheGatewayCannotSet(String name) {
		assertInvalid("'network.allow.headers'", () -> OriginRule.of("https://api.example.com", Map.of(name, "value")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "secret\r\nX-Other: 1", "secret\n", "secret\r", "secret\0" })
	void refusesAHeaderValueWithALineBreakAndDoesNotShowIt(String value) {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> OriginRule.of("https://api.example.com", Map.of("authorization", value)))
			.satisfies((ex) -> assertThat(ex.getMessage()).contains("'authorization'").doesNotContain("secret"));
	}

	@Test
	void itsTextHidesHeaderValues() {
		OriginRule rule = OriginRule.of("https://api.example.com", Map.of("authorization", "Bearer secret"));
		assertThat(rule.toString()).contains("https://api.example.com", "authorization").doesNotContain("secret");
		assertThat(NetworkPolicy.allow(rule).toString()).doesNotContain("secret");
	}

	@Test
	void headersAreCopied() {
		Map<String, String> headers = new HashMap<>(Map.of("authorization", "1"));
		OriginRule rule = OriginRule.of("https://api.example.com", headers);
		headers.put("authorization", "2");
		assertThat(rule.headers()).containsExactly(Map.entry("authorization", "1"));
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> rule.headers().put("a", "b"));
	}

	private static void assertInvalid(String what, ThrowingCallable call) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.withMessageContaining(what)
			.extracting(SandboxException::code)
			.isEqualTo(ErrorCode.SANDBOX_INVALID);
	}

}
