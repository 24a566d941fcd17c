package io.sandbox4j.gateway;

import java.util.IdentityHashMap;
import java.util.Map;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;

/**
 * A session's policy, compiled, with what each of its rules counts in this session.
 *
 * @param table finds the rule of a request
 * @param rates the rate of each rule that bounds it
 */
record SessionPolicy(PolicyTable table, Map<OriginRule, RateLimit> rates) {

	static SessionPolicy of(NetworkPolicy policy) {
		Map<OriginRule, RateLimit> rates = new IdentityHashMap<>();
		if (policy instanceof NetworkPolicy.AllowList list) {
			list.rules()
				.stream()
				.filter((rule) -> rule.requestsPerMinute() > 0)
				.forEach((rule) -> rates.put(rule, new RateLimit(rule.requestsPerMinute(), System::nanoTime)));
		}
		return new SessionPolicy(PolicyTable.of(policy), rates);
	}

}
