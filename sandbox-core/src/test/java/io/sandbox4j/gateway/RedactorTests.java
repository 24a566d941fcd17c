package io.sandbox4j.gateway;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RedactorTests {

	private static final String TOKEN = "ghp_9A/z+k==\"<&>'\\m~(x)!*";

	private final Redactor redactor = Redactor.of(List.of("Bearer " + TOKEN));

	static Stream<Arguments> forms() {
		byte[] bytes = TOKEN.getBytes(StandardCharsets.US_ASCII);
		String uri = "ghp_9A%2Fz%2Bk%3D%3D%22%3C%26%3E'%5Cm~(x)!*";
		return Stream.of(Arguments.of("raw", TOKEN), Arguments.of("hex", HexFormat.of().formatHex(bytes)),
				Arguments.of("upper hex", HexFormat.of().withUpperCase().formatHex(bytes)),
				Arguments.of("encodeURIComponent", uri), Arguments.of("lower encodeURIComponent", lowerEscapes(uri)),
				Arguments.of("RFC 3986", "ghp_9A%2Fz%2Bk%3D%3D%22%3C%26%3E%27%5Cm~%28x%29%21%2A"),
				Arguments.of("java.net.URLEncoder", URLEncoder.encode(TOKEN, StandardCharsets.US_ASCII)),
				Arguments.of("encodeURI", "ghp_9A/z+k==%22%3C&%3E'%5Cm~(x)!*"),
				Arguments.of("Python quote", "ghp_9A/z%2Bk%3D%3D%22%3C%26%3E%27%5Cm~%28x%29%21%2A"),
				Arguments.of("every byte", "%" + HexFormat.ofDelimiter("%").formatHex(bytes)),
				Arguments.of("every byte, upper", "%" + HexFormat.ofDelimiter("%").withUpperCase().formatHex(bytes)),
				Arguments.of("JSON", "ghp_9A/z+k==\\\"<&>'\\\\m~(x)!*"),
				Arguments.of("JSON, PHP", "ghp_9A\\/z+k==\\\"<&>'\\\\m~(x)!*"),
				Arguments.of("JSON, Go", "ghp_9A/z+k==\\\"\\u003c\\u0026\\u003e'\\\\m~(x)!*"),
				Arguments.of("JSON, Gson", "ghp_9A/z+k\\u003d\\u003d\\\"\\u003c\\u0026\\u003e\\u0027\\\\m~(x)!*"),
				Arguments.of("JSON, .NET", "ghp_9A/z\\u002Bk==\\u0022\\u003C\\u0026\\u003E\\u0027\\\\m~(x)!*"),
				Arguments.of("JSON, PHP for HTML", "ghp_9A\\/z+k==\\u0022\\u003C\\u0026\\u003E\\u0027\\\\m~(x)!*"),
				Arguments.of("HTML text", "ghp_9A/z+k==\"&lt;&amp;&gt;'\\m~(x)!*"),
				Arguments.of("HTML, Python", "ghp_9A/z+k==&quot;&lt;&amp;&gt;&#x27;\\m~(x)!*"),
				Arguments.of("HTML, Spring", "ghp_9A/z+k==&quot;&lt;&amp;&gt;&#39;\\m~(x)!*"),
				Arguments.of("HTML, Go", "ghp_9A/z+k==&#34;&lt;&amp;&gt;&#39;\\m~(x)!*"),
				Arguments.of("HTML, PHP", "ghp_9A/z+k==&quot;&lt;&amp;&gt;&#039;\\m~(x)!*"),
				Arguments.of("HTML, Mustache", "ghp_9A&#x2F;z+k&#x3D;&#x3D;&quot;&lt;&amp;&gt;&#39;\\m~(x)!*"),
				Arguments.of("XML", "ghp_9A/z+k==&quot;&lt;&amp;&gt;&apos;\\m~(x)!*"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("forms")
	void masksEveryForm(String name, String form) throws IOException {
		String stars = "*".repeat(form.length());
		for (String frame : List.of("%s", "a%sz", "%s %s", "%s%s", "g%s\n")) {
			String text = frame.replace("%s", form);
			String masked = frame.replace("%s", stars);
			assertThat(this.redactor.mask(text)).isEqualTo(masked).hasSameSizeAs(text);
			assertThat(stream(this.redactor, text)).isEqualTo(masked);
		}
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("forms")
	void masksEveryFormWithItsScheme(String name, String form) {
		assertThat(this.redactor.mask("Bearer " + form)).endsWith("*".repeat(form.length())).hasSize(form.length() + 7);
		assertThat(this.redactor.mask("Bearer " + TOKEN)).isEqualTo("*".repeat(TOKEN.length() + 7));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("forms")
	void aPartOfAFormIsNoSecret(String name, String form) {
		assertThat(this.redactor.mask(form.substring(0, form.length() - 1))).doesNotContain("**********");
		assertThat(this.redactor.mask(form.substring(1))).doesNotContain("**********");
	}

	@Test
	void masksWhatBase64DeterminesInALargerText() {
		Random random = new Random(3);
		Redactor byName = Redactor.of(List.of(TOKEN));
		for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder(),
				Base64.getEncoder().withoutPadding())) {
			for (int before = 0; before < 7; before++) {
				for (int after = 0; after < 4; after++) {
					byte[] head = new byte[before];
					byte[] tail = new byte[after];
					random.nextBytes(head);
					random.nextBytes(tail);
					String text = encoder.encodeToString(concat(head, bytes(TOKEN), tail));
					int from = (before * 8 + 5) / 6;
					int to = (before + TOKEN.length()) * 8 / 6;
					assertThat(byName.mask(text))
						.isEqualTo(text.substring(0, from) + "*".repeat(to - from) + text.substring(to));
				}
			}
		}
	}

	@Test
	void theShortestSecretIsFoundInBase64() {
		Redactor shortest = Redactor.of(List.of("12345678"));
		for (String before : List.of("", "a", "ab")) {
			String text = Base64.getEncoder().encodeToString(bytes(before + "12345678zz"));
			assertThat(shortest.mask(text)).contains("**********");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "1234567", "Bearer", "x", "" })
	void shorterValuesAreNoSecrets(String value) {
		assertThat(Redactor.of(List.of(value, "12345678")).mask("> " + value + " <")).isEqualTo("> " + value + " <");
	}

	@Test
	void aShortTokenIsFoundWithItsSchemeOnly() {
		Redactor token = Redactor.of(List.of("token 1234567"));
		assertThat(token.mask("1234567")).isEqualTo("1234567");
		assertThat(token.mask("token 1234567")).isEqualTo("*************");
	}

	@Test
	void shortValuesAndNoneAreTheEmptyRedactor() {
		assertThat(Redactor.of(List.of("1234567", ""))).isSameAs(Redactor.NONE);
		assertThat(Redactor.of(List.of())).isSameAs(Redactor.NONE);
		assertThat(Redactor.NONE.isEmpty()).isTrue();
		assertThat(this.redactor.isEmpty()).isFalse();
	}

	@Test
	void masksTheUserAndPasswordOfBasic() {
		String header = "Basic " + Base64.getEncoder().encodeToString(bytes("robot:p&ssw0rd!"));
		Redactor basic = Redactor.of(List.of(header));
		assertThat(basic.mask(header)).isEqualTo("*".repeat(header.length()));
		assertThat(basic.mask("user robot:p&ssw0rd!")).isEqualTo("user ***************");
		assertThat(basic.mask("user robot, password p&ssw0rd!")).isEqualTo("user robot, password *********");
		assertThat(basic.mask("p%26ssw0rd%21")).isEqualTo("*************");
		assertThat(basic.mask("p&amp;ssw0rd!")).isEqualTo("*************");
	}

	@Test
	void theSchemeOfBasicHasAnyCase() {
		Redactor basic = Redactor.of(List.of("bASIC " + Base64.getEncoder().encodeToString(bytes("u:longpassword"))));
		assertThat(basic.mask("longpassword")).isEqualTo("************");
	}

	@ParameterizedTest
	@ValueSource(strings = { "sk_live_123456:", "sk_live_123456:x", "sk_live_123456:x-oauth-basic" })
	void theUserOfBasicIsTheSecretWhereThereIsNoPassword(String pair) {
		Redactor basic = Redactor.of(List.of("Basic " + Base64.getEncoder().encodeToString(bytes(pair))));
		assertThat(basic.mask("key sk_live_123456.")).isEqualTo("key **************.");
	}

	@Test
	void aBasicValueThatIsNotBase64IsMaskedAsItIs() {
		assertThat(Redactor.of(List.of("Basic {not-base64}")).mask("{not-base64}")).isEqualTo("************");
	}

	@Test
	void masksAPasswordThatIsNotAscii() throws IOException {
		byte[] pair = "u:p\u00e4ssw\u00f6rt\u20ac".getBytes(StandardCharsets.UTF_8);
		Redactor utf8 = Redactor.of(List.of("Basic " + Base64.getEncoder().encodeToString(pair)));
		byte[] password = "p\u00e4ssw\u00f6rt\u20ac".getBytes(StandardCharsets.UTF_8);
		assertThat(utf8.over(new ByteArrayInputStream(password)).readAllBytes())
			.isEqualTo(bytes("*".repeat(password.length)));
		assertThat(utf8.mask("p\\u00e4ssw\\u00f6rt\\u20ac")).doesNotContain("ssw");
		assertThat(utf8.mask("p%C3%A4ssw%C3%B6rt%E2%82%AC")).doesNotContain("ssw");
		byte[] latin = "u:p\u00e4ssw\u00f6rter".getBytes(StandardCharsets.ISO_8859_1);
		Redactor latin1 = Redactor.of(List.of("Basic " + Base64.getEncoder().encodeToString(latin)));
		assertThat(latin1.mask("p\u00e4ssw\u00f6rter")).isEqualTo("**********");
		byte[] transcoded = "p\u00e4ssw\u00f6rter".getBytes(StandardCharsets.UTF_8);
		assertThat(latin1.over(new ByteArrayInputStream(transcoded)).readAllBytes())
			.isEqualTo(bytes("*".repeat(transcoded.length)));
	}

	@Test
	void aBlankIsAPlusInForms() {
		Redactor blank = Redactor.of(List.of("Basic " + Base64.getEncoder().encodeToString(bytes("u:pass word 1"))));
		assertThat(blank.mask("p=pass+word+1")).isEqualTo("p=***********");
		assertThat(blank.mask("p=pass%20word%201")).isEqualTo("p=***************");
	}

	@Test
	void masksSeveralSecretsThatTouchAndOverlap() {
		Redactor several = Redactor.of(List.of("firstsecret", "secret-two", "secret-two-longer"));
		assertThat(several.mask("firstsecretsecret-two")).isEqualTo("*".repeat(21));
		assertThat(several.mask("firstsecret-two")).isEqualTo("*".repeat(15));
		assertThat(several.mask("secret-two-longest")).isEqualTo("**********-longest");
	}

	@Test
	void letterCaseMatters() {
		assertThat(this.redactor.mask(TOKEN.toUpperCase(Locale.ROOT))).isEqualTo(TOKEN.toUpperCase(Locale.ROOT));
	}

	@Test
	void aHeaderWithoutSecretsIsTheSame() {
		String value = "text/html; charset=\"utf-8\" \u00fc\u20ac";
		assertThat(this.redactor.mask(value)).isSameAs(value);
		assertThat(this.redactor.mask("\u20ac" + TOKEN)).isEqualTo("\u20ac" + "*".repeat(TOKEN.length()));
	}

	@Test
	void masksTheEchoOfARequest() throws IOException {
		// BC-151, E46: plain and in base64, divided anywhere.
		String header = "Bearer sk-test-0123456789abcdef";
		Redactor echo = Redactor.of(List.of(header));
		String text = "{\"headers\":{\"authorization\":\"" + header + "\",\"user-agent\":\"" + header + "\"},\"raw\":\""
				+ Base64.getEncoder().encodeToString(bytes("authorization: " + header + "\r\n")) + "\"}";
		String masked = echo.mask(text);
		assertThat(masked).hasSameSizeAs(text).doesNotContain("0123", "MDEyMz", "AxMjM0", "MTIz");
		for (int cut = 0; cut <= text.length(); cut++) {
			RedactingInputStream stream = echo.over(ScriptedStream.of(text.substring(0, cut), text.substring(cut)));
			assertThat(new String(stream.readAllBytes(), StandardCharsets.US_ASCII)).isEqualTo(masked);
			assertThat(stream.found()).isTrue();
		}
	}

	@Test
	void anotherOriginsSecretIsLeftAsItIs() {
		assertThat(this.redactor.mask("Bearer sk-of-another-origin")).isEqualTo("Bearer sk-of-another-origin");
	}

	@Test
	void agreesWithASearchForEachForm() {
		Random random = new Random(11);
		for (int round = 0; round < 300; round++) {
			StringBuilder secret = new StringBuilder();
			for (int i = 8 + random.nextInt(40); i > 0; i--) {
				secret.append((char) ('!' + random.nextInt(94)));
			}
			List<String> forms = List.copyOf(new SecretForms().add(bytes(secret.toString())).forms());
			StringBuilder text = new StringBuilder();
			for (int i = 0; i < 20; i++) {
				String form = forms.get(random.nextInt(forms.size()));
				text.append(form, 0, random.nextBoolean() ? form.length() : random.nextInt(form.length()));
			}
			assertThat(Redactor.of(List.of(secret.toString())).mask(text.toString()))
				.isEqualTo(PatternAutomatonTests.naive(forms, text.toString()));
		}
	}

	@Test
	void aSecretBeyondAllHeadersIsRefused() {
		assertThat(Redactor.of(List.of("Bearer " + "aB3".repeat(2700))).states())
			.isLessThan(PatternAutomaton.MAX_STATES);
		List<String> values = List.of("Bearer " + "\"<&>'/+=".repeat(8000));
		assertThatIllegalArgumentException().isThrownBy(() -> Redactor.of(values));
	}

	@Test
	void saysNothingOfTheSecrets() {
		assertThat(this.redactor).hasToString("Redactor");
		assertThat(this.redactor.over(ScriptedStream.of()).toString()).doesNotContain("ghp_");
	}

	private static String lowerEscapes(String text) {
		StringBuilder lower = new StringBuilder(text);
		for (int at = lower.indexOf("%"); at >= 0; at = lower.indexOf("%", at + 1)) {
			lower.replace(at, at + 3, lower.substring(at, at + 3).toLowerCase(Locale.ROOT));
		}
		return lower.toString();
	}

	private static String stream(Redactor redactor, String text) throws IOException {
		return new String(redactor.over(new ByteArrayInputStream(bytes(text))).readAllBytes(),
				StandardCharsets.ISO_8859_1);
	}

	private static byte[] concat(byte[]... parts) {
		byte[] whole = new byte[Stream.of(parts).mapToInt((part) -> part.length).sum()];
		int at = 0;
		for (byte[] part : parts) {
			System.arraycopy(part, 0, whole, at, part.length);
			at += part.length;
		}
		return whole;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

}
