package io.sandbox4j.lease;

import java.util.ArrayList;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of a lease's end, in order. Each runs whatever became of those before it.
 */
final class TeardownChain {

	static final String DELETE = "sandbox:delete";

	static final String STOP = "sandbox:stop";

	static final String REVOKE = "credentials:revoke";

	private static final Logger logger = LoggerFactory.getLogger(TeardownChain.class);

	private final List<Step> steps = new ArrayList<>();

	void add(String name, TeardownAction action) {
		this.steps.add(new Step(name, action));
	}

	void addAll(TeardownChain other) {
		this.steps.addAll(other.steps);
	}

	/**
	 * Runs the steps.
	 * @param key whose end it is
	 * @return the names of the steps that failed
	 */
	List<String> run(LeaseKey key) {
		List<String> failed = new ArrayList<>();
		for (Step step : this.steps) {
			try {
				step.action().run();
			}
			catch (Exception | Error ex) {
				failed.add(step.name());
				log(key, step.name(), ex);
				if (ex instanceof InterruptedException) {
					Thread.currentThread().interrupt();
				}
			}
		}
		return failed;
	}

	private static void log(LeaseKey key, String step, Throwable failure) {
		if (step.equals(REVOKE)) {
			// A broker's message may hold what it could not revoke.
			logger.error("Step '{}' of the end of lease '{}' failed ({})", step, key, failure.getClass().getName());
			return;
		}
		logger.error("Step '{}' of the end of lease '{}' failed", step, key, failure);
	}

	/**
	 * One step.
	 *
	 * @param name its name
	 * @param action what it does
	 */
	private record Step(String name, TeardownAction action) {

	}

}
