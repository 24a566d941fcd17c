package io.sandbox4j.autoconfigure;

import java.util.List;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.git.WorkspaceTransportBuilder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for {@link WorkspaceTransports}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = { "sandbox.enabled", "sandbox.workspace.enabled" }, matchIfMissing = true)
@ConditionalOnBean(SandboxBackend.class)
@EnableConfigurationProperties(SandboxWorkspaceProperties.class)
public final class SandboxWorkspaceAutoConfiguration {

	private static final String PREFIX = "sandbox.workspace.";

	SandboxWorkspaceAutoConfiguration() {
	}

	// The backend is built with its listeners, of which this is one: it is asked for
	// later.
	@Bean
	@ConditionalOnMissingBean
	WorkspaceTransports sandboxWorkspaceTransports(SandboxWorkspaceProperties workspace, SandboxProperties properties,
			ObjectProvider<SandboxBackend> backend) {
		requireValid(workspace);
		requireSetup(workspace);
		String[] include = workspace.include().toArray(String[]::new);
		ExecSpec[] setup = workspace.setup()
			.stream()
			.map((command) -> ExecSpec.shell(command).withTimeout(workspace.setupTimeout()))
			.toArray(ExecSpec[]::new);
		return new WorkspaceTransports(backend::getObject,
				() -> StateDirectories.find(PREFIX + "directory", workspace.directory(), "workspaces",
						backend.getObject(), properties),
				workspace.directory() == null, (builder) -> apply(workspace, builder).include(include).setup(setup));
	}

	private static WorkspaceTransportBuilder apply(SandboxWorkspaceProperties workspace,
			WorkspaceTransportBuilder builder) {
		return builder.maxSeed(workspace.maxSeed().toBytes())
			.maxTransfer(workspace.maxTransfer().toBytes())
			.timeout(workspace.timeout())
			.gitLockPatience(workspace.gitLockPatience());
	}

	private static void requireValid(SandboxWorkspaceProperties workspace) {
		if (workspace.directory() != null) {
			PropertiesBackendCustomizer.absolute(PREFIX + "directory", workspace.directory());
		}
		require(workspace.maxSeed().toBytes() >= 1, "max-seed", "It must be at least 1 byte.");
		require(workspace.maxTransfer().toBytes() >= 1, "max-transfer", "It must be at least 1 byte.");
		require(!workspace.timeout().isNegative() && !workspace.timeout().isZero(), "timeout",
				"It must be more than 0.");
		require(!workspace.gitLockPatience().isNegative(), "git-lock-patience", "It must not be negative.");
		for (int i = 0; i < workspace.include().size(); i++) {
			String path = workspace.include().get(i);
			require(!path.isBlank() && !path.startsWith("/") && path.indexOf('\0') < 0
					&& !List.of(path.split("/")).contains(".."), "include[" + i + "]",
					"It must be a path relative to the top of the tree, without '..'.");
		}
	}

	private static void requireSetup(SandboxWorkspaceProperties workspace) {
		require(!workspace.setupTimeout().isNegative() && !workspace.setupTimeout().isZero(), "setup-timeout",
				"It must be more than 0.");
		for (int i = 0; i < workspace.setup().size(); i++) {
			require(!workspace.setup().get(i).isBlank(), "setup[" + i + "]", "It must be a shell command.");
		}
	}

	private static void require(boolean condition, String name, String reason) {
		if (!condition) {
			throw new InvalidSandboxPropertyException(PREFIX + name, reason);
		}
	}

}
