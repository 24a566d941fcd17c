package io.sandbox4j.bubblewrap;

import java.util.Map;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GuestEnvironmentTests {

	private static final OriginRule GIT = OriginRule.of("https://git.example", Map.of("Authorization", "secret-value"));

	private static final OriginRule PLAIN = OriginRule.of("http://plain.example:8080", Map.of());

	private static final OriginRule OTHER = OriginRule.builder("https://other.example:8443")
		.environment("API_BASE", "http://other.example:8443")
		.environment("NODE_USE_ENV_PROXY", "0")
		.environment("HOME", "/tmp")
		.build();

	@Test
	void withoutRulesNothingIsAdded() {
		assertThat(GuestEnvironment.of(NetworkPolicy.denyAll(), true)).isEqualTo(GuestEnvironment.BASE);
		assertThat(GuestEnvironment.of(NetworkPolicy.allowAll(), true)).isEqualTo(GuestEnvironment.BASE);
		assertThat(GuestEnvironment.of(NetworkPolicy.allow(), true)).isEqualTo(GuestEnvironment.BASE);
	}

	@Test
	void programsAreLedToTheRelayAndTheSocket() {
		Map<String, String> environment = GuestEnvironment.of(NetworkPolicy.allow(PLAIN), true);
		for (String name : new String[] { "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY" }) {
			assertThat(environment).containsEntry(name, "http://127.0.0.1:3128");
		}
		assertThat(environment).containsEntry("SANDBOX_GATEWAY_SOCKET", "/run/sandbox/gateway.sock")
			.containsEntry("no_proxy", "localhost,127.0.0.1,::1")
			.containsEntry("NO_PROXY", "localhost,127.0.0.1,::1")
			.containsEntry("NODE_USE_ENV_PROXY", "1")
			.containsEntry("NODE_OPTIONS", "--require=/etc/sandbox/fetch.cjs")
			.containsEntry("GIT_TERMINAL_PROMPT", "0")
			.doesNotContainKey("GIT_CONFIG_COUNT")
			.containsAllEntriesOf(GuestEnvironment.BASE);
	}

	@Test
	void gitAsksForHttpWhereAUrlOfAListedOriginSaysHttps() {
		assertThat(GuestEnvironment.of(NetworkPolicy.allow(GIT, PLAIN, OTHER), true))
			.containsEntry("GIT_CONFIG_COUNT", "2")
			.containsEntry("GIT_CONFIG_KEY_0", "url.http://git.example/.insteadOf")
			.containsEntry("GIT_CONFIG_VALUE_0", "https://git.example/")
			.containsEntry("GIT_CONFIG_KEY_1", "url.http://other.example:8443/.insteadOf")
			.containsEntry("GIT_CONFIG_VALUE_1", "https://other.example:8443/");
	}

	@Test
	void aRulesVariablesWin() {
		assertThat(GuestEnvironment.of(NetworkPolicy.allow(OTHER), true))
			.containsEntry("API_BASE", "http://other.example:8443")
			.containsEntry("NODE_USE_ENV_PROXY", "0")
			.containsEntry("HOME", "/tmp");
	}

	@Test
	void noSecretIsThere() {
		assertThat(GuestEnvironment.of(NetworkPolicy.allow(GIT), true).toString()).doesNotContain("secret-value");
	}

	@Test
	void withoutARelayThereIsTheSocketAndWhatRulesSay() {
		assertThat(GuestEnvironment.of(NetworkPolicy.allow(GIT, OTHER), false))
			.containsEntry("SANDBOX_GATEWAY_SOCKET", "/run/sandbox/gateway.sock")
			.containsEntry("API_BASE", "http://other.example:8443")
			.doesNotContainKeys("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy",
					"GIT_CONFIG_COUNT");
	}

}
