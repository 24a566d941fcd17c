package io.sandbox4j.lease;

import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxException;

/**
 * A lease's policy together with the rules that were granted to it.
 */
final class GrantedPolicy {

	private GrantedPolicy() {
	}

	static NetworkPolicy of(NetworkPolicy policy, List<OriginRule> rules) {
		if (rules.isEmpty()) {
			return policy;
		}
		if (policy instanceof NetworkPolicy.AllowAll) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'network' of the lease allows everything past the gateway, which then adds no credentials. "
							+ "Deny all, or allow origins.");
		}
		List<OriginRule> all = new ArrayList<>(rules);
		if (policy instanceof NetworkPolicy.AllowList list) {
			all.addAll(0, list.rules());
		}
		return new NetworkPolicy.AllowList(all);
	}

}
