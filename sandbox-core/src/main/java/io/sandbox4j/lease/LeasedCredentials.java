package io.sandbox4j.lease;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.sandbox4j.Credential;
import io.sandbox4j.CredentialSource;
import io.sandbox4j.CredentialUnavailableException;
import io.sandbox4j.OriginRule;
import org.jspecify.annotations.Nullable;

/**
 * Credentials that the gateway adds to requests of leases, and of nobody else. Register
 * it with the gateway under the name that the rules use; it asks the real source for
 * sessions that have a grant, and refuses the others. So the guest never holds the
 * credential, and a revoked grant is worth nothing from that moment on. Thread-safe.
 *
 * @since 0.1.0
 */
public final class LeasedCredentials implements CredentialSource {

	private final CredentialSource source;

	private final Set<String> sessions;

	private LeasedCredentials(CredentialSource source, Set<String> sessions) {
		this.source = source;
		this.sessions = sessions;
	}

	/**
	 * Makes credentials of a source available to leases alone.
	 * @param source where they come from
	 * @return the source to register with the gateway
	 */
	public static LeasedCredentials of(CredentialSource source) {
		return new LeasedCredentials(Objects.requireNonNull(source, "'source' must not be null"),
				ConcurrentHashMap.newKeySet());
	}

	/**
	 * Makes credentials of another source available to the same leases, for rules that
	 * use several. What is granted and revoked for one counts for both.
	 * @param other where they come from
	 * @return the source to register with the gateway, under a name of its own
	 */
	public LeasedCredentials and(CredentialSource other) {
		return new LeasedCredentials(Objects.requireNonNull(other, "'other' must not be null"), this.sessions);
	}

	@Override
	public Credential get(Use use) {
		if (!this.sessions.contains(use.sessionId())) {
			throw new CredentialUnavailableException(
					"Session " + use.sessionId() + " has no grant for this credential, or no longer.", null);
		}
		return this.source.get(use);
	}

	@Override
	public boolean refused(Use use, Credential refused, int status, @Nullable Duration retryAfter) {
		return this.sessions.contains(use.sessionId()) && this.source.refused(use, refused, status, retryAfter);
	}

	/**
	 * Says how many sessions have a grant, and nothing of the source.
	 */
	@Override
	public String toString() {
		return "LeasedCredentials[sessions=" + this.sessions.size() + "]";
	}

	/**
	 * Grants rules whose credentials come from here.
	 */
	static final class Broker implements CredentialBroker {

		private final LeasedCredentials credentials;

		private final Function<GrantRequest, List<OriginRule>> rules;

		Broker(LeasedCredentials credentials, Function<GrantRequest, List<OriginRule>> rules) {
			this.credentials = credentials;
			this.rules = rules;
		}

		@Override
		public String id() {
			return CredentialBrokers.GATEWAY;
		}

		@Override
		public CredentialGrant issue(GrantRequest request) {
			return new Grant(this.credentials.sessions, List.copyOf(this.rules.apply(request)));
		}

	}

	/**
	 * The rules of one lease.
	 */
	private static final class Grant implements CredentialGrant {

		private final Set<String> sessions;

		private final List<OriginRule> rules;

		private final String description;

		private @Nullable String session;

		private boolean revoked;

		Grant(Set<String> sessions, List<OriginRule> rules) {
			this.sessions = sessions;
			this.rules = rules;
			this.description = StaticBroker.describe(CredentialBrokers.GATEWAY, "origins",
					rules.stream().map((rule) -> rule.origin().toString()).toList(), null);
		}

		@Override
		public Map<String, String> environment() {
			return Map.of();
		}

		@Override
		public synchronized List<OriginRule> rules() {
			return this.revoked ? List.of() : this.rules;
		}

		@Override
		public synchronized void bind(String sessionId) {
			if (!this.revoked) {
				this.session = sessionId;
				this.sessions.add(sessionId);
			}
		}

		@Override
		public String describe() {
			return this.description;
		}

		@Override
		public synchronized void revoke() {
			this.revoked = true;
			if (this.session != null) {
				this.sessions.remove(this.session);
			}
		}

		@Override
		public String toString() {
			return this.description;
		}

	}

}
