package io.sandbox4j.install;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class InstallRegistriesTests {

	@Test
	void publicRegistriesAreReadOnlyAndThereIsNothingElse() {
		List<OriginRule> rules = InstallRegistries.defaults().rules();
		assertThat(rules).extracting((rule) -> rule.origin().toString())
			.containsExactlyInAnyOrder("https://registry.npmjs.org", "https://repo.maven.apache.org",
					"https://proxy.golang.org");
		assertThat(rules).allSatisfy((rule) -> {
			assertThat(rule.methods()).containsExactlyInAnyOrder("GET", "HEAD");
			assertThat(rule.allowPrivate()).isFalse();
			assertThat(rule.hasSecrets()).isFalse();
		});
	}

	@Test
	void managersAreLedToTheMirrorOverPlainHttp() {
		InstallRegistries registries = InstallRegistries.builder()
			.registry(Ecosystem.JAVASCRIPT, "https://mirror.example:8443/npm/")
			.build();
		assertThat(registries.rules()).singleElement()
			.satisfies((rule) -> assertThat(rule.environment())
				.containsEntry("npm_config_registry", "http://mirror.example:8443/npm/")
				.containsEntry("YARN_NPM_REGISTRY_SERVER", "http://mirror.example:8443/npm")
				.containsEntry("pnpm_config_registry", "http://mirror.example:8443/npm/")
				.containsEntry("COREPACK_NPM_REGISTRY", "http://mirror.example:8443/npm")
				.containsEntry("BUN_CONFIG_REGISTRY", "http://mirror.example:8443/npm/"));
	}

	@Test
	void registriesOfOneOriginShareARule() {
		InstallRegistries.Builder builder = InstallRegistries.builder();
		for (Ecosystem ecosystem : Ecosystem.values()) {
			builder.registry(ecosystem, "https://mirror.example/" + ecosystem.name().toLowerCase(Locale.ROOT));
		}
		NetworkPolicy policy = builder.build().policy();
		assertThat(((NetworkPolicy.AllowList) policy).rules()).singleElement()
			.satisfies((rule) -> assertThat(rule.environment())
				.containsAllEntriesOf(Map.of("npm_config_registry", "http://mirror.example/javascript/",
						"PIP_INDEX_URL", "http://mirror.example/python/", "PIP_TRUSTED_HOST", "mirror.example",
						"SANDBOX_MAVEN_MIRROR", "http://mirror.example/maven", "SANDBOX_CARGO_REGISTRY",
						"sparse+http://mirror.example/cargo/", "GOPROXY", "http://mirror.example/go")));
	}

	@Test
	void aRuleCanBeChanged() {
		InstallRegistries registries = InstallRegistries.builder()
			.registry(Ecosystem.GO, "https://mirror.example",
					(rule) -> rule.header("Authorization", "Bearer secret").allowPrivate(true))
			.build();
		assertThat(registries.rules().get(0).hasSecrets()).isTrue();
		assertThat(registries.rules().get(0).allowPrivate()).isTrue();
		assertThat(registries.rules().get(0).environment().toString()).doesNotContain("secret");
	}

	@Test
	void aLaterRegistryReplacesAnEarlierOne() {
		InstallRegistries registries = InstallRegistries.builder()
			.registry(Ecosystem.GO, "https://one.example")
			.registry(Ecosystem.GO, "https://two.example")
			.build();
		assertThat(registries.rules()).extracting((rule) -> rule.origin().host()).containsExactly("two.example");
	}

	@Test
	void withoutARegistryNothingIsAllowed() {
		assertThat(InstallRegistries.builder().build().rules()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "registry.example", "ftp://registry.example", "https://user:pw@registry.example/",
			"https://registry.example/?a=b", "https://registry.example/#a", "https://registry.example/a b",
			"https://registry.example/a\"b", "https://registry.example//a", "https://" })
	void whatIsNoUrlOfARegistryIsInvalid(String url) {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> InstallRegistries.builder().registry(Ecosystem.GO, url))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
	}

}
