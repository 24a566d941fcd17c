package io.sandbox4j;

import java.util.Objects;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What to create or attach to. The network policy is mandatory, also on every attach: it
 * is never stored.
 *
 * @since 0.1.0
 */
public final class SandboxRequest {

	private static final Pattern KEY = Pattern.compile("[0-9a-f]{64}");

	private final String templateKey;

	private final @Nullable SandboxState state;

	private final NetworkPolicy network;

	private SandboxRequest(String templateKey, @Nullable SandboxState state, NetworkPolicy network) {
		this.templateKey = templateKey;
		this.state = state;
		this.network = network;
	}

	/**
	 * Asks for a new session.
	 * @param template the template to copy
	 * @return a builder
	 */
	public static Builder from(PreparedTemplate template) {
		return from(template.key());
	}

	/**
	 * Asks for a new session.
	 * @param templateKey the key of the template to copy
	 * @return a builder
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if it is not 64
	 * hexadecimal digits
	 */
	public static Builder from(String templateKey) {
		if (!KEY.matcher(templateKey).matches()) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'templateKey' must be 64 lower-case hexadecimal digits, as 'prewarm' returned it.");
		}
		return new Builder(templateKey, null);
	}

	/**
	 * Asks for an existing session.
	 * @param state its captured state
	 * @return a builder
	 */
	public static Builder attach(SandboxState state) {
		return from(state.templateKey()).state(state);
	}

	/**
	 * Returns the template's key.
	 * @return the key
	 */
	public String templateKey() {
		return this.templateKey;
	}

	/**
	 * Returns the state of the session to attach to.
	 * @return the state, or {@code null} for a new session
	 */
	public @Nullable SandboxState state() {
		return this.state;
	}

	/**
	 * Returns the network policy.
	 * @return the policy
	 */
	public NetworkPolicy network() {
		return this.network;
	}

	/**
	 * Builds a request. Not thread-safe.
	 */
	public static final class Builder {

		private final String templateKey;

		private @Nullable SandboxState state;

		private @Nullable NetworkPolicy network;

		private Builder(String templateKey, @Nullable SandboxState state) {
			this.templateKey = templateKey;
			this.state = state;
		}

		/**
		 * Attaches to a session in place of making one.
		 * @param state its captured state
		 * @return this builder
		 */
		public Builder state(SandboxState state) {
			this.state = Objects.requireNonNull(state, "'state' must not be null");
			return this;
		}

		/**
		 * Sets the network policy.
		 * @param network the policy
		 * @return this builder
		 */
		public Builder network(NetworkPolicy network) {
			this.network = Objects.requireNonNull(network, "'network' must not be null");
			return this;
		}

		/**
		 * Builds the request.
		 * @return the request
		 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} without a policy
		 */
		public SandboxRequest build() {
			if (this.network == null) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID,
						"'network' must be set on every request, for example NetworkPolicy.denyAll().");
			}
			return new SandboxRequest(this.templateKey, this.state, this.network);
		}

	}

}
