package io.sandbox4j.autoconfigure;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

import javax.net.ssl.SSLContext;

import io.sandbox4j.gateway.GatewayLimits;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.gateway.SandboxGateway.HostProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.Answers;
import org.mockito.ArgumentCaptor;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link PropertiesGatewayCustomizer} and {@link SslBundleContexts}.
 */
@ExtendWith(OutputCaptureExtension.class)
class PropertiesGatewayCustomizerTests {

	private final SandboxGateway.Builder builder = mock(SandboxGateway.Builder.class, Answers.RETURNS_SELF);

	private final DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();

	@Test
	void appliesTheDefaults() {
		customize(Map.of());
		then(this.builder).should().limits(GatewayLimits.DEFAULT);
		then(this.builder).shouldHaveNoMoreInteractions();
	}

	@Test
	void appliesEveryProperty() {
		this.bundles.registerBundle("outside", SslBundle.systemDefault());
		customize(Map.ofEntries(Map.entry("sandbox.gateway.max-requests", "1"),
				Map.entry("sandbox.gateway.max-connections", "2"), Map.entry("sandbox.gateway.max-head", "3KB"),
				Map.entry("sandbox.gateway.max-request-body", "0B"),
				Map.entry("sandbox.gateway.max-response-body", "5GB"), Map.entry("sandbox.gateway.head-timeout", "6s"),
				Map.entry("sandbox.gateway.connect-timeout", "7s"), Map.entry("sandbox.gateway.idle-timeout", "8s"),
				Map.entry("sandbox.gateway.keep-alive", "9s"), Map.entry("sandbox.gateway.request-timeout", "10m"),
				Map.entry("sandbox.gateway.ssl-bundle", "outside"),
				Map.entry("sandbox.gateway.proxy.url", "http://proxy.example:3128/"),
				Map.entry("sandbox.gateway.proxy.username", "me"),
				Map.entry("sandbox.gateway.proxy.password", "s:\u00e9"),
				Map.entry("sandbox.gateway.proxy.resolve-names", "true")));
		then(this.builder).should()
			.limits(new GatewayLimits(1, 2, 3072, 0, 5L << 30, Duration.ofSeconds(6), Duration.ofSeconds(7),
					Duration.ofSeconds(8), Duration.ofSeconds(9), Duration.ofMinutes(10)));
		then(this.builder).should().tls(any(FollowingSslContext.class));
		then(this.builder).should()
			.proxy(new HostProxy(URI.create("http://proxy.example:3128/"),
					"Basic " + Base64.getEncoder().encodeToString("me:s:\u00e9".getBytes(StandardCharsets.UTF_8)),
					true));
		then(this.builder).shouldHaveNoMoreInteractions();
	}

	@Test
	void aProxyNeedsNoUser() {
		customize(Map.of("sandbox.gateway.proxy.url", "HTTP://[2001:db8::1]:3128"));
		then(this.builder).should().proxy(new HostProxy(URI.create("HTTP://[2001:db8::1]:3128"), null, false));
	}

