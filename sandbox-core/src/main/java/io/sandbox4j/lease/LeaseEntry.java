package io.sandbox4j.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxState;
import io.sandbox4j.lease.LeaseInfo.Phase;
import org.jspecify.annotations.Nullable;

/**
 * One lease. Its fields are read and written with the table's lock, or by the thread
 * whose transition it is.
 */
final class LeaseEntry {

	final LeaseKey key;

	final Instant created;

	private final long createdNanos;

	private final Duration maxLifetime;

	private Duration lifetime;

	Phase phase;

	@Nullable Transition transition;

	@Nullable LeaseSpec spec;

	@Nullable SandboxHandle handle;

	@Nullable SandboxState state;

	volatile @Nullable CredentialGrant grant;

	volatile @Nullable NetworkPolicy network;

	TeardownChain steps = new TeardownChain();

	int uses;

	long expires;

	long idleSince;

	boolean place;

	boolean endRequested;

	LeaseEntry(LeaseSpec spec, Instant created, long now) {
		this(spec.key(), Phase.CREATING, created, now, now, spec.lifetime(), spec.maxLifetime());
		this.spec = spec;
	}

	LeaseEntry(LeaseKey key, Phase phase, Instant created, long createdNanos, long now, Duration lifetime,
			Duration maxLifetime) {
		this.key = key;
		this.phase = phase;
		this.created = created;
		this.createdNanos = createdNanos;
		this.lifetime = lifetime;
		this.maxLifetime = maxLifetime;
		this.expires = createdNanos + maxLifetime.toNanos();
		this.idleSince = now;
	}

	/**
	 * Lets the lease live for its lifetime from now on, within its longest.
	 * @param now the time
	 * @throws SandboxException {@link ErrorCode#SANDBOX_LIMIT} if nothing of the longest
	 * is left; then nothing changes
	 */
	void renew(long now) {
		long remaining = this.createdNanos + this.maxLifetime.toNanos() - now;
		if (remaining <= 0) {
			throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "The lease cannot be renewed: it is as old as "
					+ "'sandbox.lease.max-lifetime' (" + this.maxLifetime + ") allows. End it and open a new one.");
		}
		this.expires = now + Math.min(this.lifetime.toNanos(), remaining);
	}

	void adopt(LeaseSpec spec) {
		this.spec = spec;
		this.lifetime = spec.lifetime();
	}

	Duration maxLifetime() {
		return this.maxLifetime;
	}

	boolean isExpired(long now) {
		return this.expires - now <= 0;
	}

	boolean isUnused() {
		return this.phase == Phase.LIVE && this.transition == null && this.uses == 0;
	}

	boolean runsCommands() {
		SandboxHandle running = this.handle;
		return running != null && running.session().admission().active() > 0;
	}

	Map<String, String> environment() {
		CredentialGrant issued = this.grant;
		return (issued != null) ? issued.environment() : Map.of();
	}

	/**
	 * Adds what was granted to a policy.
	 * @param policy the policy
	 * @return the policy with the grant's rules
	 */
	NetworkPolicy granted(NetworkPolicy policy) {
		CredentialGrant issued = this.grant;
		List<OriginRule> rules = (issued != null) ? issued.rules() : List.of();
		return GrantedPolicy.of(policy, rules);
	}

	LeaseInfo info(long now) {
		CredentialGrant issued = this.grant;
		SandboxState known = this.state;
		return new LeaseInfo(this.key, this.phase, (known != null) ? known.sessionId() : null, this.uses, this.created,
				Duration.ofNanos(Math.max(0, this.expires - now)),
				(issued != null) ? issued.describe() : "No credentials are issued.");
	}

}
