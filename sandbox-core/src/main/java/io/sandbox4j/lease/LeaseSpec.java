package io.sandbox4j.lease;

import java.time.Duration;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * What a lease is made from if its key has none yet. Whoever finds the lease gets it as
 * it was made: the specification that made it holds until it ends. Immutable.
 *
 * @since 0.1.0
 */
public final class LeaseSpec {

	static final Duration LONGEST = Duration.ofDays(3650);

	private final LeaseKey key;

	private final String templateKey;

	private final NetworkPolicy network;

	private final Duration lifetime;

	private final Duration maxLifetime;

	private final @Nullable Duration idleTimeout;

	private final Consumer<SandboxLease> setup;

	private final String broker;

	private final @Nullable Set<String> environmentNames;

	private LeaseSpec(Builder builder, NetworkPolicy network) {
		this.key = builder.key;
		this.templateKey = builder.templateKey;
		this.network = network;
		this.lifetime = builder.lifetime;
		this.maxLifetime = builder.maxLifetime;
		this.idleTimeout = builder.idleTimeout;
		this.setup = builder.setup;
		this.broker = builder.broker;
		this.environmentNames = builder.environmentNames;
	}

	/**
	 * Starts a specification.
	 * @param key what the lease is found by
	 * @param template what its workspace starts with
	 * @return a builder
	 */
	public static Builder builder(LeaseKey key, PreparedTemplate template) {
		return new Builder(key, template.key());
	}

	/**
	 * Returns the key.
	 * @return the key
	 */
	public LeaseKey key() {
		return this.key;
	}

	/**
	 * Returns the template's key.
	 * @return the key
	 */
	public String templateKey() {
		return this.templateKey;
	}

	/**
	 * Returns the network policy, without what a grant adds.
	 * @return the policy
	 */
	public NetworkPolicy network() {
		return this.network;
	}

	/**
	 * Returns how long the lease lives after it was made or renewed.
	 * @return the time
	 */
	public Duration lifetime() {
		return this.lifetime;
	}

	/**
	 * Returns how long the lease lives at most, however often it is renewed.
	 * @return the time
	 */
	public Duration maxLifetime() {
		return this.maxLifetime;
	}

	/**
	 * Returns after which time without use the sandbox is stopped.
	 * @return the time, or {@code null} for never
	 */
	public @Nullable Duration idleTimeout() {
		return this.idleTimeout;
	}

	Consumer<SandboxLease> setup() {
		return this.setup;
	}

	/**
	 * Returns who issues the credentials.
	 * @return the broker's id
	 */
	public String broker() {
		return this.broker;
	}

	/**
	 * Returns which variables the broker may give at most.
	 * @return the names, or {@code null} if the broker alone decides
	 */
	public @Nullable Set<String> environmentNames() {
		return this.environmentNames;
	}

	/**
	 * Names the key, the broker and the bounds only.
	 */
	@Override
	public String toString() {
		return "LeaseSpec[key=" + this.key + ", broker=" + this.broker + ", lifetime=" + this.lifetime
				+ ", maxLifetime=" + this.maxLifetime + ", idleTimeout=" + this.idleTimeout + "]";
	}

	/**
	 * Builds a specification. Not thread-safe.
	 */
	public static final class Builder {

		private final LeaseKey key;

		private final String templateKey;

		private @Nullable NetworkPolicy network;

		private Duration lifetime = Duration.ofHours(1);

		private Duration maxLifetime = Duration.ofHours(6);

		private @Nullable Duration idleTimeout;

		private Consumer<SandboxLease> setup = (lease) -> {
		};

		private String broker = CredentialBrokers.STATIC;

		private @Nullable Set<String> environmentNames;

		private Builder(LeaseKey key, String templateKey) {
			this.key = Objects.requireNonNull(key, "'key' must not be null");
			this.templateKey = templateKey;
		}

		/**
		 * Sets the network policy, which also every new attachment gets.
		 * @param network the policy
		 * @return this builder
		 */
		public Builder network(NetworkPolicy network) {
			this.network = Objects.requireNonNull(network, "'network' must not be null");
			return this;
		}

		/**
		 * Sets how long the lease lives after it was made or renewed. Each use renews it.
		 * @param lifetime the time, an hour unless set
		 * @return this builder
		 */
		public Builder lifetime(Duration lifetime) {
			this.lifetime = positive("lifetime", lifetime);
			return this;
		}

		/**
		 * Sets how long the lease lives at most, however often it is renewed.
		 * @param maxLifetime the time, 6 hours unless set; not less than the lifetime
		 * @return this builder
		 */
		public Builder maxLifetime(Duration maxLifetime) {
			this.maxLifetime = positive("max-lifetime", maxLifetime);
			return this;
		}

		/**
		 * Sets after which time without use the sandbox is stopped. Its files stay for
		 * the next use.
		 * @param idleTimeout the time; never unless set
		 * @return this builder
		 */
		public Builder idleTimeout(Duration idleTimeout) {
			this.idleTimeout = positive("idle-timeout", idleTimeout);
			return this;
		}

		/**
		 * Sets what is done once, before anybody gets the new sandbox. If it throws there
		 * is no lease.
		 * @param setup the work; it may not open this lease
		 * @return this builder
		 */
		public Builder setup(Consumer<SandboxLease> setup) {
			this.setup = Objects.requireNonNull(setup, "'setup' must not be null");
			return this;
		}

		/**
		 * Sets who issues the credentials.
		 * @param broker the broker's id, exactly as it is registered; {@code static}
		 * unless set
		 * @return this builder
		 */
		public Builder broker(String broker) {
			this.broker = Objects.requireNonNull(broker, "'broker' must not be null");
			return this;
		}

		/**
		 * Narrows which variables the broker may give.
		 * @param names the names; none at all is a list that lets nothing through
		 * @return this builder
		 */
		public Builder environmentNames(Set<String> names) {
			this.environmentNames = Collections.unmodifiableSet(new TreeSet<>(names));
			return this;
		}

		/**
		 * Builds the specification.
		 * @return the specification
		 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} without a policy, or
		 * if the longest lifetime is less than the lifetime
		 */
		public LeaseSpec build() {
			if (this.network == null) {
				throw invalid("'network' of a lease must be set, for example NetworkPolicy.denyAll().");
			}
			if (this.maxLifetime.compareTo(this.lifetime) < 0) {
				throw invalid("'sandbox.lease.max-lifetime' (" + this.maxLifetime
						+ ") must not be less than 'sandbox.lease.lifetime' (" + this.lifetime + ").");
			}
			return new LeaseSpec(this, this.network);
		}

		private static Duration positive(String property, Duration value) {
			if (value.isZero() || value.isNegative() || value.compareTo(LONGEST) > 0) {
				throw invalid("'sandbox.lease." + property + "' must be more than zero and at most " + LONGEST.toDays()
						+ " days.");
			}
			return value;
		}

		private static SandboxException invalid(String message) {
			return new SandboxException(ErrorCode.SANDBOX_INVALID, message);
		}

	}

}
