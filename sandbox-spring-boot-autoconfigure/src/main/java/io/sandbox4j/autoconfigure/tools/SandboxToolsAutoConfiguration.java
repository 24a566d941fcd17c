package io.sandbox4j.autoconfigure.tools;

import java.util.ArrayList;
import java.util.List;

import io.micrometer.observation.ObservationRegistry;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.autoconfigure.InvalidSandboxPropertyException;
import io.sandbox4j.autoconfigure.SandboxAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxGatewayAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxTemplates;
import io.sandbox4j.tools.ArtifactStore;
import io.sandbox4j.tools.FileArtifactStore;
import io.sandbox4j.tools.PathAuthorization;
import io.sandbox4j.tools.ToolApprovals;
import io.sandbox4j.tools.ToolApprovalsBuilder;
import io.sandbox4j.tools.ToolAuthorization;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Scope;
import org.springframework.util.StringUtils;

/**
 * Auto-configuration for the coding tools in Spring AI.
 * <p>
 * A {@link ToolAuthorization} bean decides of each call. Without one all that the
 * properties offer is allowed, inside the sandbox, which is the boundary. A
 * {@link ToolApprovals} bean is asked for what is allowed so far.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class })
@ConditionalOnClass(ToolCallback.class)
@ConditionalOnBooleanProperty(name = { "sandbox.enabled", "sandbox.tools.enabled" }, matchIfMissing = true)
@ConditionalOnBean(SandboxBackend.class)
@EnableConfigurationProperties(SandboxToolsProperties.class)
public final class SandboxToolsAutoConfiguration {

	private static final String EMPTY_TEMPLATE = "sandbox-tools-empty";

	SandboxToolsAutoConfiguration() {
	}

	@Bean
	CodingToolsFactory sandboxCodingToolsFactory(SandboxToolsProperties properties,
			ObjectProvider<ToolAuthorization> authorization, ObjectProvider<ToolApprovals> approvals,
			ObjectProvider<PathAuthorization> paths, ObjectProvider<ArtifactStore> artifacts,
			ObjectProvider<CodingToolsCustomizer> customizers) {
		PropertiesApprovalsCustomizer.requireValid(properties.approvals());
		PropertiesToolsCustomizer own = new PropertiesToolsCustomizer(properties);
		List<CodingToolsCustomizer> all = new ArrayList<>();
		all.add(own);
		artifacts.ifAvailable((store) -> all.add((builder) -> builder.artifacts(store)));
		all.addAll(customizers.orderedStream().toList());
		return new CodingToolsFactory(authorization(authorization, approvals.getIfAvailable()),
				own.paths().and(paths.getIfAvailable(() -> (path) -> true)), all);
	}

	// Approvals are authorizations themselves, and are asked for what the others allow:
	// nobody is asked in vain.
	private static ToolAuthorization authorization(ObjectProvider<ToolAuthorization> beans,
			@Nullable ToolApprovals approvals) {
		List<ToolAuthorization> others = beans.stream().filter((bean) -> !(bean instanceof ToolApprovals)).toList();
		ToolAuthorization first = switch (others.size()) {
			case 0 -> (request) -> true;
			case 1 -> others.get(0);
			// The primary one, or a failure that names them.
			default -> beans.getObject();
		};
		return (approvals != null && first != approvals) ? first.and(approvals) : first;
	}

	@Bean
	ToolCallOwners sandboxToolCallOwners(ObjectProvider<ToolCallOwnerResolver> resolver) {
		return new ToolCallOwners(resolver.getIfAvailable(() -> (key, context) -> key));
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnProperty("sandbox.tools.outputs.directory")
	@ConditionalOnMissingBean(ArtifactStore.class)
	FileArtifactStore sandboxToolOutputs(SandboxToolsProperties properties) {
		return OutputStores.open(properties.outputs());
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean(ToolSandboxes.class)
	LeasedToolSandboxes toolSandboxes(SandboxBackend backend, SandboxTemplates templates, NetworkPolicy network,
			SandboxToolsProperties properties, CodingToolsFactory factory, ToolCallOwners owners) {
		return new LeasedToolSandboxes(backend, template(backend, templates, properties), network, factory::build,
				owners, new LeasedToolSandboxes.Bounds(properties.maxSandboxes(), properties.idleTimeout()));
	}

	private static PreparedTemplate template(SandboxBackend backend, SandboxTemplates templates,
			SandboxToolsProperties properties) {
		String name = properties.template();
		if (!StringUtils.hasText(name)) {
			return backend.prewarm(SandboxTemplate.named(EMPTY_TEMPLATE).build());
		}
		if (!templates.names().contains(name)) {
			throw new InvalidSandboxPropertyException("sandbox.tools.template", "There is no such template, only "
					+ templates.names() + ". Declare it below 'sandbox.templates' or as a 'SandboxTemplate' bean.");
		}
		return templates.get(name);
	}

	@Bean
	@ConditionalOnMissingBean
	SandboxToolCallbackProvider sandboxToolCallbackProvider(CodingToolsFactory factory, ToolSandboxes sandboxes,
			ToolCallOwners owners, ObjectProvider<SandboxKeyResolver> resolvers,
			ObjectProvider<ObservationRegistry> observations) {
		List<SandboxKeyResolver> all = new ArrayList<>(resolvers.orderedStream().toList());
		all.add(new ContextKeyResolver());
		ObservationRegistry registry = observations.getIfAvailable(() -> ObservationRegistry.NOOP);
		return new SandboxToolCallbackProvider(factory.describe()
			.stream()
			.map((tool) -> new SandboxToolCallback(tool, sandboxes, all, owners, registry))
			.toList());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ChatClient.class)
	static class Agents {

		// As with 'ChatClient.Builder', each one who asks gets another.
		@Bean
		@Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
		@ConditionalOnMissingBean
		ChatClientAgent.Builder sandboxChatClientAgentBuilder(CodingToolsFactory factory, ToolCallOwners owners,
				ObjectProvider<ObservationRegistry> observations) {
			return ChatClientAgent.builder(factory, owners,
					observations.getIfAvailable(() -> ObservationRegistry.NOOP));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty("sandbox.tools.approvals.enabled")
	@ConditionalOnMissingBean(ToolApprovals.class)
	static class Approvals {

		// Whoever injects the application's own 'ToolAuthorization' means that one.
		@Bean(destroyMethod = "close")
		@Fallback
		ToolApprovals sandboxToolApprovals(SandboxToolsProperties properties, ToolCallOwners owners,
				ObjectProvider<ToolApprovalsCustomizer> customizers) {
			ToolApprovalsBuilder builder = ToolApprovals.builder(owners);
			new PropertiesApprovalsCustomizer(properties.approvals()).customize(builder);
			customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
			return builder.build();
		}

		@Bean
		ApprovalsShutdown sandboxToolApprovalsShutdown(ApplicationContext context, ToolApprovals approvals) {
			return new ApprovalsShutdown(context, approvals);
		}

	}

}
