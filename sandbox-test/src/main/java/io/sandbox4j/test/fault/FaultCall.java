package io.sandbox4j.test.fault;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A request that a {@link FaultProviderServer} got. It holds no credentials: headers
 * whose names sound like theirs have the value {@code ***}.
 *
 * @param number the call's number, counted from 1
 * @param step what was done with it
 * @param headers the headers by their names in lower case
 * @param body the body as text
 * @since 0.1.0
 */
public record FaultCall(int number, FaultStep step, Map<String, String> headers, String body) {

	// Rather a header too many than a key.
	private static final Pattern CREDENTIALS = Pattern
		.compile("auth|key|token|secret|cookie|credential|password|session|signature", Pattern.CASE_INSENSITIVE);

	/**
	 * Creates a call.
	 * @param number the call's number, counted from 1
	 * @param step what was done with it
	 * @param headers the headers by their names in lower case; they are copied without
	 * credentials
	 * @param body the body as text
	 */
	public FaultCall {
		Objects.requireNonNull(step, "'step' must not be null");
		Objects.requireNonNull(body, "'body' must not be null");
		Map<String, String> copy = new TreeMap<>(headers);
		copy.replaceAll((name, value) -> CREDENTIALS.matcher(name).find() ? "***" : value);
		headers = Collections.unmodifiableMap(copy);
	}

}
