package io.sandbox4j;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What guests may do at one origin, and what the gateway adds to their requests. Holds
 * secrets: never stored, and {@link #toString()} shows names only. Immutable.
 *
 * @since 0.1.0
 */
public final class OriginRule {

	private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

	private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

	private static final Pattern PATH = Pattern.compile("/[!$&'()*+,;=:@A-Za-z0-9._~/-]*");

	/**
	 * Of the connection, of the framing, or of the gateway itself (RFC 9110 section
	 * 7.6.1).
	 */
	private static final Set<String> RESERVED = Set.of("host", "connection", "content-length", "transfer-encoding",
			"keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "upgrade", "trailer", "te",
			"expect", "http2-settings");

	private final Origin origin;

	private final Map<String, String> headers;

	private final List<CredentialHeader> credentials;

	private final Set<String> methods;

	private final List<String> pathPrefixes;

	private final Set<String> requestHeaders;

	private final Set<String> responseHeaders;

	private final Map<String, String> environment;

	private final boolean allowPrivate;

	private final boolean redact;

	private final @Nullable Long maxRequestBytes;

	private final @Nullable Long maxResponseBytes;

	private final @Nullable Duration timeout;

	private final int requestsPerMinute;

	private final @Nullable String tls;

	private OriginRule(Builder builder) {
		this.origin = builder.origin;
		this.headers = Collections.unmodifiableMap(new LinkedHashMap<>(builder.headers));
		this.credentials = List.copyOf(builder.credentials);
		this.methods = Collections.unmodifiableSet(new TreeSet<>(builder.methods));
		this.pathPrefixes = List.copyOf(builder.pathPrefixes);
		this.requestHeaders = Collections.unmodifiableSet(new TreeSet<>(builder.requestHeaders));
		this.responseHeaders = Collections.unmodifiableSet(new TreeSet<>(builder.responseHeaders));
		this.environment = Collections.unmodifiableMap(new TreeMap<>(builder.environment));
		this.allowPrivate = builder.allowPrivate;
		this.redact = builder.redact;
		this.maxRequestBytes = builder.maxRequestBytes;
		this.maxResponseBytes = builder.maxResponseBytes;
		this.timeout = builder.timeout;
		this.requestsPerMinute = builder.requestsPerMinute;
		this.tls = builder.tls;
	}

	/**
	 * Allows an origin, with every method and path.
	 * @param origin scheme, host and port: {@code https://api.example.com}
	 * @return a builder
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if it is no origin
	 */
	public static Builder builder(String origin) {
		return new Builder(Origin.parse(origin));
	}

	/**
	 * Allows an origin, with every method and path, and adds headers.
	 * @param origin scheme, host and port: {@code https://api.example.com}
	 * @param headers names and secret values
	 * @return the rule
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if it cannot be held
	 */
	public static OriginRule of(String origin, Map<String, String> headers) {
		Builder builder = builder(origin);
		headers.forEach(builder::header);
		return builder.build();
	}

	/**
	 * Returns the origin.
	 * @return the origin
	 */
	public Origin origin() {
		return this.origin;
	}

	/**
	 * Returns the headers with fixed values.
	 * @return names and secret values
	 */
	public Map<String, String> headers() {
		return this.headers;
	}

	/**
	 * Returns the headers whose values come from a source.
	 * @return the headers
	 */
	public List<CredentialHeader> credentials() {
		return this.credentials;
	}

	/**
	 * Returns the methods that are allowed.
	 * @return the methods; empty for all
	 */
	public Set<String> methods() {
		return this.methods;
	}

	/**
	 * Returns where allowed paths start. A prefix ends at a slash: {@code /v1} allows
	 * {@code /v1} and {@code /v1/x}, not {@code /v10}.
	 * @return the prefixes; empty for all
	 */
	public List<String> pathPrefixes() {
		return this.pathPrefixes;
	}

	/**
	 * Returns which headers of the guest are passed on, besides those that always are.
	 * @return names in lower case
	 */
	public Set<String> requestHeaders() {
		return this.requestHeaders;
	}

	/**
	 * Returns which headers of an answer are passed on, besides those that always are.
	 * @return names in lower case
	 */
	public Set<String> responseHeaders() {
		return this.responseHeaders;
	}

	/**
	 * Returns the variables that commands get while the rule holds.
	 * @return names and values; no secrets
	 */
	public Map<String, String> environment() {
		return this.environment;
	}

	/**
	 * Whether the origin may be at an address that is not public: loopback, private,
	 * link-local, or of this host.
	 * @return {@code true} if it may
	 */
	public boolean allowPrivate() {
		return this.allowPrivate;
	}

	/**
	 * Whether answers are searched for the secrets that the rule adds.
	 * @return {@code true} unless switched off
	 */
	public boolean redact() {
		return this.redact;
	}

	/**
	 * Returns how many bytes a request's body may have.
	 * @return the bytes, or {@code null} for the gateway's own limit
	 */
	public @Nullable Long maxRequestBytes() {
		return this.maxRequestBytes;
	}

	/**
	 * Returns how many bytes an answer's body may have.
	 * @return the bytes, or {@code null} for the gateway's own limit
	 */
	public @Nullable Long maxResponseBytes() {
		return this.maxResponseBytes;
	}

	/**
	 * Returns how long a request may take.
	 * @return the time, or {@code null} for the gateway's own limit
	 */
	public @Nullable Duration timeout() {
		return this.timeout;
	}

	/**
	 * Returns how many requests a session may send in a minute.
	 * @return the count; zero for no bound
	 */
	public int requestsPerMinute() {
		return this.requestsPerMinute;
	}

	/**
	 * Returns the name of the TLS settings: own certificate authorities or a client's
	 * certificate.
	 * @return the name, or {@code null} for the gateway's own
	 */
	public @Nullable String tls() {
		return this.tls;
	}

	/**
	 * Whether the gateway adds anything secret.
	 * @return {@code true} with headers or credentials
	 */
	public boolean hasSecrets() {
		return !this.headers.isEmpty() || !this.credentials.isEmpty();
	}

	/**
	 * Names the headers without their values.
	 */
	@Override
	public String toString() {
		return "OriginRule[origin=" + this.origin + ", headers=" + this.headers.keySet() + ", credentials="
				+ this.credentials + ", methods=" + this.methods + ", pathPrefixes=" + this.pathPrefixes + "]";
	}

	/**
	 * A header whose value comes from a source.
	 *
	 * @param name the header
	 * @param source the source's name
	 * @param prefix what stands before the credential: {@code "Bearer "}
	 */
	public record CredentialHeader(String name, String source, String prefix) {

	}

	/**
	 * Builds a rule. Not thread-safe. Each method refuses what cannot be held with
	 * {@link ErrorCode#SANDBOX_INVALID} and a message that names the property.
	 */
	public static final class Builder {

		private final Origin origin;

		private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

		private final List<CredentialHeader> credentials = new ArrayList<>();

		private final Set<String> methods = new TreeSet<>();

		private final List<String> pathPrefixes = new ArrayList<>();

		private final Set<String> requestHeaders = new TreeSet<>();

		private final Set<String> responseHeaders = new TreeSet<>();

		private final Map<String, String> environment = new TreeMap<>();

		private boolean allowPrivate;

		private boolean allowPlaintext;

		private boolean redact = true;

		private @Nullable Long maxRequestBytes;

		private @Nullable Long maxResponseBytes;

		private @Nullable Duration timeout;

		private int requestsPerMinute;

		private @Nullable String tls;

		private Builder(Origin origin) {
			this.origin = origin;
		}

		/**
		 * Adds a header with a fixed value. It replaces what the guest sends.
		 * @param name the header
		 * @param value the secret value
		 * @return this builder
		 */
		public Builder header(String name, String value) {
			requireSettable(name, "headers");
			requireValue(name, value, "headers");
			if (this.headers.put(name, value) != null) {
				throw invalid("headers", "names '" + name + "' twice");
			}
			return this;
		}

		/**
		 * Adds a header whose value is asked of a source for every request.
		 * @param name the header
		 * @param source the source's name, as the gateway knows it
		 * @param prefix what stands before the credential: {@code "Bearer "}, or nothing
		 * @return this builder
		 */
		public Builder credential(String name, String source, String prefix) {
			requireSettable(name, "credentials.header");
			if (!NAME.matcher(source).matches()) {
				throw invalid("credentials.source", "must be letters, digits, dots, dashes and underscores");
			}
			if (!prefix.isEmpty()) {
				requireValue(name, prefix.stripTrailing(), "credentials.prefix");
			}
			this.credentials.add(new CredentialHeader(name, source, prefix));
			return this;
		}

		/**
		 * Allows these methods only.
		 * @param methods the methods, in capitals as they are sent
		 * @return this builder
		 */
		public Builder methods(String... methods) {
			for (String method : methods) {
				if (!TOKEN.matcher(method).matches() || method.equals("CONNECT") || method.equals("TRACE")) {
					throw invalid("methods", "has '" + printable(method) + "', which the gateway cannot send");
				}
				this.methods.add(method);
			}
			return this;
		}

		/**
		 * Allows these paths and what is below them only.
		 * @param prefixes the paths, as they are sent
		 * @return this builder
		 */
		public Builder pathPrefixes(String... prefixes) {
			for (String prefix : prefixes) {
				boolean dots = List.of(prefix.split("/")).stream().anyMatch((part) -> part.matches("\\.\\.?"));
				if (!PATH.matcher(prefix).matches() || prefix.contains("//") || dots) {
					throw invalid("path-prefixes", "has '" + printable(prefix)
							+ "'; a prefix starts with '/' and has no dot segments, empty segments or escapes");
				}
				this.pathPrefixes.add(prefix);
			}
			return this;
		}

		/**
		 * Passes these headers of the guest on, besides those that always are.
		 * @param names the headers
		 * @return this builder
		 */
		public Builder requestHeaders(String... names) {
			for (String name : names) {
				requireSettable(name, "request-headers");
				this.requestHeaders.add(name.toLowerCase(Locale.ROOT));
			}
			return this;
		}

		/**
		 * Passes these headers of an answer on, besides those that always are.
		 * @param names the headers
		 * @return this builder
		 */
		public Builder responseHeaders(String... names) {
			for (String name : names) {
				requireSettable(name, "response-headers");
				this.responseHeaders.add(name.toLowerCase(Locale.ROOT));
			}
			return this;
		}

		/**
		 * Gives commands a variable while the rule holds.
		 * @param name the variable
		 * @param value its value; the guest sees it, so no secret
		 * @return this builder
		 */
		public Builder environment(String name, String value) {
			if (!VARIABLE.matcher(name).matches()) {
				throw invalid("environment", "has the name '" + printable(name) + "'. Use letters, digits and _");
			}
			if (value.indexOf('\0') >= 0) {
				throw invalid("environment", "has a NUL in the value of '" + name + "'");
			}
			this.environment.put(name, value);
			return this;
		}

		/**
		 * Lets the origin be at an address that is not public.
		 * @param allowPrivate whether it may
		 * @return this builder
		 */
		public Builder allowPrivate(boolean allowPrivate) {
			this.allowPrivate = allowPrivate;
			return this;
		}

		/**
		 * Lets headers and credentials go over http, where the network sees them.
		 * @param allowPlaintext whether they may
		 * @return this builder
		 */
		public Builder allowPlaintext(boolean allowPlaintext) {
			this.allowPlaintext = allowPlaintext;
			return this;
		}

		/**
		 * Searches answers for the secrets that the rule adds, and masks them. On unless
		 * switched off.
		 * @param redact whether to search
		 * @return this builder
		 */
		public Builder redact(boolean redact) {
			this.redact = redact;
			return this;
		}

		/**
		 * Bounds the body of a request.
		 * @param bytes the bytes
		 * @return this builder
		 */
		public Builder maxRequestBytes(long bytes) {
			this.maxRequestBytes = requireNotNegative(bytes, "max-request-body");
			return this;
		}

		/**
		 * Bounds the body of an answer.
		 * @param bytes the bytes
		 * @return this builder
		 */
		public Builder maxResponseBytes(long bytes) {
			this.maxResponseBytes = requireNotNegative(bytes, "max-response-body");
			return this;
		}

		/**
		 * Bounds a request from its head to the last byte of its answer.
		 * @param timeout the time
		 * @return this builder
		 */
		public Builder timeout(Duration timeout) {
			if (timeout.isNegative() || timeout.isZero()) {
				throw invalid("timeout", "must be positive");
			}
			this.timeout = timeout;
			return this;
		}

		/**
		 * Bounds how many requests a session may send in a minute.
		 * @param requests the count; zero for no bound
		 * @return this builder
		 */
		public Builder requestsPerMinute(int requests) {
			this.requestsPerMinute = (int) requireNotNegative(requests, "requests-per-minute");
			return this;
		}

		/**
		 * Names TLS settings of the gateway.
		 * @param tls the name
		 * @return this builder
		 */
		public Builder tls(@Nullable String tls) {
			this.tls = tls;
			return this;
		}

		/**
		 * Builds the rule.
		 * @return the rule
		 */
		public OriginRule build() {
			Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
			names.addAll(this.headers.keySet());
			for (CredentialHeader credential : this.credentials) {
				if (!names.add(credential.name())) {
					throw invalid("credentials.header", "names '" + credential.name() + "', which is set already");
				}
			}
			if (!names.isEmpty() && !this.origin.secure() && !this.allowPlaintext) {
				throw invalid("headers", "would go over http, where the network sees them. Use https, or set "
						+ "'allow-plaintext' of this rule");
			}
			if (this.tls != null && !this.origin.secure()) {
				throw invalid("ssl-bundle", "is set, yet the origin is http");
			}
			return new OriginRule(this);
		}

		private void requireSettable(String name, String property) {
			if (!TOKEN.matcher(name).matches() || RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
				throw invalid(property, "has the name '" + printable(name) + "', which the gateway cannot set");
			}
		}

		private void requireValue(String name, String value, String property) {
			if (value.chars().anyMatch((c) -> (c < 0x20 && c != '\t') || c > 0x7e)) {
				throw invalid(property,
						"has a line break, control or non-ASCII character in the value of '" + name + "'");
			}
			if (!value.equals(value.strip()) || value.isEmpty()) {
				throw invalid(property, "has a value for '" + name + "' that is empty, or starts or ends with a blank");
			}
		}

		private long requireNotNegative(long value, String property) {
			if (value < 0) {
				throw invalid(property, "must not be negative");
			}
			return value;
		}

		private SandboxException invalid(String property, String what) {
			return new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'network.allow." + property + "' of " + this.origin + " " + what + ".");
		}

		private static String printable(String text) {
			return text.replaceAll("[^\\x20-\\x7e]", "?");
		}

	}

}