	@ParameterizedTest
	@CsvSource({ "max-requests,0", "max-connections,-1", "max-head,0B", "max-head,2GB", "max-request-body,-1B",
			"max-response-body,-1B", "head-timeout,0s", "connect-timeout,-1s", "idle-timeout,0s", "keep-alive,0s",
			"request-timeout,0s", "ssl-bundle,unknown", "proxy.url,proxy.example:3128",
			"proxy.url,https://proxy.example:3128", "proxy.url,http://user:secret@proxy.example",
			"proxy.url,http://user:se cret@proxy.example", "proxy.url,http://proxy.example/path",
			"proxy.url,http://proxy.example?q", "proxy.url,http:///", "proxy.username,me", "proxy.password,secret" })
	void namesTheInvalidProperty(String name, String value) {
		String property = "sandbox.gateway." + name;
		assertThatExceptionOfType(InvalidSandboxPropertyException.class)
			.isThrownBy(() -> customize(Map.of(property, value)))
			.withMessageContaining("'" + property + "'")
			.withMessageNotContainingAny("secret", "se cret")
			.withNoCause()
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(property));
	}

	@ParameterizedTest
	@CsvSource({ "'',secret,username", "a:b,secret,username", ",secret,password", "me,'secret\n',password" })
	void namesTheInvalidPartOfTheProxysUser(String username, String password, String part) {
		Map<String, String> properties = new HashMap<>(Map.of("sandbox.gateway.proxy.url", "http://proxy.example:3128",
				"sandbox.gateway.proxy.password", password));
		if (username != null) {
			properties.put("sandbox.gateway.proxy.username", username);
		}
		assertThatExceptionOfType(InvalidSandboxPropertyException.class).isThrownBy(() -> customize(properties))
			.withMessageNotContaining("secret")
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("sandbox.gateway.proxy." + part));
	}

	@Test
	void textOfThePropertiesHasNoSecret() {
		SandboxGatewayProperties properties = bind(SandboxGatewayProperties.class, "sandbox.gateway",
				Map.of("sandbox.gateway.proxy.url", "http://me:secret1@proxy.example", "sandbox.gateway.proxy.password",
						"secret2"));
		assertThat(properties.toString()).contains("proxy.example").doesNotContain("secret");
	}

	@Test
	void registersTheBundlesThatRulesName() {
		this.bundles.registerBundle("one", SslBundle.systemDefault());
		this.bundles.registerBundle("two", SslBundle.systemDefault());
		this.bundles.registerBundle("unused", SslBundle.systemDefault());
		customize(Map.of("sandbox.network.allow[0].ssl-bundle", "one", "sandbox.network.allow[1].ssl-bundle", "two",
				"sandbox.network.allow[2].ssl-bundle", "one", "sandbox.network.allow[3].ssl-bundle", "",
				"sandbox.gateway.ssl-bundle", "one"));
		ArgumentCaptor<SSLContext> contexts = ArgumentCaptor.forClass(SSLContext.class);
		then(this.builder).should(times(2)).tls(eq("one"), contexts.capture());
		then(this.builder).should().tls(contexts.capture());
		assertThat(contexts.getAllValues()).as("one context for a bundle").containsOnly(contexts.getValue());
		then(this.builder).should().tls(eq("two"), any());
		then(this.builder).should().limits(any());
		then(this.builder).shouldHaveNoMoreInteractions();
	}

	@Test
	void namesTheBundleThatIsNotThereAndThoseThatAre() {
		this.bundles.registerBundle("two", SslBundle.systemDefault());
		this.bundles.registerBundle("one", SslBundle.systemDefault());
		assertThatExceptionOfType(InvalidSandboxPropertyException.class)
			.isThrownBy(() -> customize(
					Map.of("sandbox.network.allow[0].ssl-bundle", "one", "sandbox.network.allow[1].ssl-bundle", "tow")))
			.withMessageContainingAll("'tow'", "[one, two]", "'spring.ssl.bundle'")
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("sandbox.network.allow[1].ssl-bundle"));
	}

	@Test
	void namesTheBundleThatCannotBeUsed() {
		SslBundle broken = mock(SslBundle.class);
		given(broken.createSslContext()).willThrow(new IllegalStateException("no such file"));
		this.bundles.registerBundle("broken", broken);
		assertThatExceptionOfType(InvalidSandboxPropertyException.class)
			.isThrownBy(() -> customize(Map.of("sandbox.gateway.ssl-bundle", "broken")))
			.withMessageContainingAll("'broken'", "no such file")
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("sandbox.gateway.ssl-bundle"));
	}

	@Test
	void saysThatThereAreNoBundles() {
		assertThatExceptionOfType(InvalidSandboxPropertyException.class)
			.isThrownBy(() -> new SslBundleContexts(null).get("sandbox.gateway.ssl-bundle", "one"))
			.withMessageContaining("'SslBundles'");
	}

	@Test
	void followsAReloadedBundle(CapturedOutput output) {
		this.bundles.registerBundle("one", SslBundle.systemDefault());
		SSLContext context = new SslBundleContexts(this.bundles).get("sandbox.gateway.ssl-bundle", "one");
		assertThat(context.getDefaultSSLParameters().getProtocols()).contains("TLSv1.3");
		SslBundle updated = mock(SslBundle.class);
		given(updated.createSslContext()).willReturn(SslBundle.systemDefault().createSslContext());
		given(updated.getOptions()).willReturn(SslOptions.of(null, new String[] { "TLSv1.2" }));
		this.bundles.updateBundle("one", updated);
		assertThat(context.getDefaultSSLParameters().getProtocols()).containsExactly("TLSv1.2");
		assertThat(output).contains("uses the reloaded SSL bundle 'one'");
	}

	@Test
	void keepsTheOldBundleIfTheReloadedOneCannotBeUsed(CapturedOutput output) {
		this.bundles.registerBundle("one", SslBundle.systemDefault());
		SSLContext context = new SslBundleContexts(this.bundles).get("sandbox.gateway.ssl-bundle", "one");
		SslBundle broken = mock(SslBundle.class);
		given(broken.createSslContext()).willThrow(new IllegalStateException("no such file"));
		this.bundles.updateBundle("one", broken);
		assertThat(context.getDefaultSSLParameters().getProtocols()).contains("TLSv1.3");
		assertThat(output).contains("keeps the old SSL bundle 'one'");
	}

	private void customize(Map<String, String> properties) {
		new PropertiesGatewayCustomizer(bind(SandboxGatewayProperties.class, "sandbox.gateway", properties),
				bind(SandboxNetworkProperties.class, "sandbox.network", properties),
				new SslBundleContexts(this.bundles))
			.customize(this.builder);
	}

	private static <T> T bind(Class<T> type, String prefix, Map<String, String> properties) {
		return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate(prefix, type);
	}

}
