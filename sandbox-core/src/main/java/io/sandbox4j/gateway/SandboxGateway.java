package io.sandbox4j.gateway;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import javax.net.ssl.SSLContext;

import io.sandbox4j.CredentialSource;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxListener;
import org.jspecify.annotations.Nullable;

/**
 * Serves the guests of an application: see the package. One for an application; it holds
 * what sessions share, which is the threads, the connections to origins and the sources
 * of credentials. A connection to an origin is shared only by requests that carry the
 * same secrets. Thread-safe. Close it after the backends that use it.
 *
 * @since 0.1.0
 */
public final class SandboxGateway implements AutoCloseable {

	private SandboxGateway(Builder builder) {
	}

	/**
	 * Starts a gateway.
	 * @return a builder with safe defaults
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Opens a session's socket, {@value GatewaySession#SOCKET} in a directory of its own.
	 * @param sessionId the session
	 * @param directory an empty directory that only the guest's user can enter, with a
	 * short path: a socket's has at most 107 bytes
	 * @param policy what the session may reach
	 * @param commands tells which command a process belongs to
	 * @param listener told of each request
	 * @return the session's part, to be closed
	 * @throws SandboxException if the policy names what is not there, or the socket
	 * cannot be made
	 */
	public GatewaySession open(String sessionId, Path directory, NetworkPolicy policy, CommandLookup commands,
			SandboxListener listener) {
		throw new IllegalStateException();
	}

	/**
	 * Refuses a policy that names a source or TLS settings which the gateway does not
	 * have.
	 * @param policy the policy
	 * @throws SandboxException {@link io.sandbox4j.ErrorCode#SANDBOX_INVALID}
	 */
	public void validate(NetworkPolicy policy) {
	}

	/**
	 * Returns how much the gateway does now.
	 * @return the figures
	 */
	public GatewayStatus status() {
		return new GatewayStatus(0, 0, 0, 0);
	}

	/**
	 * Closes what is open: sockets, requests, connections, threads.
	 */
	@Override
	public void close() {
	}

	/**
	 * Tells which command a guest's process belongs to.
	 */
	@FunctionalInterface
	public interface CommandLookup {

		/**
		 * Finds a command.
		 * @param pid the process, as the host numbers it
		 * @return the command's id, or {@code null}
		 */
		@Nullable String commandOf(long pid);

	}

	/**
	 * Builds a gateway. Not thread-safe.
	 */
	public static final class Builder {

		final Map<String, CredentialSource> sources = new LinkedHashMap<>();

		final Map<String, SSLContext> tls = new HashMap<>();

		GatewayLimits limits = GatewayLimits.DEFAULT;

		@Nullable SSLContext defaultTls;

		@Nullable HostProxy proxy;

		private Builder() {
		}

		/**
		 * Adds a source of credentials.
		 * @param name what rules call it
		 * @param source the source
		 * @return this builder
		 */
		public Builder credentialSource(String name, CredentialSource source) {
			this.sources.put(name, Objects.requireNonNull(source, "'source' must not be null"));
			return this;
		}

		/**
		 * Sets the bounds.
		 * @param limits the limits
		 * @return this builder
		 */
		public Builder limits(GatewayLimits limits) {
			this.limits = Objects.requireNonNull(limits, "'limits' must not be null");
			return this;
		}

		/**
		 * Sets the TLS of rules that name none. Without it, the JVM's own.
		 * @param context the context
		 * @return this builder
		 */
		public Builder tls(@Nullable SSLContext context) {
			this.defaultTls = context;
			return this;
		}

		/**
		 * Adds TLS settings.
		 * @param name what rules call them
		 * @param context the context
		 * @return this builder
		 */
		public Builder tls(String name, SSLContext context) {
			this.tls.put(name, Objects.requireNonNull(context, "'context' must not be null"));
			return this;
		}

		/**
		 * Reaches every origin through an HTTP proxy of the host, by CONNECT.
		 * @param proxy the proxy, or {@code null} for none
		 * @return this builder
		 */
		public Builder proxy(@Nullable HostProxy proxy) {
			this.proxy = proxy;
			return this;
		}

		/**
		 * Builds the gateway. It starts no thread before the first session.
		 * @return the gateway
		 */
		public SandboxGateway build() {
			return new SandboxGateway(this);
		}

	}

	/**
	 * An HTTP proxy through which the host reaches the outside.
	 *
	 * @param address {@code http://proxy.example:3128}
	 * @param authorization the value of {@code Proxy-Authorization}, or {@code null};
	 * secret
	 * @param resolves whether the proxy resolves names. Then addresses are not checked
	 * here: the proxy answers for what it connects to.
	 */
	public record HostProxy(URI address, @Nullable String authorization, boolean resolves) {

		/**
		 * Says nothing of the authorization.
		 */
		@Override
		public String toString() {
			return "HostProxy[address=" + this.address + "]";
		}

	}

}
