package io.sandbox4j.lease;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxException;

/**
 * Who issues credentials, by id. Two are always there: {@value #STATIC}, which gives
 * environment variables, and {@value #GATEWAY}, which gives rules for the gateway and is
 * the better one, as no guest holds what it issues and a revocation works at once. Both
 * give nothing until they are told what. Immutable.
 *
 * @since 0.1.0
 */
public final class CredentialBrokers {

	/**
	 * The id of the broker that gives environment variables.
	 */
	public static final String STATIC = "static";

	/**
	 * The id of the broker that gives rules for the gateway.
	 */
	public static final String GATEWAY = "gateway";

	private static final Pattern ID = Pattern.compile("[a-z][a-z0-9-]{0,63}");

	private final SortedMap<String, CredentialBroker> brokers;

	private CredentialBrokers(SortedMap<String, CredentialBroker> brokers) {
		this.brokers = Collections.unmodifiableSortedMap(brokers);
	}

	/**
	 * Starts a registry.
	 * @return a builder that has both built-in brokers
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns the ids.
	 * @return the ids, sorted
	 */
	public Set<String> ids() {
		return this.brokers.keySet();
	}

	/**
	 * Returns a broker by its exact id.
	 * @param id the id
	 * @return the broker
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if there is none
	 */
	public CredentialBroker get(String id) {
		CredentialBroker broker = this.brokers.get(id);
		if (broker == null) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'sandbox.credentials.broker' is '"
					+ id.replaceAll("[^\\x20-\\x7e]", "?") + "', which is none of " + String.join(", ", ids()) + ".");
		}
		return broker;
	}

	/**
	 * Names the ids.
	 */
	@Override
	public String toString() {
		return "CredentialBrokers" + ids();
	}

	/**
	 * Builds a registry. Not thread-safe.
	 */
	public static final class Builder {

		private final SortedMap<String, CredentialBroker> brokers = new TreeMap<>();

		private Builder() {
			this.brokers.put(STATIC, new StaticBroker(Map.of(), Set.of()));
			this.brokers.put(GATEWAY, new LeasedCredentials.Broker(LeasedCredentials.of((use) -> {
				throw new IllegalStateException("There is no source");
			}), (request) -> List.of()));
		}

		/**
		 * Sets what {@value #STATIC} gives.
		 * @param values where values are taken from, copied now: often the environment of
		 * the application
		 * @param names which of them may be given; none lets nothing through
		 * @return this builder
		 */
		public Builder environment(Map<String, String> values, Set<String> names) {
			this.brokers.put(STATIC, new StaticBroker(values, Set.copyOf(names)));
			return this;
		}

		/**
		 * Sets what {@value #GATEWAY} gives.
		 * @param credentials what the gateway knows as a source
		 * @param rules the rules for a lease, which use that source
		 * @return this builder
		 */
		public Builder gateway(LeasedCredentials credentials, Function<GrantRequest, List<OriginRule>> rules) {
			this.brokers.put(GATEWAY,
					new LeasedCredentials.Broker(Objects.requireNonNull(credentials, "'credentials' must not be null"),
							Objects.requireNonNull(rules, "'rules' must not be null")));
			return this;
		}

		/**
		 * Adds a broker.
		 * @param broker the broker
		 * @return this builder
		 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if its id has
		 * another form, or is taken
		 */
		public Builder broker(CredentialBroker broker) {
			String id = broker.id();
			if (!ID.matcher(id).matches()) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID,
						"The id of a broker must be a lower-case letter, then up to 63 lower-case letters, digits "
								+ "and dashes.");
			}
			if (this.brokers.putIfAbsent(id, broker) != null) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID,
						"There is a broker '" + id + "' already. Give this one another id.");
			}
			return this;
		}

		/**
		 * Builds the registry.
		 * @return the registry
		 */
		public CredentialBrokers build() {
			return new CredentialBrokers(new TreeMap<>(this.brokers));
		}

	}

}
