package io.sandbox4j.gateway;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

import io.sandbox4j.Authority;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.Origin;
import io.sandbox4j.SandboxException;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * Connects to an origin: resolves its host once, has the addresses checked and connects
 * to exactly those, in their order, or has the host's proxy open a tunnel to them; then
 * TLS with the origin's own name. Resolution and connection each take no longer than the
 * connect timeout, whatever the other side does.
 */
final class UpstreamConnector {

	private final GatewayLimits limits;

	private final SandboxGateway.@Nullable HostProxy proxy;

	private final @Nullable Authority proxyAuthority;

	private final Resolver resolver;

	UpstreamConnector(GatewayLimits limits, SandboxGateway.@Nullable HostProxy proxy, Resolver resolver) {
		this.limits = limits;
		this.proxy = proxy;
		this.proxyAuthority = (proxy != null) ? authority(proxy.address()) : null;
		this.resolver = resolver;
	}

	private static Authority authority(URI address) {
		try {
			String path = address.getRawPath();
			boolean plain = "http".equalsIgnoreCase(address.getScheme()) && address.getRawAuthority() != null
					&& (path == null || path.isEmpty() || path.equals("/")) && address.getRawQuery() == null;
			Authority authority = plain ? Authority.parse(address.getRawAuthority()) : null;
			if (authority != null) {
				return (authority.port() != Authority.NO_PORT) ? authority : new Authority(authority.host(), 80);
			}
		}
		catch (IllegalArgumentException ex) {
			// The same remedy.
		}
		throw new SandboxException(ErrorCode.SANDBOX_INVALID,
				"'gateway.proxy' must be like http://proxy.example:3128, without user and password. "
						+ "Set 'authorization' for these.");
	}

	/**
	 * Connects.
	 * @param route where to
	 * @param handle ends it at any point
	 * @return the connection, which the handle no longer knows
	 * @throws RefusedException {@link Refusal#ADDRESS_NOT_ALLOWED},
	 * {@link Refusal#UPSTREAM_UNREACHABLE}, {@link Refusal#UPSTREAM_TLS},
	 * {@link Refusal#UPSTREAM_TIMEOUT} within TLS, or {@link Refusal#STOPPED} after an
	 * abort
	 */
	UpstreamConnection connect(UpstreamRoute route, AbortHandle handle) throws RefusedException {
		try {
			Origin origin = route.origin();
			boolean named = this.proxy != null && this.proxy.resolves() && Resolver.literal(origin.host()) == null;
			List<InetAddress> targets = named ? List.of() : this.resolver.resolve(origin, route.allowPrivate(), handle);
			Attempt attempt = new Attempt(route, handle, System.nanoTime() + this.limits.connectTimeout().toNanos());
			if (this.proxy == null || this.proxyAuthority == null) {
				return attempt.direct(targets);
			}
			List<InetAddress> proxies = this.resolver.addresses(this.proxyAuthority.host(), handle);
			if (named) {
				return attempt.tunnel(proxies, origin.host() + ":" + origin.port());
			}
			return attempt.tunnels(proxies, targets);
		}
		catch (RefusedException ex) {
			if (handle.aborted()) {
				throw new RefusedException(Refusal.STOPPED, "The request to " + route.origin() + " was aborted.", null,
						ex);
			}
			throw ex;
		}
	}

	private static String literal(InetAddress address) {
		return (address instanceof Inet6Address) ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
	}

	/**
	 * One connection in the making.
	 */
	private final class Attempt {

		private final UpstreamRoute route;

		private final Origin origin;

		private final AbortHandle handle;

		private final long endNanos;

		Attempt(UpstreamRoute route, AbortHandle handle, long endNanos) {
			this.route = route;
			this.origin = route.origin();
			this.handle = handle;
			this.endNanos = endNanos;
		}

		UpstreamConnection direct(List<InetAddress> addresses) throws RefusedException {
			Socket socket = dial(addresses, this.origin.port(), this.origin.toString());
			return guarded(socket, () -> secured(UpstreamConnection.over(this.route, limits(), socket), socket));
		}

		UpstreamConnection tunnels(List<InetAddress> proxies, List<InetAddress> targets) throws RefusedException {
			RefusedException failure = null;
			for (InetAddress target : targets) {
				try {
					return tunnel(proxies, literal(target) + ":" + this.origin.port());
				}
				catch (RefusedException ex) {
					if (ex.refusal() != Refusal.UPSTREAM_UNREACHABLE) {
						throw ex;
					}
					failure = ex;
				}
			}
			throw (failure != null) ? failure : unreachable("has no address", null);
		}

		UpstreamConnection tunnel(List<InetAddress> proxies, String target) throws RefusedException {
			int port = (UpstreamConnector.this.proxyAuthority != null) ? UpstreamConnector.this.proxyAuthority.port()
					: 0;
			Socket socket = dial(proxies, port, "The host's proxy");
			return guarded(socket, () -> {
				UpstreamConnection connection = UpstreamConnection.over(this.route, limits(), socket);
				openTunnel(connection, target);
				return secured(connection, socket);
			});
		}

