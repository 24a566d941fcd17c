package io.sandbox4j.gateway;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What was checked is what is sent.
 */
class RequestTargetTests {

	private static final String HOST = "api.example.com";

	@ParameterizedTest
	@ValueSource(strings = { "/", "/v1/x?y=1", "/?x=/../", "/a?", "/.well-known/x", "/...", "/a..b/..c/d..",
			"/@scope%2fname", "/a%20b", "/a;b=c/d", "/~user/x", "/a[0]", "/a?b[]={c}|^`\"<>\\", "/%E2%9C%93", "/a:b@c",
			"/a/?/../b", "/simple/tinypkg/", "/project.git/info/refs?service=git-upload-pack" })
	void aPathIsSentAsItCame(String target) throws Exception {
		RequestTarget parsed = RequestTarget.parse("GET", target, List.of(HOST));
		assertThat(parsed.sent()).isEqualTo(target);
		assertThat(parsed.authority()).hasToString(HOST);
		assertThat(parsed.scheme()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/public/../secret", "/public/%2e%2e/secret", "/public//../secret", "/public/.%2e/secret",
			"/public/%2E./secret", "/public/..;/secret", "/public/..;a=b/secret", "/public/%2e%2e;/secret", "/..", "/.",
			"/./a", "/a/.", "/a/..", "/public/%252e%252e/secret", "/public/%25252e%25252e/secret", "/a%2f..%2fb",
			"/a%5c..%5cb", "/a%2f..", "/..%2fa", "/%2e%2e%2fa", "/a/%2e", "/a/..%3bx/b", "/../../apps/foo" })
	void aDotSegmentIsRefusedInEveryEncoding(String target) {
		assertRefused(Refusal.BAD_TARGET, "GET", target, HOST);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/a#b", "/a\\b", "\\admin", "/a b", "/a\tb", "/a\u0000b", "/\u00e9", "/a\"b", "/a<b", "/%",
			"/%2", "/%zz", "/%00", "/a%0d%0ab", "/a%1f", "/a%7f", "/a?b#c", "/a?b%0a", "/a?%zz", "/a?b c",
			"/a?\u00e9" })
	void aCharacterThatATargetCannotHaveIsRefused(String target) {
		assertRefused(Refusal.BAD_TARGET, "GET", target, HOST);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "*", "a", "http:evil", "http:/evil", "ftp://api.example.com/", "api.example.com:443",
			"ws://api.example.com/", "?a", "%2f" })
	void whatIsNeitherPathNorUrlIsRefused(String target) {
		assertRefused(Refusal.BAD_TARGET, "GET", target, HOST);
	}

	@ParameterizedTest
	@ValueSource(strings = { "//evil.example/x", "//api.example.com/x", "///" })
	void twoSlashesAreNoPath(String target) {
		assertRefused(Refusal.ORIGIN_NOT_LISTED, "GET", target, HOST);
	}

	@ParameterizedTest
	@CsvSource({ "http://api.example.com/x, api.example.com, /x", "http://api.example.com, api.example.com, /",
			"http://api.example.com?a, api.example.com, /?a", "HTTPS://Api.Example.com/, API.EXAMPLE.COM, /",
			"http://api.example.com:80/x, api.example.com, /x", "https://api.example.com/x, api.example.com:443, /x",
			"http://api.example.com./x, api.example.com, /x", "http://[2001:db8:0::1]:8/x, [2001:db8::1]:8, /x" })
	void aUrlOfTheSameHostIsTaken(String target, String host, String sent) throws Exception {
		RequestTarget parsed = RequestTarget.parse("GET", target, List.of(host));
		assertThat(parsed.sent()).isEqualTo(sent);
		assertThat(parsed.scheme()).isIn("http", "https");
	}

	@ParameterizedTest
	@CsvSource({ "http://api.example.com/x, evil.example", "http://evil.example/x, api.example.com",
			"https://api.example.com/x, api.example.com:80", "http://api.example.com:8080/x, api.example.com",
			"http://user@api.example.com/x, api.example.com", "http://api.example.com:x/y, api.example.com",
			"http:///x, api.example.com" })
	void aUrlOfAnotherHostIsRefused(String target, String host) {
		assertRefused(Refusal.BAD_HOST, "GET", target, host);
	}

	@Test
	void aHostStandsOnceAndIsOne() {
		assertRefused(Refusal.BAD_HOST, "GET", "/");
		assertRefused(Refusal.BAD_HOST, "GET", "/", HOST, HOST);
		assertRefused(Refusal.BAD_HOST, "GET", "/", HOST, "evil.example");
		assertRefused(Refusal.BAD_HOST, "GET", "/", "evil.example", HOST);
		assertRefused(Refusal.BAD_HOST, "GET", "/", "");
		assertRefused(Refusal.BAD_HOST, "GET", "/", "api.example.com:x@evil.example");
		assertRefused(Refusal.BAD_HOST, "GET", "/", "api.example.com, evil.example");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ok.test:443", "evil.test\0.ok.test:443", "ok.test\r\nX: y", "ok.test%00", "ok.test." })
	void aTunnelIsRefusedWhereverItLeads(String target) {
		assertRefused(Refusal.CONNECT_NOT_SUPPORTED, "CONNECT", target, HOST);
	}

	private static void assertRefused(Refusal refusal, String method, String target, String... hosts) {
		assertThatExceptionOfType(RefusedException.class)
			.isThrownBy(() -> RequestTarget.parse(method, target, List.of(hosts)))
			.extracting(RefusedException::refusal)
			.isEqualTo(refusal);
	}

}
