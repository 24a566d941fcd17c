package io.sandbox4j.gateway;

import javax.net.ssl.SSLContext;

import io.sandbox4j.Origin;
import org.jspecify.annotations.Nullable;

/**
 * What two requests must have in common to share a connection.
 *
 * @param origin where the connection goes
 * @param allowPrivate whether it may go to an address that is not public
 * @param tls what proves the origin, the same object; {@code null} for the JVM's own
 * @param secretsKey equal only for requests that carry the same secrets: what an origin
 * knows of a connection (a login, a client's certificate) never serves another's request
 */
record UpstreamRoute(Origin origin, boolean allowPrivate, @Nullable SSLContext tls, Object secretsKey) {

	/**
	 * Says nothing of the secrets.
	 */
	@Override
	public String toString() {
		return "UpstreamRoute[origin=" + this.origin + ", allowPrivate=" + this.allowPrivate + "]";
	}

}
