package io.sandbox4j.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of the network policy that an application injects. Values are checked when
 * the policy is built from them. A property that is not known here fails the start: a
 * restriction with a misspelled name would otherwise be none.
 * <p>
 * Holds secrets: {@link #toString()} shows names only.
 *
 * @param mode What sandboxes may reach by default. Unless set, 'allow-list' if
 * 'sandbox.network.allow' lists an origin, and 'deny-all' otherwise.
 * @param allow List of the origins that sandboxes may reach through the gateway, each
 * with an 'origin' and what may be done there. See docs/gateway.md for the properties of
 * an origin.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "sandbox.network", ignoreUnknownFields = false)
public record SandboxNetworkProperties(@Nullable Mode mode, @DefaultValue List<Rule> allow) {

	/**
	 * What sandboxes may reach.
	 */
	public enum Mode {

		/**
		 * Nothing.
		 */
		DENY_ALL,

		/**
		 * Whatever the host can reach.
		 */
		ALLOW_ALL,

		/**
		 * Listed origins, through the gateway.
		 */
		ALLOW_LIST

	}

	/**
	 * What guests may do at one origin, and what the gateway adds.
	 *
	 * @param origin Scheme, host and port, as in 'https://api.example.com'.
	 * @param headers Headers with fixed, secret values that the gateway adds.
	 * @param credentials Headers whose values the gateway asks a source for, at each
	 * request.
	 * @param methods Comma-separated list of the methods that are allowed. Unless set,
	 * all.
	 * @param pathPrefixes Comma-separated list of the paths that are allowed, with what
	 * is below them. Unless set, all.
	 * @param requestHeaders Comma-separated list of headers of the guest that are passed
	 * on, besides those that always are.
	 * @param responseHeaders Comma-separated list of headers of an answer that are passed
	 * on, besides those that always are.
	 * @param environment Variables that commands get. The guest sees them: no secrets.
	 * @param allowPrivate Whether the origin may be at an address that is not public.
	 * @param allowPlaintext Whether headers and credentials may go over http, where the
	 * network sees them.
	 * @param redact Whether to mask the secrets that the gateway adds in answers.
	 * @param maxRequestBody Maximum size of the body of a request. Unless set, that of
	 * the gateway.
	 * @param maxResponseBody Maximum size of the body of an answer. Unless set, that of
	 * the gateway.
	 * @param timeout Maximum time of a request, to the last byte of its answer. Unless
	 * set, that of the gateway.
	 * @param requestsPerMinute Maximum number of requests of one sandbox in a minute. A
	 * value of 0 means no limit.
	 * @param sslBundle Name of the SSL bundle to use for this origin. Unless set, that of
	 * the gateway.
	 */
	public record Rule(@Nullable String origin, @DefaultValue Map<String, String> headers,
			@DefaultValue List<CredentialHeader> credentials, @Nullable Set<String> methods,
			@Nullable List<String> pathPrefixes, @DefaultValue Set<String> requestHeaders,
			@DefaultValue Set<String> responseHeaders, @DefaultValue Map<String, String> environment,
			@DefaultValue("false") boolean allowPrivate, @DefaultValue("false") boolean allowPlaintext,
			@DefaultValue("true") boolean redact, @Nullable DataSize maxRequestBody, @Nullable DataSize maxResponseBody,
			@Nullable Duration timeout, @DefaultValue("0") int requestsPerMinute, @Nullable String sslBundle) {

		/**
		 * Names the headers without their values.
		 */
		@Override
		public String toString() {
			return "Rule[origin=" + Urls.withoutUser(this.origin) + ", headers=" + this.headers.keySet()
					+ ", credentials=" + this.credentials + "]";
		}

	}

	/**
	 * A header whose value comes from a source.
	 *
	 * @param header Name of the header.
	 * @param source Name of the bean of type CredentialSource to ask.
	 * @param prefix Text before the credential, as in 'Bearer '.
	 */
	public record CredentialHeader(@Nullable String header, @Nullable String source, @DefaultValue("") String prefix) {

		/**
		 * Leaves the prefix out: somebody may have put the credential there.
		 */
		@Override
		public String toString() {
			return "CredentialHeader[header=" + this.header + ", source=" + this.source + "]";
		}

	}

}