		// Each address gets its share of what time is left, so that one that swallows
		// packets does not starve the next.
		private Socket dial(List<InetAddress> addresses, int port, String what) throws RefusedException {
			IOException failure = null;
			for (int i = 0; i < addresses.size() && !this.handle.aborted(); i++) {
				long share = Math.max(1, millisLeft() / (addresses.size() - i));
				Socket socket = new Socket();
				this.handle.attach(socket);
				try {
					socket.setTcpNoDelay(true);
					socket.connect(new InetSocketAddress(addresses.get(i), port),
							(int) Math.min(share, Integer.MAX_VALUE));
					return socket;
				}
				catch (IOException ex) {
					this.handle.detach(socket);
					closeQuietly(socket);
					failure = ex;
				}
			}
			throw new RefusedException(
					Refusal.UPSTREAM_UNREACHABLE, what + " takes no connection at "
							+ addresses.stream().map(InetAddress::getHostAddress).toList() + ", port " + port + ".",
					null, failure);
		}

		// The timer is the bound: a timeout for each read would let a slow sender go on.
		private UpstreamConnection guarded(Socket socket, Step step) throws RefusedException {
			CompletableFuture<Void> timer = new CompletableFuture<>();
			timer.orTimeout(millisLeft(), TimeUnit.MILLISECONDS).whenComplete((done, late) -> {
				if (late != null) {
					closeQuietly(socket);
				}
			});
			UpstreamConnection connection = null;
			try {
				connection = step.run();
				if (!timer.complete(null)) {
					throw new IOException("It ended as its time did.");
				}
				return connection;
			}
			catch (IOException ex) {
				connection = null;
				if (timer.isCompletedExceptionally()) {
					throw new RefusedException(Refusal.UPSTREAM_TIMEOUT,
							this.origin + " did not finish the connection within " + limits().connectTimeout() + ".",
							null, ex);
				}
				if (ex instanceof RefusedException refused) {
					throw refused;
				}
				throw unreachable("closed the connection at its start", ex);
			}
			finally {
				timer.complete(null);
				this.handle.detach(socket);
				if (connection == null) {
					closeQuietly(socket);
				}
			}
		}

		private void openTunnel(UpstreamConnection connection, String target) throws RefusedException {
			// The shorter constructor would parse the target as a URI.
			ClassicHttpRequest request = new BasicClassicHttpRequest("CONNECT", null, null, target);
			request.addHeader(HttpHeaders.HOST, target);
			String authorization = (UpstreamConnector.this.proxy != null) ? UpstreamConnector.this.proxy.authorization()
					: null;
			if (authorization != null) {
				request.addHeader(HttpHeaders.PROXY_AUTHORIZATION, authorization);
			}
			int status;
			try {
				connection.send(request);
				status = connection.receiveFinalHead(request).getCode();
			}
			catch (IOException ex) {
				// No cause: what it says of the origin is true of the proxy.
				throw unreachable("was not reached: the host's proxy does not answer CONNECT in HTTP/1.1", null);
			}
			if (status / 100 != 2) {
				throw unreachable("was not reached: the host's proxy answered CONNECT with " + status, null);
			}
			if (connection.buffered() > 0) {
				throw unreachable("was not reached: the host's proxy sent bytes before the origin could", null);
			}
		}

		private UpstreamConnection secured(UpstreamConnection connection, Socket socket) throws IOException {
			if (!this.origin.secure()) {
				return connection;
			}
			try {
				SSLContext context = (this.route.tls() != null) ? this.route.tls() : SSLContext.getDefault();
				InetAddress address = Resolver.literal(this.origin.host());
				String host = (address != null) ? address.getHostAddress() : this.origin.host();
				SSLSocket secure = (SSLSocket) context.getSocketFactory()
					.createSocket(socket, host, this.origin.port(), true);
				SSLParameters parameters = secure.getSSLParameters();
				parameters.setEndpointIdentificationAlgorithm("HTTPS");
				// Said outright: by itself the JDK sends no name without a dot.
				parameters.setServerNames((address != null) ? List.of() : List.of(new SNIHostName(host)));
				secure.setSSLParameters(parameters);
				secure.startHandshake();
				connection.secure(secure);
				return connection;
			}
			catch (IOException | IllegalArgumentException | NoSuchAlgorithmException ex) {
				throw new RefusedException(Refusal.UPSTREAM_TLS,
						"No TLS with " + this.origin + ": " + ex.getMessage() + ".", null, ex);
			}
		}

		private GatewayLimits limits() {
			return UpstreamConnector.this.limits;
		}

		private long millisLeft() {
			return Math.max(1, Duration.ofNanos(this.endNanos - System.nanoTime()).toMillis());
		}

		private RefusedException unreachable(String what, @Nullable Throwable cause) {
			return new RefusedException(Refusal.UPSTREAM_UNREACHABLE, this.origin + " " + what + ".", null, cause);
		}

		private static void closeQuietly(Socket socket) {
			try {
				socket.close();
			}
			catch (IOException ex) {
				// It is as good as closed.
			}
		}

	}

	/**
	 * What a timer watches over.
	 */
	@FunctionalInterface
	private interface Step {

		UpstreamConnection run() throws IOException;

	}

}
