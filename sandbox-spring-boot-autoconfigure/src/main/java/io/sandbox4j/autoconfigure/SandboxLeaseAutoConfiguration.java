package io.sandbox4j.autoconfigure;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.sandbox4j.CredentialSource;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.lease.CredentialBroker;
import io.sandbox4j.lease.CredentialBrokers;
import io.sandbox4j.lease.SandboxLeases;
import io.sandbox4j.lease.SandboxLeasesBuilder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration for leases, which are sandboxes by key, and for the credentials that
 * they get.
 * <p>
 * {@link CredentialBroker} beans are known to specifications by their ids.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = { "sandbox.enabled", "sandbox.lease.enabled" }, matchIfMissing = true)
@ConditionalOnBean(SandboxBackend.class)
@EnableConfigurationProperties({ SandboxLeaseProperties.class, SandboxCredentialsProperties.class })
public final class SandboxLeaseAutoConfiguration {

	private static final String JOURNAL = "sandbox.lease.journal.directory";

	private static final String EMPTY_TEMPLATE = "sandbox-lease-empty";

	private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

	private static final Logger logger = LoggerFactory.getLogger(SandboxLeaseAutoConfiguration.class);

	SandboxLeaseAutoConfiguration() {
	}

	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	GrantedRules sandboxGrantedRules(SandboxCredentialsProperties properties,
			ObjectProvider<Map<String, CredentialSource>> sources, ObjectProvider<SslBundles> sslBundles) {
		return new GrantedRules(properties, sources.getIfAvailable(Map::of),
				new SslBundleContexts(sslBundles.getIfAvailable()));
	}

	@Bean
	@ConditionalOnMissingBean
	CredentialBrokers sandboxCredentialBrokers(SandboxCredentialsProperties properties, GrantedRules rules,
			Environment environment, ObjectProvider<SandboxGateway> gateway, ObjectProvider<NetworkPolicy> network,
			ObjectProvider<CredentialBroker> brokers) {
		CredentialBrokers.Builder builder = CredentialBrokers.builder()
			.environment(values(properties, environment), properties.environment());
		rules.grant(builder, gateway.getIfAvailable(), network.getIfUnique());
		brokers.orderedStream().forEach(builder::broker);
		return builder.build();
	}

	private static Map<String, String> values(SandboxCredentialsProperties properties, Environment environment) {
		Map<String, String> values = new HashMap<>();
		for (String name : properties.environment()) {
			if (!VARIABLE.matcher(name).matches()) {
				throw new InvalidSandboxPropertyException("sandbox.credentials.environment",
						"It must have names of variables: letters, digits and '_', and no digit first.");
			}
			String value = environment.getProperty(name);
			if (value != null) {
				values.put(name, value);
			}
			else {
				logger.warn("'sandbox.credentials.environment' names '{}', which the environment does not have", name);
			}
		}
		return values;
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	SandboxLeases sandboxLeases(SandboxBackend backend, CredentialBrokers brokers, SandboxLeaseProperties lease,
			SandboxCredentialsProperties credentials, SandboxProperties properties,
			ObjectProvider<SandboxLeasesCustomizer> customizers) {
		if (!brokers.ids().contains(credentials.broker())) {
			throw new InvalidSandboxPropertyException("sandbox.credentials.broker", "There is no such broker, only "
					+ brokers.ids() + ". Declare a 'CredentialBroker' bean with that id.");
		}
		SandboxLeasesBuilder builder = SandboxLeases.builder(backend).brokers(brokers);
		new PropertiesLeasesCustomizer(lease, (directory) -> journal(directory, backend, properties))
			.customize(builder);
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		return build(builder);
	}

	// Told under the name of the property, so that the failure analysis knows what to do.
	private static SandboxLeases build(SandboxLeasesBuilder builder) {
		try {
			return builder.build();
		}
		catch (SandboxException ex) {
			String message = String.valueOf(ex.getMessage());
			if (message.startsWith("'" + JOURNAL + "' ")) {
				throw new InvalidSandboxPropertyException(JOURNAL, message, ex);
			}
			throw ex;
		}
	}

	private static Path journal(@Nullable Path directory, SandboxBackend backend, SandboxProperties properties) {
		return StateDirectories.find(JOURNAL, directory, "leases", backend, properties);
	}

	@Bean
	@ConditionalOnMissingBean
	LeaseSpecs sandboxLeaseSpecs(SandboxBackend backend, SandboxTemplates templates, SandboxLeaseProperties lease,
			SandboxCredentialsProperties credentials, ObjectProvider<NetworkPolicy> network) {
		PropertiesLeasesCustomizer.requireValid(lease);
		return new LeaseSpecs(template(backend, templates, lease.template()), (builder) -> {
			NetworkPolicy policy = network.getIfUnique();
			if (policy != null) {
				builder.network(policy);
			}
			return PropertiesLeasesCustomizer.apply(lease, builder).broker(credentials.broker());
		});
	}

	// An empty one is prepared when it is needed: not every application has leases.
	private static Supplier<PreparedTemplate> template(SandboxBackend backend, SandboxTemplates templates,
			@Nullable String name) {
		if (!StringUtils.hasText(name)) {
			return SingletonSupplier.of(() -> backend.prewarm(SandboxTemplate.named(EMPTY_TEMPLATE).build()));
		}
		if (!templates.names().contains(name)) {
			throw new InvalidSandboxPropertyException("sandbox.lease.template", "There is no such template, only "
					+ templates.names() + ". Declare it below 'sandbox.templates' or as a 'SandboxTemplate' bean.");
		}
		PreparedTemplate template = templates.get(name);
		return () -> template;
	}

}
