package io.sandbox4j;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * One host has one spelling, and what has none is refused.
 */
class AuthorityTests {

	@ParameterizedTest
	@CsvSource({ "api.example.com, api.example.com", "API.Example.COM, api.example.com",
			"api.example.com., api.example.com", "api.example.com.:8080, api.example.com:8080",
			"api.example.com:443, api.example.com:443", "localhost, localhost", "a, a", "a_b.example, a_b.example",
			"xn--bcher-kva.example, xn--bcher-kva.example", "1.2.3.4, 1.2.3.4", "127.0.0.1:80, 127.0.0.1:80",
			"1a.example, 1a.example", "example.com:65535, example.com:65535", "3com.com, 3com.com" })
	void aNameOrAddressIsCanonical(String text, String canonical) {
		assertThat(Authority.parse(text)).hasToString(canonical);
	}

	@ParameterizedTest
	@CsvSource({ "[::1], [::1]", "[0:0:0:0:0:0:0:1], [::1]", "[2001:DB8::1]:443, [2001:db8::1]:443",
			"[2001:db8:0:0:0:0:0:1], [2001:db8::1]", "[2001:db8::0:1], [2001:db8::1]",
			"[2001:db8:0:1:1:1:1:1], [2001:db8:0:1:1:1:1:1]", "[2001:0:0:1:0:0:0:1], [2001:0:0:1::1]",
			"[2001:db8:0:0:1:0:0:1], [2001:db8::1:0:0:1]", "[::], [::]", "[1::], [1::]",
			"[fe80::0204:61ff:fe9d:f156], [fe80::204:61ff:fe9d:f156]", "[64:ff9b::1.2.3.4], [64:ff9b::102:304]" })
	void anIpv6AddressIsWrittenAsRfc5952Says(String text, String canonical) {
		assertThat(Authority.parse(text)).hasToString(canonical);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "..", "api.example.com..", "127.0.0.1..", "localhost..", "a..b", ".a",
			"-a.example", "a-.example", "api.example.com@evil.example", "api.example.com:x@evil.example",
			"user:pw@api.example.com", "api.example.com:", "api.example.com:0", "api.example.com:65536",
			"api.example.com:+80", "api.example.com:080", "api.example.com:80:80", "api.example.com:8 0",
			"ok.test\0.evil.test", "ok.test\r\nX: 1", "ok.test%00", "ok%2etest", "a\\b", "a/b", "a?b", "a#b", "a b",
			"a\tb", "a,b", "b\u00fccher.example", "\uff11.example", "127.1", "2130706433", "0x7f.1", "017700000001",
			"1.2.3.4.5", "0x7f000001", "1.2.3.08", "1.2.3.256", "1.2.3", "127.0.0.0x1", "example.1", "example.0x", "[",
			"[]", "]", "[::1", "::1", "2001:db8::1", "[::1]x", "[::1]80", "[1.2.3.4]", "[::ffff:127.0.0.1]",
			"[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[fe80::1%25eth0]", "[fe80::1%eth0]", "[::g]", "[1:2:3]",
			"[::1::2]", "[12345::]", "*", "*.example.com" })
	void whatHasNoOneSpellingIsRefused(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> Authority.parse(text))
			.satisfies((ex) -> assertThat(ex.getMessage()).matches("[ -~]+"));
	}

	@Test
	void aNameHasABound() {
		assertThat(Authority.parse("a.".repeat(126) + "a")).isNotNull();
		assertThatIllegalArgumentException().isThrownBy(() -> Authority.parse("a.".repeat(127) + "a"));
		assertThat(Authority.parse("a".repeat(63) + ".example")).isNotNull();
		assertThatIllegalArgumentException().isThrownBy(() -> Authority.parse("a".repeat(64) + ".example"));
	}

	@Test
	void twoSpellingsAreEqual() {
		assertThat(Authority.parse("[2001:DB8::1]:443")).isEqualTo(Authority.parse("[2001:db8:0:0:0:0:0:1]:443"));
		assertThat(Authority.parse("A.example.")).isEqualTo(Authority.parse("a.example"));
		assertThat(Authority.parse("a.example")).isNotEqualTo(Authority.parse("a.example:80"));
	}

	@ParameterizedTest
	@CsvSource({ "https://b\u00fccher.example, https://xn--bcher-kva.example",
			"https://[2001:DB8::1]:443, https://[2001:db8::1]", "http://example.com.:80/, http://example.com",
			"https://\uff11\uff12.example, https://12.example" })
	void anOperatorMayWriteAnInternationalName(String origin, String canonical) {
		assertThat(Origin.parse(origin)).hasToString(canonical);
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://127.1", "https://2130706433", "https://\uff11\uff12\uff17.1",
			"https://[::ffff:1.2.3.4]", "https://api.example.com:443x", "*", " ", "https://*", "https:// ",
			"https://a\\b", "https:///", "https://a@b" })
	void anOriginThatHasNoOneSpellingIsRefusedWithItsProperty(String origin) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> Origin.parse(origin))
			.withMessageStartingWith("'network.allow.origin' ");
	}

	@Test
	void anOriginKnowsItsPort() {
		assertThat(Origin.parse("https://a.example").port()).isEqualTo(443);
		assertThat(Origin.parse("http://a.example").port()).isEqualTo(80);
		assertThat(Origin.parse("https://a.example:8443").authority()).hasToString("a.example:8443");
		assertThat(Map.of(Origin.parse("https://a.example:443"), 1)).containsKey(Origin.parse("HTTPS://A.EXAMPLE/"));
	}

}
