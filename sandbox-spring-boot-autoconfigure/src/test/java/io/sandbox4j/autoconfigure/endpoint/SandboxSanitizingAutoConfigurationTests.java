package io.sandbox4j.autoconfigure.endpoint;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxSanitizingAutoConfiguration}.
 */
class SandboxSanitizingAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxSanitizingAutoConfiguration.class));

	@ParameterizedTest
	@CsvSource({ "sandbox.network.allow[0].headers.Authorization,Bearer x,true",
			"sandbox.network.allow[12].headers[X-Api.Key],x,true", "sandbox.network.allow[0].headers,x,true",
			"Sandbox.Network.Allow[0].Headers.A,x,true", "SANDBOX_NETWORK_ALLOW_0_HEADERS_AUTHORIZATION,x,true",
			"SANDBOX_NETWORK_ALLOW_0_HEADERS,x,true", "sandbox.gateway.proxy.password,x,true",
			"sandbox.gateway.proxy.username,x,true", "sandbox.credentials.gateway.allow[0].headers.A,x,true",
			"SANDBOX_CREDENTIALS_GATEWAY_ALLOW_0_HEADERS_A,x,true", "sandbox.credentials.broker,static,false",
			"sandbox.credentials.gateway.allow[0].credentials[0].source,x,false",
			"sandbox.gateway.proxy.url,http://x,true", "SANDBOX_GATEWAY_PROXY_PASSWORD,x,true",
			"SPRING_APPLICATION_JSON,'{\"sandbox\":{\"headers\"',true",
			"sun.java.command,app.jar --sandbox.gateway.proxy.password=x,true",
			"sandbox.network.allow[0].origin,https://x,false", "sandbox.network.allow[0].request-headers,x,false",
			"sandbox.network.allow[0].requestHeaders[0],x,false", "SANDBOX_NETWORK_ALLOW_0_REQUESTHEADERS,x,false",
			"sandbox.network.allow[0].response-headers,x,false",
			"sandbox.network.allow[0].credentials[0].source,x,false", "sandbox.network.mode,deny-all,false",
			"sandbox.gateway.proxy.resolve-names,true,false", "sandbox.name,bubblewrap,false",
			"other.headers.authorization,x,false", "sun.java.command,app.jar,false" })
	void hidesSecretsOnly(String key, String value, boolean hidden) {
		this.contextRunner.run((context) -> {
			SanitizableData data = new SanitizableData(null, key, value);
			assertThat(context.getBean(SanitizingFunction.class).apply(data).getValue())
				.isEqualTo((hidden) ? SanitizableData.SANITIZED_VALUE : value);
		});
	}

	@Test
	void holdsAlsoWhenSandboxesAreDisabled() {
		this.contextRunner.withPropertyValues("sandbox.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(SanitizingFunction.class));
	}

	@Test
	void standsBesideOtherFunctions() {
		this.contextRunner.withBean("mine", SanitizingFunction.class, SanitizingFunction::sanitizeValue)
			.run((context) -> assertThat(context.getBeansOfType(SanitizingFunction.class)).hasSize(2));
	}

	@Test
	void backsOff() {
		SanitizingFunction mine = (data) -> data;
		this.contextRunner.withBean("sandboxSanitizingFunction", SanitizingFunction.class, () -> mine)
			.run((context) -> assertThat(context.getBean(SanitizingFunction.class)).isSameAs(mine));
		this.contextRunner.withClassLoader(new FilteredClassLoader(SanitizingFunction.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("sandboxSanitizingFunction"));
	}

}
