package io.sandbox4j.install;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.Origin;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxException;

/**
 * The registries that installs may reach, as rules of a network policy: their origins
 * alone, to read from, with the variables that lead each manager there through the
 * gateway. Nothing else is opened. Immutable.
 * <p>
 * A manager asks for {@code http://} and the gateway speaks TLS, so a registry must serve
 * metadata whose links lead back to itself without naming {@code https://}. npm's and
 * Go's do, and Maven Central; PyPI and crates.io need a mirror that does.
 *
 * @since 0.1.0
 */
public final class InstallRegistries {

	private static final Pattern URL = Pattern
		.compile("(https?://[^/?#@\\s]+)((?:/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)*)/?");

	private final Map<Ecosystem, Registry> registries;

	private InstallRegistries(Map<Ecosystem, Registry> registries) {
		this.registries = new EnumMap<>(registries);
	}

	/**
	 * Returns the public registries that work without a mirror: npm, Maven Central and
	 * Go's proxy.
	 * @return the registries
	 */
	public static InstallRegistries defaults() {
		return builder().registry(Ecosystem.JAVASCRIPT, "https://registry.npmjs.org")
			.registry(Ecosystem.MAVEN, "https://repo.maven.apache.org/maven2")
			.registry(Ecosystem.GO, "https://proxy.golang.org")
			.build();
	}

	/**
	 * Starts with no registry.
	 * @return a builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns the rules, one for each origin, to be put beside the others of a policy.
	 * @return the rules
	 */
	public List<OriginRule> rules() {
		Map<String, List<Ecosystem>> origins = new LinkedHashMap<>();
		this.registries.forEach((ecosystem, registry) -> origins
			.computeIfAbsent(registry.origin().toString(), (origin) -> new ArrayList<>())
			.add(ecosystem));
		List<OriginRule> rules = new ArrayList<>();
		origins.forEach((origin, ecosystems) -> rules.add(rule(origin, ecosystems)));
		return List.copyOf(rules);
	}

	/**
	 * Returns a policy that allows the registries and nothing else.
	 * @return the policy
	 */
	public NetworkPolicy policy() {
		return NetworkPolicy.allow(rules().toArray(new OriginRule[0]));
	}

	private OriginRule rule(String origin, List<Ecosystem> ecosystems) {
		OriginRule.Builder rule = OriginRule.builder(origin).methods("GET", "HEAD").maxResponseBytes(1L << 30);
		rule.timeout(Duration.ofMinutes(10));
		for (Ecosystem ecosystem : ecosystems) {
			Registry registry = Objects.requireNonNull(this.registries.get(ecosystem));
			variables(ecosystem, registry).forEach(rule::environment);
			rule = registry.customizer().apply(rule);
		}
		return rule.build();
	}

	private static Map<String, String> variables(Ecosystem ecosystem, Registry registry) {
		String url = registry.guestUrl();
		String host = registry.origin().host();
		return switch (ecosystem) {
			case JAVASCRIPT -> Map.of("npm_config_registry", url + "/", "pnpm_config_registry", url + "/",
					"COREPACK_NPM_REGISTRY", url, "YARN_REGISTRY", url + "/", "YARN_NPM_REGISTRY_SERVER", url,
					"YARN_UNSAFE_HTTP_WHITELIST", host, "BUN_CONFIG_REGISTRY", url + "/");
			case PYTHON -> Map.of("PIP_INDEX_URL", url + "/", "PIP_TRUSTED_HOST", host, "UV_DEFAULT_INDEX", url + "/",
					"UV_INSECURE_HOST", host);
			case MAVEN -> Map.of("SANDBOX_MAVEN_MIRROR", url);
			case CARGO -> Map.of("SANDBOX_CARGO_REGISTRY", "sparse+" + url + "/");
			case GO -> Map.of("GOPROXY", url);
		};
	}

	/**
	 * A registry.
	 *
	 * @param origin where it is
	 * @param path its path, without a final slash
	 * @param customizer what else its rule has
	 */
	private record Registry(Origin origin, String path, UnaryOperator<OriginRule.Builder> customizer) {

		String guestUrl() {
			return "http://" + this.origin.authority() + this.path;
		}

	}

	/**
	 * Builds registries. Not thread-safe.
	 */
	public static final class Builder {

		private final Map<Ecosystem, Registry> registries = new EnumMap<>(Ecosystem.class);

		private Builder() {
		}

		/**
		 * Sets the registry of an ecosystem, in place of an earlier one.
		 * @param ecosystem the ecosystem
		 * @param url its URL, with a path if it has one: that of the index for Python
		 * ({@code https://mirror.example/simple}), of the sparse index for Cargo
		 * @return this builder
		 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if it is no URL of a
		 * registry
		 */
		public Builder registry(Ecosystem ecosystem, String url) {
			return registry(ecosystem, url, (rule) -> rule);
		}

		/**
		 * Sets the registry of an ecosystem and what else its rule has, such as a
		 * credential. Registries of one origin share a rule.
		 * @param ecosystem the ecosystem
		 * @param url its URL
		 * @param customizer changes the rule
		 * @return this builder
		 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if it is no URL of a
		 * registry
		 */
		public Builder registry(Ecosystem ecosystem, String url, UnaryOperator<OriginRule.Builder> customizer) {
			Matcher parts = URL.matcher(url);
			if (!parts.matches()) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID, "The registry of " + ecosystem
						+ " must be an http or https URL without user, query and fragment.");
			}
			this.registries.put(ecosystem, new Registry(Origin.parse(parts.group(1)), parts.group(2), customizer));
			return this;
		}

		/**
		 * Builds the registries.
		 * @return the registries
		 */
		public InstallRegistries build() {
			return new InstallRegistries(this.registries);
		}

	}

}
