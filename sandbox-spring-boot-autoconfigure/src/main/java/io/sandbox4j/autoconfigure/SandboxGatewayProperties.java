package io.sandbox4j.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of the gateway, through which sandboxes reach listed origins. Values are
 * checked when it is built from them.
 *
 * @param maxRequests Maximum number of requests of one sandbox at once. Further ones are
 * refused as busy.
 * @param maxConnections Maximum number of connections of one sandbox at once.
 * @param maxHead Maximum size of the head of a request or of an answer.
 * @param maxRequestBody Maximum size of the body of a request.
 * @param maxResponseBody Maximum size of the body of an answer.
 * @param headTimeout Maximum time for the head of a request, from its first byte.
 * @param connectTimeout Maximum time to resolve the name of an origin, and again to
 * connect to it.
 * @param idleTimeout Maximum time within a request in which either side sends nothing and
 * takes nothing.
 * @param keepAlive Maximum time that a connection of a sandbox stays open without a
 * request.
 * @param requestTimeout Maximum time of a request, from its head to the last byte of its
 * answer.
 * @param sslBundle Name of the SSL bundle to use for origins that name none. Unless set,
 * the defaults of the JVM.
 * @param proxy HTTP proxy of the host.
 * @param audit Whether to log each request, to the logger 'sandbox.audit'.
 * @since 0.1.0
 */
@ConfigurationProperties("sandbox.gateway")
public record SandboxGatewayProperties(@DefaultValue("16") int maxRequests, @DefaultValue("64") int maxConnections,
		@DefaultValue("64KB") DataSize maxHead, @DefaultValue("1MB") DataSize maxRequestBody,
		@DefaultValue("1MB") DataSize maxResponseBody, @DefaultValue("10s") Duration headTimeout,
		@DefaultValue("10s") Duration connectTimeout, @DefaultValue("30s") Duration idleTimeout,
		@DefaultValue("60s") Duration keepAlive, @DefaultValue("30s") Duration requestTimeout,
		@Nullable String sslBundle, @DefaultValue Proxy proxy, @DefaultValue("true") boolean audit) {

	/**
	 * HTTP proxy of the host. A URL is text here, because the error of a conversion would
	 * show it, with a password that somebody may have put in.
	 *
	 * @param url URL of an HTTP proxy through which the host reaches every origin, as in
	 * 'http://proxy.example:3128'.
	 * @param username User name for the proxy.
	 * @param password Password for the proxy.
	 * @param resolveNames Whether the proxy resolves the names of origins. Their
	 * addresses are not checked then.
	 */
	public record Proxy(@Nullable String url, @Nullable String username, @Nullable String password,
			@DefaultValue("false") boolean resolveNames) {

		/**
		 * Says nothing of the user.
		 */
		@Override
		public String toString() {
			return "Proxy[url=" + Urls.withoutUser(this.url) + ", resolveNames=" + this.resolveNames + "]";
		}

	}

}
