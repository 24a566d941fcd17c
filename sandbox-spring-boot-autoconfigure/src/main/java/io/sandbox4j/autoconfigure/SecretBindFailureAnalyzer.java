package io.sandbox4j.autoconfigure;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Analyzes what cannot be bound of properties that can hold secrets. It comes before
 * Spring Boot's own {@link FailureAnalyzer failure analyzers}, which print the values.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class SecretBindFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final Set<ConfigurationPropertyName> SECRET = Set.of(ConfigurationPropertyName.of("sandbox.network"),
			ConfigurationPropertyName.of("sandbox.credentials"), ConfigurationPropertyName.of("sandbox.gateway.proxy"));

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		if (!isSecret(cause.getName())) {
			return null;
		}
		for (Throwable reason = cause; reason != null; reason = reason.getCause()) {
			if (reason instanceof UnboundConfigurationPropertiesException unbound) {
				return analyze(unbound);
			}
		}
		ConfigurationProperty property = cause.getProperty();
		String name = (property != null) ? describe(property) : "The property '" + cause.getName() + "'";
		return analysis(name + " cannot be read as " + kind(cause) + ".",
				"Correct its value, which is not shown as it can be secret.");
	}

	private static FailureAnalysis analyze(UnboundConfigurationPropertiesException cause) {
		String description = cause.getUnboundProperties()
			.stream()
			.map((property) -> describe(property) + " is not known.")
			.collect(Collectors.joining(System.lineSeparator()));
		return analysis(description, "Correct the name, or number the elements of the list without a gap: a "
				+ "restriction that is not read would be none.");
	}

	// The cause is logged, with the values that its own causes quote: so not the cause.
	private static FailureAnalysis analysis(String description, String action) {
		return new FailureAnalysis(description, action + " See docs/gateway.md.",
				new SandboxException(ErrorCode.SANDBOX_INVALID, description));
	}

	static boolean isSecret(ConfigurationPropertyName name) {
		return SECRET.stream().anyMatch((secret) -> secret.equals(name) || secret.isAncestorOf(name));
	}

	private static String describe(ConfigurationProperty property) {
		String description = "The property '" + property.getName() + "'";
		return (property.getOrigin() != null) ? description + " (from " + property.getOrigin() + ")" : description;
	}

	private static String kind(BindException cause) {
		Class<?> type = cause.getTarget().getType().resolve(Object.class);
		Object[] constants = type.getEnumConstants();
		return (constants != null) ? "one of " + Arrays.stream(constants)
			.map((constant) -> constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
			.collect(Collectors.joining(", ")) : type.getSimpleName();
	}

}
