package io.sandbox4j.autoconfigure.metrics;

import java.util.Objects;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sandbox4j.tools.ToolApprovals;

/**
 * Gauge of the calls of tools that wait for a person.
 *
 * @since 0.1.0
 */
public final class ToolApprovalsMetrics implements MeterBinder {

	private final ToolApprovals approvals;

	/**
	 * Creates the binder.
	 * @param approvals the approvals
	 */
	public ToolApprovalsMetrics(ToolApprovals approvals) {
		this.approvals = Objects.requireNonNull(approvals, "'approvals' must not be null");
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("sandbox.tools.approvals.pending", this.approvals, (approvals) -> approvals.pending().size())
			.description("Calls of tools that wait for a person")
			.baseUnit("calls")
			.register(registry);
	}

}
