package io.sandbox4j;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What commands may reach. Never stored: every attach supplies it again.
 *
 * @since 0.1.0
 */
public sealed interface NetworkPolicy {

	/**
	 * Returns the policy of a sandbox without network: its own loopback interface only.
	 * @return the policy
	 */
	static NetworkPolicy denyAll() {
		return new DenyAll();
	}

	/**
	 * Returns the policy of a sandbox in the host's network, where it can reach whatever
	 * the host can, local services and abstract sockets included.
	 * @return the policy
	 */
	static NetworkPolicy allowAll() {
		return new AllowAll();
	}

	/**
	 * Returns the policy of a sandbox that reaches listed origins through the gateway.
	 * @param rules the origins; none is the same as {@link #denyAll()}
	 * @return the policy
	 */
	static NetworkPolicy allow(OriginRule... rules) {
		return new AllowList(List.of(rules));
	}

	/**
	 * No network.
	 */
	record DenyAll() implements NetworkPolicy {

	}

	/**
	 * The host's network.
	 */
	record AllowAll() implements NetworkPolicy {

	}

	/**
	 * Listed origins through the gateway.
	 *
	 * @param rules the origins
	 */
	record AllowList(List<OriginRule> rules) implements NetworkPolicy {

		/**
		 * Refuses a host and port that stands twice, also under two schemes, and a
		 * variable that two rules give.
		 */
		public AllowList {
			rules = List.copyOf(rules);
			Set<Object> authorities = new HashSet<>();
			Map<String, Origin> variables = new HashMap<>();
			for (OriginRule rule : rules) {
				Origin origin = rule.origin();
				boolean fresh = authorities.add(origin.authority());
				if (!fresh | !authorities.add(List.of(origin.host(), origin.port()))) {
					throw invalid("network.allow", "names '" + origin.authority()
							+ "' twice. A host and port may stand once, with one scheme");
				}
				for (String name : rule.environment().keySet()) {
					if (variables.put(name, origin) != null) {
						throw invalid("network.allow.environment",
								"gives '" + name + "' in two rules, the second for " + origin);
					}
				}
			}
		}

		private static SandboxException invalid(String property, String what) {
			return new SandboxException(ErrorCode.SANDBOX_INVALID, "'" + property + "' " + what + ".");
		}

	}

}
