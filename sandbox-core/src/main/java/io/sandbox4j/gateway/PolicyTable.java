package io.sandbox4j.gateway;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.sandbox4j.Authority;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import org.jspecify.annotations.Nullable;

/**
 * A policy, arranged so that the rule of a request is found by its canonical authority:
 * equal or not, no pattern, no suffix.
 */
final class PolicyTable {

	private final @Nullable Refusal refusal;

	private final Map<Authority, OriginRule> rules = new HashMap<>();

	private final Set<String> hosts = new HashSet<>();

	private PolicyTable(@Nullable Refusal refusal, List<OriginRule> rules) {
		this.refusal = refusal;
		for (OriginRule rule : rules) {
			String host = rule.origin().host();
			this.hosts.add(host);
			this.rules.put(rule.origin().authority(), rule);
			this.rules.put(new Authority(host, rule.origin().port()), rule);
		}
	}

	static PolicyTable of(NetworkPolicy policy) {
		if (policy instanceof NetworkPolicy.AllowAll) {
			return new PolicyTable(Refusal.NETWORK_IS_DIRECT, List.of());
		}
		if (policy instanceof NetworkPolicy.AllowList list && !list.rules().isEmpty()) {
			return new PolicyTable(null, list.rules());
		}
		return new PolicyTable(Refusal.DENIED_BY_POLICY, List.of());
	}

	/**
	 * Finds the rule of a request. An origin over https is served to a guest that writes
	 * http: a client of a proxy cannot ask otherwise, and the host speaks TLS all the
	 * same. An origin over http is not served to one that writes https.
	 * @param target the request's target
	 * @return the rule
	 * @throws RefusedException if there is none
	 */
	OriginRule find(RequestTarget target) throws RefusedException {
		Refusal all = this.refusal;
		if (all != null) {
			throw new RefusedException(all, "The policy lists no origin.");
		}
		Authority authority = target.authority();
		OriginRule rule = this.rules.get(authority);
		if (rule == null) {
			// The host is the operator's own word, so it may be told from an unknown one.
			throw new RefusedException(
					this.hosts.contains(authority.host()) ? Refusal.SCHEME_NOT_ALLOWED : Refusal.ORIGIN_NOT_LISTED,
					"A guest asked for what is not listed.");
		}
		if ("https".equals(target.scheme()) && !rule.origin().secure()) {
			throw new RefusedException(Refusal.SCHEME_NOT_ALLOWED, "A guest asked for https at " + rule.origin() + ".");
		}
		return rule;
	}

	/**
	 * Holds a request to its rule's methods and paths.
	 * @param rule the rule
	 * @param method the method
	 * @param target the target
	 * @throws RefusedException if the rule does not allow it
	 */
	static void check(OriginRule rule, String method, RequestTarget target) throws RefusedException {
		boolean known = rule.methods().isEmpty() || rule.methods().contains(method);
		// TRACE would echo the credential (RFC 9110 section 9.3.8).
		if (!known || method.equals("TRACE")) {
			throw new RefusedException(Refusal.METHOD_NOT_ALLOWED,
					"A guest used another method at " + rule.origin() + ".");
		}
		if (rule.pathPrefixes().isEmpty() || rule.pathPrefixes().contains("/")) {
			return;
		}
		if (target.hasEncodedSlash()) {
			throw new RefusedException(Refusal.BAD_TARGET, "A path has an encoded slash or percent sign.");
		}
		if (rule.pathPrefixes().stream().noneMatch((prefix) -> isBelow(target.path(), prefix))) {
			throw new RefusedException(Refusal.PATH_NOT_ALLOWED, "A guest used another path at " + rule.origin() + ".");
		}
	}

	private static boolean isBelow(String path, String prefix) {
		return path.startsWith(prefix)
				&& (prefix.endsWith("/") || path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
	}

}
