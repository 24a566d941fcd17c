package io.sandbox4j.run;

import java.util.EnumMap;
import java.util.Map;

/**
 * What runs in this application, and what it has settled.
 *
 * @param sandboxes how many durable sandboxes run
 * @param turns how many turns run
 * @param maxTurns how many may at once
 * @param done how many turns were settled with an answer since the start
 * @param unanswered how many were settled without one, for each reason
 * @since 0.1.0
 */
public record RunStatus(int sandboxes, int turns, int maxTurns, long done, Map<UnansweredReason, Long> unanswered) {

	/**
	 * Creates a status.
	 */
	public RunStatus {
		Map<UnansweredReason, Long> all = new EnumMap<>(UnansweredReason.class);
		for (UnansweredReason reason : UnansweredReason.values()) {
			all.put(reason, unanswered.getOrDefault(reason, 0L));
		}
		unanswered = Map.copyOf(all);
	}

}
