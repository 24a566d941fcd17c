package io.sandbox4j.gateway;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.sandbox4j.Credential;
import io.sandbox4j.CredentialSource;
import io.sandbox4j.CredentialUnavailableException;
import io.sandbox4j.OriginRule;
import org.apache.hc.core5.http.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a rule adds to one request. Asks each source once, so headers that share a source
 * carry one credential. Nothing here shows a secret: not a message, not a
 * {@code toString}, and nothing of what a source throws but its class. Immutable.
 */
final class RuleSecrets {

	/**
	 * Of a rule that adds nothing.
	 */
	static final RuleSecrets NONE = new RuleSecrets(List.of(), Map.of(), Redactor.NONE, SecretsKey.NONE);

	private static final Logger logger = LoggerFactory.getLogger(RuleSecrets.class);

	private static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);

	private final List<Header> headers;

	private final Map<String, Sent> sent;

	private final Redactor redactor;

	private final SecretsKey key;

	private RuleSecrets(List<Header> headers, Map<String, Sent> sent, Redactor redactor, SecretsKey key) {
		this.headers = headers;
		this.sent = sent;
		this.redactor = redactor;
		this.key = key;
	}

	/**
	 * Asks the sources that a rule names.
	 * @param rule the rule
	 * @param sources the sources that there are, by name
	 * @param sessionId the session whose guest asks
	 * @param clock tells what has expired
	 * @param redactors keeps what is dear to build
	 * @return what to add
	 * @throws RefusedException {@link Refusal#CREDENTIAL_EXHAUSTED} if a source names a
	 * time to wait, {@link Refusal#CREDENTIAL_MISSING} if there is no credential that can
	 * be sent
	 */
	static RuleSecrets resolve(OriginRule rule, Map<String, CredentialSource> sources, String sessionId,
			InstantSource clock, RedactorCache redactors) throws RefusedException {
		if (!rule.hasSecrets()) {
			return NONE;
		}
		List<Header> headers = new ArrayList<>();
		List<String> secrets = new ArrayList<>();
		rule.headers().forEach((name, value) -> {
			headers.add(new SecretHeader(name, value));
			if (!isPublic(name)) {
				secrets.add(value);
			}
		});
		CredentialSource.Use use = new CredentialSource.Use(sessionId, rule.origin());
		Map<String, Sent> sent = new LinkedHashMap<>();
		for (OriginRule.CredentialHeader header : rule.credentials()) {
			Sent known = sent.get(header.source());
			if (known == null) {
				known = ask(header.source(), sources.get(header.source()), use, clock.instant());
				sent.put(header.source(), known);
			}
			String secret = known.credential().value();
			headers.add(new SecretHeader(header.name(), header.prefix() + secret));
			secrets.add(header.prefix() + secret);
			secrets.add(secret);
		}
		return new RuleSecrets(List.copyOf(headers), sent, redactor(rule, secrets, redactors), SecretsKey.of(headers));
	}

	// A header that guests may send themselves is no credential, nor is the version of an
	// interface: to mask "application/json" or a date would break the answer.
	private static boolean isPublic(String name) {
		String lower = name.toLowerCase(Locale.ROOT);
		return HeaderLists.REQUEST.contains(lower) || lower.endsWith("-version");
	}

	private static Redactor redactor(OriginRule rule, List<String> secrets, RedactorCache redactors)
			throws RefusedException {
		if (!rule.redact()) {
			return Redactor.NONE;
		}
		try {
			return redactors.of(secrets);
		}
		catch (IllegalArgumentException ex) {
			throw missing("The headers of the rule for " + rule.origin()
					+ " are too long to be searched for in answers. Shorten them, or set 'redact' of the rule to false.");
		}
	}

	private static Sent ask(String name, @Nullable CredentialSource source, CredentialSource.Use use, Instant now)
			throws RefusedException {
		if (source == null) {
			throw missing("There is no credential source '" + name + "', which the rule for " + use.origin()
					+ " names. Add it to the gateway, or change 'source'.");
		}
		Credential credential = get(name, source, use);
		if (credential == null) {
			throw missing("Credential source '" + name + "' returned null. It must return a credential or throw.");
		}
		if (credential.expiresAt() != null && !now.isBefore(credential.expiresAt())) {
			throw missing("Credential source '" + name + "' returned a credential that has expired. Renew it earlier.");
		}
		String value = credential.value();
		if (value.chars().anyMatch((c) -> c < 0x20 || c > 0x7e) || !value.equals(value.strip())) {
			throw missing("Credential source '" + name + "' returned a value with a line break, control or non-ASCII "
					+ "character, or a blank at an end. Strip it.");
		}
		return new Sent(name, source, use, credential);
	}

	private static @Nullable Credential get(String name, CredentialSource source, CredentialSource.Use use)
			throws RefusedException {
		try {
			return source.get(use);
		}
		catch (CredentialUnavailableException ex) {
			Duration wait = ex.retryAfter();
			if (wait == null) {
				throw missing("Credential source '" + name + "' has no credential.");
			}
			throw new RefusedException(Refusal.CREDENTIAL_EXHAUSTED,
					"Credential source '" + name + "' has no credential for some time.",
					(wait.compareTo(SHORTEST_WAIT) > 0) ? wait : SHORTEST_WAIT, null);
		}
		catch (Throwable ex) {
			// Without the cause: what is not ours may have the secret in its message.
			keepInterrupt(ex);
			throw missing("Credential source '" + name + "' failed with " + ex.getClass().getName() + ".");
		}
	}

	private static RefusedException missing(String message) {
		return new RefusedException(Refusal.CREDENTIAL_MISSING, message);
	}

	private static void keepInterrupt(Throwable ex) {
		if (ex instanceof InterruptedException) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Returns what to set, in order.
	 * @return headers whose {@code toString} hides the value
	 */
	List<Header> headers() {
		return this.headers;
	}

	/**
	 * Returns what finds the secrets in an answer.
	 * @return the redactor; empty if the rule wants none
	 */
	Redactor redactor() {
		return this.redactor;
	}

	/**
	 * Returns what connections that carried these secrets are kept under.
	 * @return the key
	 */
	SecretsKey key() {
		return this.key;
	}

	/**
	 * Passes on that an upstream refused the credentials.
	 * @param status 401 or 429
	 * @param retryAfter what the answer said of a time to wait, or {@code null}
	 * @return whether a source has another one now
	 */
	boolean refused(int status, @Nullable Duration retryAfter) {
		boolean another = false;
		for (Sent each : this.sent.values()) {
			try {
				another |= each.source().refused(each.use(), each.credential(), status, retryAfter);
			}
			catch (Throwable ex) {
				keepInterrupt(ex);
				logger.warn("Credential source '{}' failed with {} when told of status {}", each.name(),
						ex.getClass().getName(), status);
			}
		}
		return another;
	}

	/**
	 * Says nothing of the secrets.
	 */
	@Override
	public String toString() {
		return "RuleSecrets[headers=" + this.headers.size() + "]";
	}

	/**
	 * A credential that goes with the request, and where it is from.
	 */
	private record Sent(String name, CredentialSource source, CredentialSource.Use use, Credential credential) {

	}

	/**
	 * A header that hides its value from whoever prints it.
	 */
	private record SecretHeader(String name, String value) implements Header {

		@Override
		public String getName() {
			return this.name;
		}

		@Override
		public String getValue() {
			return this.value;
		}

		@Override
		public boolean isSensitive() {
			return true;
		}

		@Override
		public String toString() {
			return this.name + ": (hidden)";
		}

	}

}
