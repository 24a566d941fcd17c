package io.sandbox4j.autoconfigure;

import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Analyzes the failures to start that a host without working sandboxes or an invalid
 * property cause.
 */
class SandboxFailureAnalyzer extends AbstractFailureAnalyzer<SandboxException> {

	private final Environment environment;

	SandboxFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, SandboxException cause) {
		if (cause instanceof InvalidSandboxPropertyException invalid) {
			return new FailureAnalysis(describe(invalid),
					"Change the value of '%s'. %s".formatted(invalid.property(), see("configuration.md")), cause);
		}
		if (cause instanceof SandboxUnavailableException unavailable) {
			return analyze(unavailable);
		}
		String description = String.valueOf(cause.getMessage());
		return switch (cause.code()) {
			case SANDBOX_INVALID -> new FailureAnalysis(description,
					"Change the value that the description names. " + see("configuration.md"), cause);
			case SANDBOX_LIMIT -> new FailureAnalysis(description,
					"Make it smaller, or raise the limit: for a template 'sandbox.storage.max-template-size' or "
							+ "'sandbox.storage.max-template-files'. " + see("configuration.md"),
					cause);
			case SANDBOX_UNAVAILABLE -> new FailureAnalysis(description, Advice.OTHER.text(), cause);
			default -> null;
		};
	}

	private String describe(InvalidSandboxPropertyException invalid) {
		StringBuilder description = new StringBuilder("The property '" + invalid.property() + "'");
		ConfigurationProperty property = find(invalid.property());
		if (property != null) {
			// Inline text can be long, and is no help here; a secret must not be shown.
			if (!invalid.property().contains(".files[") && !SecretBindFailureAnalyzer.isSecret(property.getName())) {
				description.append(" with the value '").append(property.getValue()).append("'");
			}
			if (property.getOrigin() != null) {
				description.append(" (from ").append(property.getOrigin()).append(")");
			}
		}
		return description.append(" is invalid: ").append(invalid.reason()).toString();
	}

	private @Nullable ConfigurationProperty find(String name) {
		if (!ConfigurationPropertyName.isValid(name)) {
			return null;
		}
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			ConfigurationProperty property = source.getConfigurationProperty(ConfigurationPropertyName.of(name));
			if (property != null) {
				return property;
			}
		}
		return null;
	}

	private static FailureAnalysis analyze(SandboxUnavailableException cause) {
		String message = String.valueOf(cause.getMessage());
		int remedy = message.lastIndexOf(cause.remedy());
		String description = (remedy > 0) ? message.substring(0, remedy).strip() : message;
		return new FailureAnalysis(description, cause.remedy() + " " + Advice.of(cause.unavailable()).text(), cause);
	}

	private static String see(String page) {
		return "See docs/" + page + ".";
	}

	/**
	 * What Spring users can do about a cause, beside the remedy that the core names.
	 */
	enum Advice {

		NOT_LINUX("Not Linux",
				"Set 'sandbox.enabled' to 'false' to start without sandboxes, or declare a bean of the fake backend, "
						+ "'io.sandbox4j.test.FakeSandboxBackend' in 'io.sandbox4j:sandbox-test'. It isolates nothing: "
						+ "use it for development and tests only."),

		BWRAP_MISSING("bubblewrap is missing",
				"If it is installed elsewhere, set 'sandbox.executable' to its absolute path."),

		BWRAP_UNSAFE("bubblewrap is unsafe",
				"Or set 'sandbox.executable' to a program that is not setuid and that "
						+ "nobody but root or the application's user can write."),

		USER_NAMESPACES_DISABLED("User namespaces are switched off",
				"The sysctls are 'user.max_user_namespaces' and, on Debian, 'kernel.unprivileged_userns_clone'. No "
						+ "property replaces them."),

		APPARMOR_RESTRICTED("AppArmor restricts user namespaces",
				"The sysctl is 'kernel.apparmor_restrict_unprivileged_userns'. A profile for the program named by "
						+ "'sandbox.executable' that allows 'userns' lifts it for bubblewrap alone."),

		CONTAINER_RESTRICTED("Inside a container",
				"The container's seccomp and AppArmor profiles must allow namespaces and mounts. No property replaces "
						+ "them."),

		DIRECTORY_UNUSABLE("A directory cannot be used",
				"Set 'sandbox.state-directory' and 'sandbox.runtime-directory' to directories that the application's "
						+ "user can write and nobody else can."),

		RESTRICTION_NOT_HELD("A restriction does not hold",
				"Take a restriction out of 'sandbox.require' only if your commands may run without it."),

		OTHER("Other failures",
				"Check that the program named by 'sandbox.executable' runs as the application's user. Set "
						+ "'sandbox.enabled' to 'false' to start without sandboxes.");

		private final String section;

		private final String advice;

		Advice(String section, String advice) {
			this.section = section;
			this.advice = advice;
		}

		static Advice of(SandboxUnavailableException.Cause cause) {
			return switch (cause) {
				case NOT_LINUX -> NOT_LINUX;
				case BWRAP_MISSING -> BWRAP_MISSING;
				case BWRAP_UNSAFE -> BWRAP_UNSAFE;
				case USER_NAMESPACES_DISABLED -> USER_NAMESPACES_DISABLED;
				case APPARMOR_RESTRICTED -> APPARMOR_RESTRICTED;
				case CONTAINER_RESTRICTED -> CONTAINER_RESTRICTED;
				case DIRECTORY_UNUSABLE -> DIRECTORY_UNUSABLE;
				case RESTRICTION_NOT_HELD -> RESTRICTION_NOT_HELD;
				case OTHER -> OTHER;
			};
		}

		String section() {
			return this.section;
		}

		String text() {
			return this.advice + " See '" + this.section + "' in docs/troubleshooting.md.";
		}

	}

}
