package io.sandbox4j.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.sandbox4j.Credential;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.gateway.SandboxGateway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code docs/gateway.md}: what it shows can be configured, and what can be
 * configured stands there.
 */
class GatewayPageTests {

	private static final Pattern YAML = Pattern.compile("(?s)```yaml\n(sandbox:.*?)```");

	private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z-]+)` \\|[^|]*\\| [^|]+ \\|$");

	@Test
	void namesEveryPropertyOfAnOrigin() throws IOException {
		String section = page().substring(page().indexOf("## The policy"), page().indexOf("## Credentials"));
		List<String> named = ROW.matcher(section).results().map((row) -> row.group(1)).toList();
		assertThat(named)
			.containsExactlyElementsOf(Arrays.stream(SandboxNetworkProperties.Rule.class.getRecordComponents())
				.map((component) -> component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
				.toList());
	}

	@Test
	void namesEveryLimit() throws IOException {
		String page = page();
		assertThat(SandboxGatewayProperties.class.getRecordComponents()).isNotEmpty()
			.extracting((component) -> component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
			.allSatisfy((name) -> assertThat(page).containsPattern("(sandbox\\.gateway|`)[:.]?\\s*" + name));
	}

	@ParameterizedTest
	@MethodSource("examples")
	void itsExamplesWork(String yaml) throws IOException {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("API_KEY", "key", "PROXY_PASSWORD", "password")));
		new YamlPropertySourceLoader().load("example", new ByteArrayResource(yaml.getBytes()))
			.forEach(environment.getPropertySources()::addLast);
		SandboxNetworkProperties network = Binder.get(environment)
			.bindOrCreate("sandbox.network", SandboxNetworkProperties.class);
		SandboxGatewayProperties properties = Binder.get(environment)
			.bindOrCreate("sandbox.gateway", SandboxGatewayProperties.class);
		DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("internal", SslBundle.systemDefault());
		SandboxGateway.Builder builder = SandboxGateway.builder()
			.credentialSource("apiToken", (use) -> Credential.of("token"));
		new PropertiesGatewayCustomizer(properties, network, new SslBundleContexts(bundles)).customize(builder);
		try (SandboxGateway gateway = builder.build()) {
			NetworkPolicy policy = new NetworkDeclarations(gateway).read(network);
			assertThat(policy instanceof NetworkPolicy.AllowList).isEqualTo(yaml.contains("allow:"));
		}
	}

	static Stream<String> examples() throws IOException {
		List<String> examples = YAML.matcher(page()).results().map((example) -> example.group(1)).toList();
		assertThat(examples).hasSizeGreaterThan(3);
		return examples.stream();
	}

	private static String page() throws IOException {
		return Files.readString(Repository.root().resolve("docs/gateway.md"));
	}

}
