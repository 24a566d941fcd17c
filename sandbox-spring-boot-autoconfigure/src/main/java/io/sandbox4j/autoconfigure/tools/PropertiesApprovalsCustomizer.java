package io.sandbox4j.autoconfigure.tools;

import java.time.Duration;

import io.sandbox4j.autoconfigure.InvalidSandboxPropertyException;
import io.sandbox4j.autoconfigure.tools.SandboxToolsProperties.Approvals;
import io.sandbox4j.tools.ToolApprovalsBuilder;

/**
 * Applies the properties to the builder, and checks them where it is known which property
 * a value came from.
 */
final class PropertiesApprovalsCustomizer implements ToolApprovalsCustomizer {

	private static final String PREFIX = "sandbox.tools.approvals.";

	private static final Duration MAX_TIMEOUT = Duration.ofDays(1);

	private final Approvals properties;

	PropertiesApprovalsCustomizer(Approvals properties) {
		requireValid(properties);
		this.properties = properties;
	}

	// Also asked when approvals are off: a value that cannot work is no better then.
	static void requireValid(Approvals properties) {
		Duration timeout = properties.timeout();
		require(!timeout.isNegative() && !timeout.isZero() && timeout.compareTo(MAX_TIMEOUT) <= 0, "timeout",
				"It must be more than 0 and at most 1 day.");
		require(properties.maxPending() >= 1, "max-pending", "It must be at least 1.");
		// No kind would hold nothing, although approvals are wanted.
		require(!properties.requiredFor().isEmpty(), "required-for", "It must name a kind of call, such as 'effects'. "
				+ "To hold no call set 'sandbox.tools.approvals.enabled' to 'false'.");
	}

	private static void require(boolean condition, String name, String reason) {
		if (!condition) {
			throw new InvalidSandboxPropertyException(PREFIX + name, reason);
		}
	}

	@Override
	public void customize(ToolApprovalsBuilder builder) {
		builder.hold(new ApprovalKinds(this.properties.requiredFor()))
			.others((request) -> true)
			.timeout(this.properties.timeout())
			.maxPending(this.properties.maxPending());
	}

}
