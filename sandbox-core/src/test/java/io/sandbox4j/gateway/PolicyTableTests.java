package io.sandbox4j.gateway;

import java.util.List;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Which rule a request has, and what the rule lets it do.
 */
class PolicyTableTests {

	private static final PolicyTable TABLE = PolicyTable.of(NetworkPolicy.allow(rule("https://api.example.com"),
			rule("http://plain.example"), rule("https://odd.example:8443"), rule("https://[2001:db8::1]"),
			rule("http://127.0.0.1:8080"), rule("https://trusted.example")));

	@ParameterizedTest
	@CsvSource({ "/, api.example.com, https://api.example.com", "/, API.example.com., https://api.example.com",
			"/, api.example.com:443, https://api.example.com", "/, plain.example, http://plain.example",
			"/, plain.example:80, http://plain.example", "/, odd.example:8443, https://odd.example:8443",
			"/, [2001:db8:0:0:0:0:0:1], https://[2001:db8::1]", "/, [2001:DB8::1]:443, https://[2001:db8::1]",
			"/, 127.0.0.1:8080, http://127.0.0.1:8080" })
	void aHostFindsItsRule(String target, String host, String origin) throws Exception {
		assertThat(find(target, host).origin()).hasToString(origin);
	}

	@ParameterizedTest
	@CsvSource({ "http://api.example.com/, api.example.com, https://api.example.com",
			"https://api.example.com/, api.example.com, https://api.example.com",
			"http://odd.example:8443/, odd.example:8443, https://odd.example:8443",
			"http://plain.example/, plain.example, http://plain.example" })
	void aClientOfAProxyFindsItsRule(String target, String host, String origin) throws Exception {
		assertThat(find(target, host).origin()).hasToString(origin);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "evil.example", "nottrusted.example", "sub.trusted.example", "trusted.example.evil.example",
					"trusted.exampl", "xapi.example.com", "127.0.0.2:8080", "[2001:db8::2]", "example", "localhost" })
	void anotherHostHasNone(String host) {
		assertRefused(Refusal.ORIGIN_NOT_LISTED, () -> find("/", host));
	}

	@ParameterizedTest
	@CsvSource({ "/, api.example.com:80", "/, plain.example:443", "/, odd.example", "/, 127.0.0.1",
			"https://plain.example:80/, plain.example:80", "http://api.example.com:80/, api.example.com:80",
			"/, api.example.com:8443" })
	void anotherSchemeOrPortHasNone(String target, String host) {
		assertRefused(Refusal.SCHEME_NOT_ALLOWED, () -> find(target, host));
	}

	@Test
	void withoutAListNothingIsFound() {
		RequestTarget target = target("/", "api.example.com");
		assertRefused(Refusal.DENIED_BY_POLICY, () -> PolicyTable.of(NetworkPolicy.denyAll()).find(target));
		assertRefused(Refusal.DENIED_BY_POLICY, () -> PolicyTable.of(NetworkPolicy.allow()).find(target));
		assertRefused(Refusal.NETWORK_IS_DIRECT, () -> PolicyTable.of(NetworkPolicy.allowAll()).find(target));
	}

	@Test
	void methodsAreThoseOfTheRule() {
		OriginRule some = OriginRule.builder("https://a.example").methods("GET", "POST").build();
		assertThatNoException().isThrownBy(() -> PolicyTable.check(some, "GET", target("/", "a.example")));
		for (String method : List.of("DELETE", "get", "HEAD", "TRACE")) {
			assertRefused(Refusal.METHOD_NOT_ALLOWED, () -> PolicyTable.check(some, method, target("/", "a.example")));
		}
		OriginRule any = rule("https://a.example");
		assertThatNoException().isThrownBy(() -> PolicyTable.check(any, "PROPFIND", target("/", "a.example")));
		assertRefused(Refusal.METHOD_NOT_ALLOWED, () -> PolicyTable.check(any, "TRACE", target("/", "a.example")));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "/v1", "/v1/", "/v1/x", "/v1?x", "/v1/x?y", "/public/", "/public/a", "/v1/a%20b", "/v1/@a" })
	void aPathBelowAPrefixIsAllowed(String path) {
		assertThatNoException().isThrownBy(() -> checkPath(path));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/v10", "/v1x", "/V1", "/public", "/publicx", "/x/v1", "/%761" })
	void anotherPathIsNot(String path) {
		assertRefused(Refusal.PATH_NOT_ALLOWED, () -> checkPath(path));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/v1/a%2fb", "/v1/a%5Cb", "/v1%2fx", "/v1/%252f" })
	void anEncodedSlashIsNoPathWhereAPrefixCounts(String path) {
		assertRefused(Refusal.BAD_TARGET, () -> checkPath(path));
		assertThatNoException()
			.isThrownBy(() -> PolicyTable.check(rule("https://a.example"), "GET", target(path, "a.example")));
	}

	private static void checkPath(String path) throws RefusedException {
		PolicyTable.check(OriginRule.builder("https://a.example").pathPrefixes("/v1", "/public/").build(), "GET",
				target(path, "a.example"));
	}

	private static OriginRule rule(String origin) {
		return OriginRule.builder(origin).build();
	}

	private static OriginRule find(String target, String host) throws RefusedException {
		return TABLE.find(target(target, host));
	}

	private static RequestTarget target(String target, String host) {
		try {
			return RequestTarget.parse("GET", target, List.of(host));
		}
		catch (RefusedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void assertRefused(Refusal refusal, ThrowingCallable call) {
		assertThatExceptionOfType(RefusedException.class).isThrownBy(call)
			.extracting(RefusedException::refusal)
			.isEqualTo(refusal);
	}

}
