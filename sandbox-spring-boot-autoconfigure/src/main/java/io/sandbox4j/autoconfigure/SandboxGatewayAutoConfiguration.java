package io.sandbox4j.autoconfigure;

import java.util.Map;

import io.sandbox4j.CredentialSource;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.install.InstallRegistries;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the gateway through which sandboxes reach listed origins, and
 * for the network policy that applications inject.
 * <p>
 * Beans of type {@link CredentialSource} are known to rules by their bean names.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = SandboxAutoConfiguration.class, after = SslAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "sandbox.enabled", matchIfMissing = true)
@EnableConfigurationProperties({ SandboxGatewayProperties.class, SandboxNetworkProperties.class })
public final class SandboxGatewayAutoConfiguration {

	SandboxGatewayAutoConfiguration() {
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	SandboxGateway sandboxGateway(SandboxGatewayProperties properties, SandboxNetworkProperties network,
			ObjectProvider<SslBundles> sslBundles, ObjectProvider<Map<String, CredentialSource>> sources,
			ObjectProvider<SandboxGatewayCustomizer> customizers) {
		SandboxGateway.Builder builder = SandboxGateway.builder();
		SslBundleContexts contexts = new SslBundleContexts(sslBundles.getIfAvailable());
		new PropertiesGatewayCustomizer(properties, network, contexts).customize(builder);
		sources.ifAvailable((beans) -> beans.forEach(builder::credentialSource));
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		return builder.build();
	}

	@Bean
	@ConditionalOnMissingBean
	NetworkPolicy sandboxNetworkPolicy(SandboxNetworkProperties properties, SandboxGateway gateway,
			ObjectProvider<InstallRegistries> registries) {
		NetworkDeclarations declarations = new NetworkDeclarations(gateway);
		NetworkPolicy declared = declarations.read(properties);
		InstallRegistries installs = registries.getIfUnique();
		return (installs != null) ? declarations.withRegistries(declared, properties.mode(), installs.rules())
				: declared;
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty(name = "sandbox.gateway.audit", matchIfMissing = true)
	SandboxAuditLog sandboxAuditLog() {
		return new SandboxAuditLog();
	}

}
