package io.sandbox4j.tools;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What {@link ToolApprovals} hold, for how long, and who answers. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class ToolApprovalsBuilder {

	private static final Duration MAX_TIMEOUT = Duration.ofDays(1);

	final Supplier<String> owner;

	Predicate<ToolRequest> held = ToolRequest::hasEffect;

	ToolAuthorization others = (request) -> false;

	BiPredicate<PendingApproval, String> approvers = (call, principal) -> principal.equals(call.owner());

	Duration timeout = Duration.ofMinutes(5);

	int maxPending = 16;

	ApprovalListener listener = new ApprovalListener() {
	};

	ToolApprovalsBuilder(Supplier<String> owner) {
		this.owner = Objects.requireNonNull(owner, "'owner' must not be null");
	}

	/**
	 * Sets which calls wait for a person.
	 * @param held the calls; by default those with an effect
	 * @return this builder
	 */
	public ToolApprovalsBuilder hold(Predicate<ToolRequest> held) {
		this.held = Objects.requireNonNull(held, "'held' must not be null");
		return this;
	}

	/**
	 * Sets what decides of the calls that are not held. It is not asked for the others:
	 * combine the approvals by {@link ToolAuthorization#and} with what must hold for
	 * every call.
	 * @param others the decision; by default they are refused
	 * @return this builder
	 */
	public ToolApprovalsBuilder others(ToolAuthorization others) {
		this.others = Objects.requireNonNull(others, "'others' must not be null");
		return this;
	}

	/**
	 * Sets who may answer a call.
	 * @param approvers takes the call and a principal; by default its owner only
	 * @return this builder
	 */
	public ToolApprovalsBuilder approvers(BiPredicate<PendingApproval, String> approvers) {
		this.approvers = Objects.requireNonNull(approvers, "'approvers' must not be null");
		return this;
	}

	/**
	 * Sets how long a call waits.
	 * @param timeout the time, up to a day; 5 minutes by default
	 * @return this builder
	 */
	public ToolApprovalsBuilder timeout(Duration timeout) {
		if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(MAX_TIMEOUT) > 0) {
			throw new IllegalArgumentException("'timeout' must be positive and at most " + MAX_TIMEOUT);
		}
		this.timeout = timeout;
		return this;
	}

	/**
	 * Sets how many calls wait at once; further ones are refused as busy.
	 * @param maxPending the number, at least 1; 16 by default
	 * @return this builder
	 */
	public ToolApprovalsBuilder maxPending(int maxPending) {
		if (maxPending < 1) {
			throw new IllegalArgumentException("'maxPending' must be at least 1");
		}
		this.maxPending = maxPending;
		return this;
	}

	/**
	 * Sets who is told of calls that wait.
	 * @param listener the listener
	 * @return this builder
	 */
	public ToolApprovalsBuilder listener(ApprovalListener listener) {
		this.listener = Objects.requireNonNull(listener, "'listener' must not be null");
		return this;
	}

	/**
	 * Builds the approvals.
	 * @return the approvals
	 */
	public ToolApprovals build() {
		return new ToolApprovals(this);
	}

}
