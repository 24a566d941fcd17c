package io.sandbox4j.autoconfigure.tools;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.sandbox4j.autoconfigure.InvalidSandboxPropertyException;
import io.sandbox4j.autoconfigure.tools.SandboxToolsProperties.Limits;
import io.sandbox4j.tools.CodingTools;
import io.sandbox4j.tools.PathAuthorization;
import io.sandbox4j.tools.ToolLimits;

import org.springframework.util.unit.DataSize;

/**
 * Applies the properties to the builder. Values are checked here as well, and once,
 * because only here it is known which property they came from.
 */
final class PropertiesToolsCustomizer implements CodingToolsCustomizer {

	private static final String PREFIX = "sandbox.tools.";

	private final SandboxToolsProperties properties;

	private final ToolLimits limits;

	private final ToolPolicyProperties policy;

	PropertiesToolsCustomizer(SandboxToolsProperties properties) {
		this.properties = properties;
		this.limits = limits(properties.limits());
		this.policy = ToolPolicyProperties.of(properties);
		properties.executables().forEach(PropertiesToolsCustomizer::requireExecutable);
		Set<String> excluded = properties.excludedDirectories();
		require(excluded == null || excluded.stream().noneMatch((name) -> name.isBlank() || name.indexOf('/') >= 0),
				"excluded-directories", "It must have names of directories, without '/'.");
		require(isPositive(properties.idleTimeout()), "idle-timeout", "It must be more than 0.");
		require(properties.maxSandboxes() >= 1, "max-sandboxes", "It must be at least 1.");
	}

	private static void requireExecutable(String alias, String path) {
		String property = "executables." + alias;
		require(!alias.isBlank() && !alias.toLowerCase(Locale.ROOT).equals("shell"), property,
				"Its name must not be 'shell'. Give it another name, or set 'sandbox.tools.shell'.");
		require(path.startsWith("/"), property,
				"It must be the program's absolute path inside the sandbox, such as '/usr/bin/python3'.");
	}

	private static ToolLimits limits(Limits limits) {
		require(isPositive(limits.commandTimeout()), "limits.command-timeout", "It must be more than 0.");
		require(isPositive(limits.backgroundTimeout()), "limits.background-timeout", "It must be more than 0.");
		return new ToolLimits(bytes("path-size", limits.pathSize()), bytes("read-size", limits.readSize()),
				bytes("write-size", limits.writeSize()), positive("command-arguments", limits.commandArguments()),
				bytes("command-argument-size", limits.commandArgumentSize()), bytes("output-size", limits.outputSize()),
				bytes("artifact-size", limits.artifactSize()), positive("list-entries", limits.listEntries()),
				positive("search-results", limits.searchResults()), positive("search-files", limits.searchFiles()),
				positive("search-depth", limits.searchDepth()), limits.commandTimeout(), limits.backgroundTimeout());
	}

	private static int bytes(String name, DataSize size) {
		require(size.toBytes() > 0 && size.toBytes() <= Integer.MAX_VALUE, "limits." + name,
				"It must be at least 1 byte and less than 2 GB.");
		return (int) size.toBytes();
	}

	private static int positive(String name, int value) {
		require(value > 0, "limits." + name, "It must be at least 1.");
		return value;
	}

	private static boolean isPositive(Duration value) {
		return !value.isNegative() && !value.isZero();
	}

	private static void require(boolean condition, String name, String reason) {
		if (!condition) {
			throw new InvalidSandboxPropertyException(PREFIX + name, reason);
		}
	}

	PathAuthorization paths() {
		return this.policy.paths();
	}

	@Override
	public void customize(CodingTools.Builder builder) {
		for (Map.Entry<String, String> executable : this.properties.executables().entrySet()) {
			builder.executable(executable.getKey(), executable.getValue());
		}
		builder.shell(this.properties.shell()).limits(this.limits);
		this.policy.apply(builder);
		if (this.properties.excludedDirectories() != null) {
			builder.excludeDirectories(this.properties.excludedDirectories());
		}
		if (this.properties.requiredRestrictions() != null) {
			builder.requireRestrictions(this.properties.requiredRestrictions());
		}
	}

}
