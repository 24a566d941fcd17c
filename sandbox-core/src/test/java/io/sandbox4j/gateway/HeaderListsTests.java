package io.sandbox4j.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.sandbox4j.Credential;
import io.sandbox4j.OriginRule;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.message.BasicHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class HeaderListsTests {

	private static final String ORIGIN = "https://api.example.com";

	private static final String SECRET = "Bearer injected-secret";

	private static final OriginRule OPEN = OriginRule.builder(ORIGIN).build();

	private static final OriginRule INJECTING = OriginRule.of(ORIGIN, Map.of("Authorization", SECRET));

	private static final Redactor REDACTOR = Redactor.of(List.of(SECRET));

	@ParameterizedTest
	@ValueSource(strings = { "Accept", "Accept-Encoding", "ACCEPT-LANGUAGE", "Cache-Control", "Content-Encoding",
			"Content-Language", "content-type", "Git-Protocol", "Idempotency-Key", "If-Match", "If-Modified-Since",
			"If-None-Match", "If-Range", "If-Unmodified-Since", "Last-Event-ID", "Pragma", "Range", "User-Agent" })
	void passesWhatEveryRequestMayHave(String name) throws RefusedException {
		assertThat(request(OPEN, name + ": v")).contains(name + ": v");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Authorization", "Cookie", "X-Api-Key", "Private-Token", "Referer", "Origin", "Via",
			"Forwarded", "X-Forwarded-For", "X-Requested-With", "npm-command", "X-HTTP-Method-Override",
			"Content-Length", "Transfer-Encoding", "Host", "Expect", "Date", "" })
	void dropsEverythingElse(String name) throws RefusedException {
		// C-T19: a credential of the guest reaches no origin either.
		assertThat(request(OPEN, name + ": v")).containsExactly("User-Agent: sandbox4j");
	}

	@Test
	void passesWhatTheRuleLists() throws RefusedException {
		OriginRule listing = OriginRule.builder(ORIGIN).requestHeaders("X-Requested-With", "Cookie").build();
		assertThat(request(listing, "x-requested-with: a", "COOKIE: b", "X-Other: c", "User-Agent: u"))
			.containsExactly("x-requested-with: a", "COOKIE: b", "User-Agent: u");
	}

	@Test
	void keepsTheOrderAndSeveralValues() throws RefusedException {
		assertThat(request(OPEN, "Accept: a", "User-Agent: curl/8", "Accept: b")).containsExactly("Accept: a",
				"User-Agent: curl/8", "Accept: b");
	}

	@Test
	void theInjectedValueIsTheOnlyOne() throws RefusedException {
		// BC-145
		OriginRule rule = OriginRule.builder(ORIGIN)
			.header("Authorization", SECRET)
			.requestHeaders("authorization")
			.build();
		assertThat(request(rule, "authorization: Bearer guest", "AUTHORIZATION: x", "User-Agent: u"))
			.containsExactly("User-Agent: u", "Accept-Encoding: identity", "Authorization: " + SECRET);
	}

	@Test
	void theCredentialOfASourceIsTheOnlyValueToo() throws RefusedException {
		OriginRule rule = OriginRule.builder(ORIGIN)
			.credential("X-Api-Key", "source", "")
			.requestHeaders("x-api-key")
			.build();
		RuleSecrets secrets = RuleSecrets.resolve(rule, Map.of("source", (use) -> Credential.of("injected-key")), "s1",
				new MutableInstant(), new RedactorCache());
		assertThat(lines(HeaderLists.request(headers("x-api-key: guest"), rule, secrets)))
			.containsExactly("Accept-Encoding: identity", "User-Agent: sandbox4j", "X-Api-Key: injected-key");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Accept", "User-Agent", "Accept-Encoding" })
	void aListedHeaderThatTheRuleSetsIsTheRulesToo(String name) throws RefusedException {
		OriginRule rule = OriginRule.of(ORIGIN, Map.of(name, "rule", "X-Key", "secret-value"));
		assertThat(request(rule, name.toLowerCase(Locale.ROOT) + ": guest").stream()
			.filter((line) -> line.startsWith(name + ":"))).containsExactly(name + ": rule");
	}

	@Test
	void dropsWhatConnectionNominates() throws RefusedException {
		// BC-147
		OriginRule rule = OriginRule.builder(ORIGIN)
			.header("Authorization", SECRET)
			.requestHeaders("x-internal", "x-second", "x-kept")
			.build();
		List<String> passed = request(rule, "Connection: x-internal, close", "X-Internal: s", "X-SECOND: t",
				"cONNECTION:  ,\tX-Second ,Authorization", "X-Kept: k", "User-Agent: u");
		assertThat(passed).containsExactly("X-Kept: k", "User-Agent: u", "Accept-Encoding: identity",
				"Authorization: " + SECRET);
	}

	@Test
	void aNominatedUserAgentIsReplaced() throws RefusedException {
		assertThat(request(OPEN, "Connection: User-Agent, accept", "User-Agent: u", "Accept: a"))
			.containsExactly("User-Agent: sandbox4j");
	}

	@Test
	void dropsWhatBelongsToTheConnection() throws RefusedException {
		// BC-134
		OriginRule rule = OriginRule.builder(ORIGIN).requestHeaders("x-foo").build();
		assertThat(request(rule, "Connection: keep-alive, X-Foo", "X-Foo: f", "Upgrade: h2c", "Keep-Alive: 5",
				"TE: trailers", "Proxy-Connection: close", "Proxy-Authorization: Basic x", "HTTP2-Settings: AAA",
				"Trailer: x", "User-Agent: u"))
			.containsExactly("User-Agent: u");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\rb", "a\nX: b", "a\u0000", "a\u007f" })
	void dropsARequestHeaderWithControlCharacters(String value) throws RefusedException {
		assertThat(request(OPEN, "Accept: " + value, "User-Agent: u")).containsExactly("User-Agent: u");
	}

	@Test
	void asksForAPlainAnswerWhereItIsSearched() throws RefusedException {
		assertThat(request(INJECTING, "accept-encoding: gzip, br", "Accept-Encoding: zstd", "User-Agent: u"))
			.containsExactly("User-Agent: u", "Accept-Encoding: identity", "Authorization: " + SECRET);
		OriginRule off = OriginRule.builder(ORIGIN).header("Authorization", SECRET).redact(false).build();
		assertThat(request(off, "Accept-Encoding: gzip")).contains("Accept-Encoding: gzip")
			.doesNotContain("Accept-Encoding: identity");
		assertThat(request(OPEN, "Accept-Encoding: gzip")).contains("Accept-Encoding: gzip");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Accept-Ranges", "Age", "Allow", "Cache-Control", "Content-Disposition",
			"Content-Encoding", "Content-Language", "Content-Range", "CONTENT-TYPE", "Date", "ETag", "Expires",
			"Last-Modified", "Link", "Retry-After", "Vary", "RateLimit-Limit", "X-RateLimit-Remaining" })
	void passesWhatEveryAnswerMayHave(String name) {
		assertThat(response(200, OPEN, name + ": v").headers()).extracting(Header::getName).containsExactly(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Set-Cookie", "Location", "WWW-Authenticate", "Server", "X-Request-Id", "Alt-Svc",
			"Refresh", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Proxy-Authenticate",
			"Upgrade", "Trailer", "X-Rate", "" })
	void dropsEverythingElseOfAnAnswer(String name) {
		assertThat(response(200, OPEN, name + ": v").headers()).isEmpty();
	}

	@Test
	void passesWhatTheRuleListsOfAnAnswer() {
		OriginRule rule = OriginRule.builder(ORIGIN).responseHeaders("Set-Cookie", "X-Request-Id").build();
		assertThat(lines(response(200, rule, "set-cookie: a=b", "Set-Cookie: c=d", "X-REQUEST-ID: 1").headers()))
			.containsExactly("set-cookie: a=b", "Set-Cookie: c=d", "X-REQUEST-ID: 1");
	}

	@Test
	void aPlaceIsToldOfWhatWasCreatedOnly() {
		assertThat(response(201, OPEN, "Location: /x").headers()).hasSize(1);
		for (int status : new int[] { 200, 202, 300, 301, 302, 303, 304, 307, 308 }) {
			assertThat(response(status, OPEN, "Location: /x").headers()).isEmpty();
		}
	}

	@Test
	void dropsWhatTheUpstreamsConnectionNominates() {
		assertThat(lines(response(200, OPEN, "ETag: 1", "Connection: close, etag", "Vary: v").headers()))
			.containsExactly("Vary: v");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\rb", "a\nX: b", "a\u0000", "a\u001b[2J", "a\u007f" })
	void dropsAnAnswersHeaderWithControlCharacters(String value) {
		assertThat(response(200, OPEN, "ETag: " + value).headers()).isEmpty();
	}

	@Test
	void masksSecretsInValues() {
		// BC-151
		HeaderLists.Answer answer = response(200, INJECTING, "ETag: \"injected-secret\"",
				"Link: </?auth=Bearer%20injected-secret>; rel=next", "Vary: Accept");
		assertThat(lines(answer.headers())).containsExactly("ETag: \"***************\"",
				"Link: </?auth=************************>; rel=next", "Vary: Accept");
		assertThat(answer.redacted()).isTrue();
		assertThat(response(200, INJECTING, "ETag: 1", "X-Dropped: injected-secret").redacted()).isFalse();
	}

	@Test
	void dropsAHeaderWhoseNameHoldsASecret() {
		HeaderLists.Answer answer = response(200, INJECTING, "X-RateLimit-injected-secret: 1", "ETag: 1");
		assertThat(lines(answer.headers())).containsExactly("ETag: 1");
		assertThat(answer.redacted()).isTrue();
	}

	@Test
	void aHeaderWithoutAValueIsNoFailure() throws RefusedException {
		Header[] none = { new BasicHeader("Accept", null), new BasicHeader("Connection", null),
				new BasicHeader("ETag", null) };
		assertThat(HeaderLists.request(none, OPEN, RuleSecrets.NONE)).hasSize(2);
		assertThat(lines(HeaderLists.response(200, none, OPEN, REDACTOR).headers())).containsExactly("ETag: ");
	}

	private static List<String> request(OriginRule rule, String... guest) throws RefusedException {
		RuleSecrets secrets = RuleSecrets.resolve(rule, Map.of(), "s1", new MutableInstant(), new RedactorCache());
		return lines(HeaderLists.request(headers(guest), rule, secrets));
	}

	private static HeaderLists.Answer response(int status, OriginRule rule, String... upstream) {
		return HeaderLists.response(status, headers(upstream), rule, REDACTOR);
	}

	private static Header[] headers(String... lines) {
		return Stream.of(lines)
			.map((line) -> line.split(": ", 2))
			.map((parts) -> new BasicHeader(parts[0], parts[1]))
			.toArray(Header[]::new);
	}

	private static List<String> lines(List<Header> headers) {
		List<String> lines = new ArrayList<>();
		headers.forEach((header) -> lines.add(header.getName() + ": " + header.getValue()));
		return lines;
	}

}
