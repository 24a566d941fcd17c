package io.sandbox4j.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

import javax.net.ssl.SSLContext;

import io.sandbox4j.Origin;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * A pool whose clock a test moves and to which every name is at 127.0.0.1.
 */
final class UpstreamFixture implements AutoCloseable {

	final AtomicLong nanos = new AtomicLong();

	final UpstreamPool pool;

	private final ExecutorService lookups = Executors.newCachedThreadPool();

	UpstreamFixture() {
		this(limits(Duration.ofSeconds(10), Duration.ofSeconds(10)), null);
	}

	UpstreamFixture(GatewayLimits limits, SandboxGateway.@Nullable HostProxy proxy) {
		this(limits, proxy, (host) -> new InetAddress[] { InetAddress.getByName("127.0.0.1") });
	}

	UpstreamFixture(GatewayLimits limits, SandboxGateway.@Nullable HostProxy proxy, NameLookup lookup) {
		Resolver resolver = new Resolver(lookup, this.lookups, new AddressGuard(), limits.connectTimeout());
		this.pool = new UpstreamPool(limits, proxy, resolver, this.nanos::get);
	}

	static GatewayLimits limits(Duration connectTimeout, Duration idleTimeout) {
		GatewayLimits limits = GatewayLimits.DEFAULT;
		return new GatewayLimits(limits.requests(), limits.connections(), 4096, limits.requestBytes(),
				limits.responseBytes(), limits.headTimeout(), connectTimeout, idleTimeout, limits.keepAlive(),
				limits.requestTimeout());
	}

	static UpstreamRoute route(Origin origin) {
		return route(origin, null);
	}

	static UpstreamRoute route(Origin origin, @Nullable SSLContext tls) {
		return new UpstreamRoute(origin, true, tls, "");
	}

	static ClassicHttpRequest request(UpstreamRoute route, String method, @Nullable HttpEntity entity) {
		ClassicHttpRequest request = new BasicClassicHttpRequest(method, "/");
		request.addHeader("Host", route.origin().authority());
		if (entity != null) {
			request.setEntity(entity);
			if (entity.getContentLength() >= 0) {
				request.addHeader("Content-Length", entity.getContentLength());
			}
			else {
				request.addHeader("Transfer-Encoding", "chunked");
			}
		}
		return request;
	}

	static String body(ClassicHttpResponse answer) throws IOException {
		return (answer.getEntity() != null)
				? new String(answer.getEntity().getContent().readAllBytes(), StandardCharsets.ISO_8859_1) : "";
	}

	UpstreamConnection lease(UpstreamRoute route) throws RefusedException {
		return this.pool.lease(route, false, new AbortHandle());
	}

	String get(UpstreamRoute route) throws IOException {
		return exchange(route, "GET", null);
	}

	/**
	 * Serves a whole exchange and gives the connection back.
	 * @param route where to
	 * @param method the method
	 * @param entity the body
	 * @return status and body
	 * @throws IOException if it fails; then the connection is closed
	 */
	String exchange(UpstreamRoute route, String method, @Nullable HttpEntity entity) throws IOException {
		UpstreamConnection connection = lease(route);
		boolean done = false;
		try {
			ClassicHttpRequest request = request(route, method, entity);
			connection.send(request);
			ClassicHttpResponse answer = connection.receiveFinalHead(request);
			String text = answer.getCode() + " " + body(answer);
			done = true;
			return text;
		}
		finally {
			this.pool.release(connection, done);
		}
	}

	void advance(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

	@Override
	public void close() {
		this.pool.close();
		this.lookups.shutdownNow();
	}

}
