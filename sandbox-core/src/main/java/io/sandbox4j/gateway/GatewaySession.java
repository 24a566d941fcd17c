package io.sandbox4j.gateway;

import io.sandbox4j.NetworkPolicy;

/**
 * A session's socket and what may be reached through it. Thread-safe.
 *
 * @since 0.1.0
 */
public final class GatewaySession implements AutoCloseable {

	/**
	 * The socket's file name.
	 */
	public static final String SOCKET = "gateway.sock";

	GatewaySession() {
	}

	/**
	 * Replaces the policy. What is in flight under the old one is aborted, and every
	 * connection of the guest is closed.
	 * @param policy the new policy
	 * @throws io.sandbox4j.SandboxException
	 * {@link io.sandbox4j.ErrorCode#SANDBOX_INVALID} if it names what the gateway does
	 * not have; then the old one stays
	 */
	public void setPolicy(NetworkPolicy policy) {
	}

	/**
	 * Aborts what is in flight, closes the connections and removes the socket. A file
	 * that is gone already is no error.
	 */
	@Override
	public void close() {
	}

}
