package io.sandbox4j.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import io.sandbox4j.CredentialSource;
import io.sandbox4j.CredentialUnavailableException;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.autoconfigure.SandboxNetworkProperties.CredentialHeader;
import io.sandbox4j.autoconfigure.SandboxNetworkProperties.Rule;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.lease.CredentialBrokers;
import io.sandbox4j.lease.LeasedCredentials;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * What the properties grant to leases. The gateway knows the sources of these rules under
 * names of their own, which stand for the lease's grant: a rule of any other policy that
 * names the source itself is another matter.
 */
final class GrantedRules implements SandboxGatewayCustomizer {

	static final String ALLOW = "sandbox.credentials.gateway.allow";

	private static final String PREFIX = "lease.";

	private final List<Rule> declared;

	private final Map<String, CredentialSource> sources;

	private final SslBundleContexts contexts;

	private final LeasedCredentials granted = LeasedCredentials.of((use) -> {
		throw new CredentialUnavailableException("No rule names this source.", null);
	});

	GrantedRules(SandboxCredentialsProperties properties, Map<String, CredentialSource> sources,
			SslBundleContexts contexts) {
		this.declared = properties.gateway().allow();
		this.sources = new TreeMap<>(sources);
		this.contexts = contexts;
		for (int i = 0; i < this.declared.size(); i++) {
			requireRevocable(ALLOW + "[" + i + "]", this.declared.get(i));
		}
	}

	private static void requireRevocable(String element, Rule rule) {
		if (!rule.headers().isEmpty()) {
			throw new InvalidSandboxPropertyException(element + ".headers",
					"A fixed header cannot be taken back. Name a source below 'credentials'.");
		}
		if (rule.credentials().isEmpty()) {
			throw new InvalidSandboxPropertyException(element + ".credentials",
					"It must name a header and a source. Origins that need none belong to 'sandbox.network.allow'.");
		}
	}

	@Override
	public void customize(SandboxGateway.Builder builder) {
		for (int i = 0; i < this.declared.size(); i++) {
			Rule rule = this.declared.get(i);
			String bundle = rule.sslBundle();
			if (StringUtils.hasText(bundle)) {
				builder.tls(bundle, this.contexts.get(ALLOW + "[" + i + "].ssl-bundle", bundle));
			}
			for (CredentialHeader credential : rule.credentials()) {
				CredentialSource source = this.sources.get(String.valueOf(credential.source()));
				if (source != null) {
					builder.credentialSource(PREFIX + credential.source(), this.granted.and(source));
				}
			}
		}
	}

	/**
	 * Lets the broker of the gateway grant the rules.
	 * @param builder the brokers
	 * @param gateway the gateway, if there is one
	 * @param network the policy that leases have unless they name another, if it is known
	 */
	void grant(CredentialBrokers.Builder builder, @Nullable SandboxGateway gateway, @Nullable NetworkPolicy network) {
		if (this.declared.isEmpty()) {
			return;
		}
		if (gateway == null) {
			throw new InvalidSandboxPropertyException(ALLOW, "It needs a bean of type 'SandboxGateway'.");
		}
		List<OriginRule> others = (network instanceof NetworkPolicy.AllowList list) ? list.rules() : List.of();
		List<OriginRule> rules = new NetworkDeclarations(gateway, ALLOW, this::known).rules(this.declared, others);
		builder.gateway(this.granted, (request) -> rules);
	}

	private String known(String source) {
		if (!this.sources.containsKey(source)) {
			throw new InvalidSandboxPropertyException(ALLOW, "There is no bean of type 'CredentialSource' named '"
					+ source + "', only " + new TreeSet<>(this.sources.keySet()) + ".");
		}
		return PREFIX + source;
	}

}
