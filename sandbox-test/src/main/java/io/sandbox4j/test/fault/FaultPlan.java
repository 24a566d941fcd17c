package io.sandbox4j.test.fault;

import java.util.List;

/**
 * What a {@link FaultProviderServer} does with its calls, one after the other. The last
 * step serves all that follow.
 *
 * @param steps the steps, at least one
 * @since 0.1.0
 */
public record FaultPlan(List<FaultStep> steps) {

	/**
	 * Creates a plan.
	 * @param steps the steps; they are copied
	 * @throws IllegalArgumentException if there are none
	 */
	public FaultPlan {
		steps = List.copyOf(steps);
		if (steps.isEmpty()) {
			throw new IllegalArgumentException("'steps' must not be empty");
		}
	}

	/**
	 * Returns a plan.
	 * @param steps the steps, at least one
	 * @return the plan
	 */
	public static FaultPlan of(FaultStep... steps) {
		return new FaultPlan(List.of(steps));
	}

	/**
	 * Returns the step of a call.
	 * @param call the call's number, counted from 1
	 * @return the step
	 */
	public FaultStep step(int call) {
		if (call < 1) {
			throw new IllegalArgumentException("'call' must be positive");
		}
		return this.steps.get(Math.min(call, this.steps.size()) - 1);
	}

}
