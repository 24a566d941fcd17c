package io.sandbox4j.gateway;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Masks secrets that an upstream reflects, each byte with an asterisk, so that lengths
 * and ranges stay true. Found are: the value of a header, what follows its scheme
 * ({@code Bearer}, {@code token}), and for {@code Basic} the decoded pair and password;
 * as they are, in base64 also within a larger text, in hexadecimal, percent-encoded, and
 * escaped for JSON and HTML. Not found: values under {@value #MIN_BYTES} bytes, which
 * cannot be told from ordinary text; a secret that the upstream cuts in parts, breaks
 * into lines, compresses or encodes twice; and in base64 the character at either end that
 * shares its bits with a neighbour. Immutable; dear to build, so to be kept.
 */
final class Redactor {

	static final int MIN_BYTES = 8;

	/**
	 * Knows no secret.
	 */
	static final Redactor NONE = new Redactor(new PatternAutomaton(List.of()));

	/**
	 * GitHub's: then the token is the user's name.
	 */
	private static final String NO_PASSWORD = "x-oauth-basic";

	private final PatternAutomaton automaton;

	private Redactor(PatternAutomaton automaton) {
		this.automaton = automaton;
	}

	/**
	 * Knows the secrets of some headers.
	 * @param headerValues the values
	 * @return the redactor
	 * @throws IllegalArgumentException if they are too long to be searched for
	 */
	static Redactor of(Collection<String> headerValues) {
		SecretForms forms = new SecretForms();
		for (String value : headerValues) {
			add(forms, value.getBytes(StandardCharsets.UTF_8));
			int blank = value.indexOf(' ');
			if (blank > 0) {
				String rest = value.substring(blank + 1).strip();
				add(forms, rest.getBytes(StandardCharsets.UTF_8));
				if (value.substring(0, blank).toLowerCase(Locale.ROOT).equals("basic")) {
					addBasic(forms, rest);
				}
			}
		}
		return forms.forms().isEmpty() ? NONE : new Redactor(new PatternAutomaton(forms.forms()));
	}

	private static void addBasic(SecretForms forms, String rest) {
		byte[] pair;
		try {
			pair = Base64.getDecoder().decode(rest);
		}
		catch (IllegalArgumentException ex) {
			// Then it is no such pair, and the upstream cannot decode it either.
			return;
		}
		add(forms, pair);
		int colon = new String(pair, StandardCharsets.ISO_8859_1).indexOf(':');
		if (colon >= 0) {
			byte[] password = Arrays.copyOfRange(pair, colon + 1, pair.length);
			add(forms, password);
			// Some services take the secret as the user's name.
			if (password.length < MIN_BYTES || new String(password, StandardCharsets.ISO_8859_1).equals(NO_PASSWORD)) {
				add(forms, Arrays.copyOf(pair, colon));
			}
		}
	}

	private static void add(SecretForms forms, byte[] secret) {
		if (secret.length >= MIN_BYTES) {
			forms.add(secret);
		}
	}

	boolean isEmpty() {
		return this.automaton.isEmpty();
	}

	/**
	 * Returns how large the redactor is.
	 * @return the states of its automaton, about 25 bytes each
	 */
	int states() {
		return this.automaton.states();
	}

	/**
	 * Masks a header's value.
	 * @param headerValue the value, a character for a byte as HttpCore reads it
	 * @return the value itself if nothing was found
	 */
	String mask(String headerValue) {
		if (isEmpty() || headerValue.length() < this.automaton.shortest()) {
			return headerValue;
		}
		byte[] bytes = headerValue.getBytes(StandardCharsets.ISO_8859_1);
		PatternAutomaton.Scan scan = this.automaton.scan();
		scan.mask(bytes, 0, bytes.length);
		if (!scan.found()) {
			return headerValue;
		}
		char[] masked = headerValue.toCharArray();
		for (int i = 0; i < masked.length; i++) {
			if (bytes[i] == PatternAutomaton.MASK) {
				masked[i] = '*';
			}
		}
		return new String(masked);
	}

	/**
	 * Masks a body.
	 * @param in the body
	 * @return the masked body, of the same length
	 */
	RedactingInputStream over(InputStream in) {
		return new RedactingInputStream(in, this.automaton);
	}

	/**
	 * Says nothing of the secrets.
	 */
	@Override
	public String toString() {
		return "Redactor";
	}

}
