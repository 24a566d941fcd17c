package io.sandbox4j.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxException;
import io.sandbox4j.autoconfigure.SandboxNetworkProperties.CredentialHeader;
import io.sandbox4j.autoconfigure.SandboxNetworkProperties.Mode;
import io.sandbox4j.autoconfigure.SandboxNetworkProperties.Rule;
import io.sandbox4j.gateway.SandboxGateway;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * Turns {@code sandbox.network} into a policy, and lists of origins elsewhere into rules.
 * What the contract refuses is told under the name of the property, and never with a
 * value that may be secret.
 */
final class NetworkDeclarations {

	static final String ALLOW = "sandbox.network.allow";

	private static final String MODE = "sandbox.network.mode";

	/**
	 * What the contract's messages start with.
	 */
	private static final Pattern MESSAGE = Pattern.compile("'network\\.allow(?:\\.([a-z.-]+))?' (?:of \\S+ )?(.*)");

	private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{[^}]*}");

	private final SandboxGateway gateway;

	private final String property;

	private final UnaryOperator<String> sources;

	NetworkDeclarations(SandboxGateway gateway) {
		this(gateway, ALLOW, UnaryOperator.identity());
	}

	/**
	 * Creates declarations of another property.
	 * @param gateway the gateway that the rules are for
	 * @param property the property that lists the origins
	 * @param sources gives the name under which the gateway knows a source
	 */
	NetworkDeclarations(SandboxGateway gateway, String property, UnaryOperator<String> sources) {
		this.gateway = gateway;
		this.property = property;
		this.sources = sources;
	}

	NetworkPolicy read(SandboxNetworkProperties declared) {
		List<Rule> allow = declared.allow();
		Mode mode = declared.mode();
		if (mode == null) {
			mode = (allow.isEmpty()) ? Mode.DENY_ALL : Mode.ALLOW_LIST;
		}
		if (mode != Mode.ALLOW_LIST && !allow.isEmpty()) {
			throw new InvalidSandboxPropertyException(MODE,
					"'" + ALLOW + "' lists origins, which only the mode 'allow-list' has. Leave one of the two out.");
		}
		return switch (mode) {
			case DENY_ALL -> NetworkPolicy.denyAll();
			case ALLOW_ALL -> NetworkPolicy.allowAll();
			case ALLOW_LIST -> NetworkPolicy.allow(rules(allow, List.of()).toArray(OriginRule[]::new));
		};
	}

	/**
	 * Adds the rules of registries for installs. What says that there is no network is
	 * not overruled by them.
	 * @param declared what is declared
	 * @param mode the mode, if it is declared
	 * @param rules the rules of the registries
	 * @return the policy
	 */
	NetworkPolicy withRegistries(NetworkPolicy declared, @Nullable Mode mode, List<OriginRule> rules) {
		if (rules.isEmpty() || declared instanceof NetworkPolicy.AllowAll) {
			return declared;
		}
		if (mode == Mode.DENY_ALL) {
			throw new InvalidSandboxPropertyException(SandboxInstallAutoConfiguration.REGISTRIES,
					"'" + MODE + "' is 'deny-all', which reaches no registry. Leave one of the two out.");
		}
		List<OriginRule> all = new ArrayList<>(rules);
		if (declared instanceof NetworkPolicy.AllowList list) {
			all.addAll(list.rules());
		}
		return check(SandboxInstallAutoConfiguration.REGISTRIES, () -> validated(all));
	}

	/**
	 * Turns origins into rules.
	 * @param allow the origins
	 * @param others rules that stand in the same policy, before these
	 * @return the rules of the origins
	 */
	List<OriginRule> rules(List<Rule> allow, List<OriginRule> others) {
		List<OriginRule> rules = new ArrayList<>(others);
		for (int i = 0; i < allow.size(); i++) {
			String element = this.property + "[" + i + "]";
			rules.add(rule(element, allow.get(i)));
			// After each, so that the one which does not go with those before is named.
			check(element, () -> validated(rules));
		}
		return List.copyOf(rules.subList(others.size(), rules.size()));
	}

	private NetworkPolicy validated(List<OriginRule> rules) {
		NetworkPolicy policy = NetworkPolicy.allow(rules.toArray(OriginRule[]::new));
		this.gateway.validate(policy);
		return policy;
	}

	private OriginRule rule(String property, Rule declared) {
		OriginRule.Builder builder = builder(property + ".origin", declared.origin());
		declared.headers().forEach((name, value) -> {
			requireResolved(property + ".headers", name, value);
			check(property, () -> builder.header(name, value));
		});
		credentials(builder, property, declared);
		String[] methods = named(property + ".methods", "method", declared.methods());
		check(property, () -> builder.methods(methods));
		String[] prefixes = named(property + ".path-prefixes", "path", declared.pathPrefixes());
		check(property, () -> builder.pathPrefixes(prefixes));
		check(property, () -> builder.requestHeaders(declared.requestHeaders().toArray(String[]::new)));
		check(property, () -> builder.responseHeaders(declared.responseHeaders().toArray(String[]::new)));
		declared.environment().forEach((name, value) -> {
			requireResolved(property + ".environment", name, value);
			check(property, () -> builder.environment(name, value));
		});
		bounds(builder, property, declared);
		builder.allowPrivate(declared.allowPrivate());
		builder.allowPlaintext(declared.allowPlaintext());
		builder.redact(declared.redact());
		builder.tls(StringUtils.hasText(declared.sslBundle()) ? declared.sslBundle() : null);
		return check(property, builder::build);
	}

	private static OriginRule.Builder builder(String property, @Nullable String origin) {
		if (origin == null || origin.isBlank()) {
			throw new InvalidSandboxPropertyException(property,
					"It must be set to a scheme, a host and a port, as in 'https://api.example.com'.");
		}
		if (origin.indexOf('*') >= 0) {
			throw new InvalidSandboxPropertyException(property,
					"There are no wildcards. List each origin, as in 'https://api.example.com'.");
		}
		return check(property, () -> OriginRule.builder(origin));
	}

	private void credentials(OriginRule.Builder builder, String property, Rule declared) {
		for (int i = 0; i < declared.credentials().size(); i++) {
			CredentialHeader credential = declared.credentials().get(i);
			String element = property + ".credentials[" + i + "]";
			String header = requireText(element + ".header", credential.header());
			String source = this.sources.apply(requireText(element + ".source", credential.source()));
			requireResolved(element + ".prefix", header, credential.prefix());
			check(element, () -> builder.credential(header, source, credential.prefix()));
			// By itself, so that a source which is not there is named with its number.
			check(element, () -> validated(List
				.of(OriginRule.builder("https://localhost").credential(header, source, credential.prefix()).build())));
		}
	}

	private static void bounds(OriginRule.Builder builder, String property, Rule declared) {
		DataSize request = declared.maxRequestBody();
		if (request != null) {
			check(property, () -> builder.maxRequestBytes(request.toBytes()));
		}
		DataSize response = declared.maxResponseBody();
		if (response != null) {
			check(property, () -> builder.maxResponseBytes(response.toBytes()));
		}
		Duration timeout = declared.timeout();
		if (timeout != null) {
			check(property, () -> builder.timeout(timeout));
		}
		check(property, () -> builder.requestsPerMinute(declared.requestsPerMinute()));
	}

	private static String requireText(String property, @Nullable String value) {
		if (value == null || value.isBlank()) {
			throw new InvalidSandboxPropertyException(property, "It must be set.");
		}
		return value;
	}

	// No name means all of them, so an empty variable must not come to nothing.
	private static String[] named(String property, String kind, @Nullable Collection<String> names) {
		if (names == null) {
			return new String[0];
		}
		if (names.isEmpty()) {
			throw new InvalidSandboxPropertyException(property,
					"It lists nothing. Name one, or leave it out to allow every " + kind + ".");
		}
		return names.toArray(String[]::new);
	}

	private static void requireResolved(String property, String name, String value) {
		if (PLACEHOLDER.matcher(value).find()) {
			throw new InvalidSandboxPropertyException(property,
					"What stands for '" + name + "' has a placeholder that nothing resolves. Set what it names.");
		}
	}

	private static <T> T check(String property, Supplier<T> step) {
		try {
			return step.get();
		}
		catch (SandboxException ex) {
			String text = String.valueOf(ex.getMessage());
			Matcher message = MESSAGE.matcher(text);
			if (!message.matches()) {
				throw new InvalidSandboxPropertyException(property, text, ex);
			}
			throw new InvalidSandboxPropertyException(locate(property, message.group(1)), "It " + message.group(2), ex);
		}
	}

	/**
	 * Completes the name of a property.
	 * @param property the property, or the element that it belongs to
	 * @param part what the message names of a rule; {@code null} if it is the origin
	 * @return the property's name
	 */
	private static String locate(String property, @Nullable String part) {
		if (!property.endsWith("]")) {
			return property;
		}
		String[] parts = (part != null) ? part.split("\\.") : new String[] { "origin" };
		return property + "." + (property.contains(".credentials[") ? parts[parts.length - 1] : parts[0]);
	}

}
