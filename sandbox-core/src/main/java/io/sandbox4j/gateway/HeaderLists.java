package io.sandbox4j.gateway;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.sandbox4j.OriginRule;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.message.BasicHeader;
import org.jspecify.annotations.Nullable;

/**
 * Which headers pass. Only those of a list do, in both directions, so that nothing a
 * guest or an upstream thinks of gets through unseen. What frames the body, and
 * {@code Host}, is set elsewhere.
 */
final class HeaderLists {

	/**
	 * What guests may send to every origin: what they accept, what they send, conditions
	 * and ranges. Nothing that authorizes or names a place.
	 */
	static final Set<String> REQUEST = Set.of("accept", "accept-encoding", "accept-language", "cache-control",
			"content-encoding", "content-language", "content-type", "git-protocol", "idempotency-key", "if-match",
			"if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "last-event-id", "pragma", "range",
			"user-agent");

	private static final Set<String> RESPONSE = Set.of("accept-ranges", "age", "allow", "cache-control",
			"content-disposition", "content-encoding", "content-language", "content-range", "content-type", "date",
			"etag", "expires", "last-modified", "link", "retry-after", "vary");

	private static final List<String> RESPONSE_PREFIXES = List.of("ratelimit-", "x-ratelimit-");

	/**
	 * Of one connection (RFC 9110 section 7.6.1), of the framing, or set by the gateway.
	 */
	private static final Set<String> NEVER = Set.of("connection", "content-length", "expect", "host", "http2-settings",
			"keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization", "proxy-connection",
			"te", "trailer", "transfer-encoding", "upgrade");

	private static final String USER_AGENT = "User-Agent";

	private static final String ACCEPT_ENCODING = "Accept-Encoding";

	private HeaderLists() {
	}

	/**
	 * Chooses what goes to an upstream. A header that the rule sets stands once, with the
	 * rule's value. Where the answer is searched for secrets it is asked for as it is, as
	 * nothing is found in what is compressed.
	 * @param guest what the guest sent
	 * @param rule the rule
	 * @param secrets what the rule adds
	 * @return the headers, without the framing
	 */
	static List<Header> request(Header[] guest, OriginRule rule, RuleSecrets secrets) {
		Set<String> dropped = nominated(guest);
		Set<String> present = new HashSet<>();
		for (Header header : secrets.headers()) {
			dropped.add(header.getName().toLowerCase(Locale.ROOT));
			present.add(header.getName().toLowerCase(Locale.ROOT));
		}
		boolean plain = !secrets.redactor().isEmpty();
		if (plain) {
			dropped.add("accept-encoding");
		}
		List<Header> passed = new ArrayList<>();
		for (Header header : guest) {
			String name = header.getName().toLowerCase(Locale.ROOT);
			boolean listed = REQUEST.contains(name) || rule.requestHeaders().contains(name);
			if (listed && !NEVER.contains(name) && !dropped.contains(name) && isText(header.getValue())) {
				passed.add(header);
				present.add(name);
			}
		}
		if (plain && !present.contains("accept-encoding")) {
			passed.add(new BasicHeader(ACCEPT_ENCODING, "identity"));
		}
		if (!present.contains("user-agent")) {
			// Some services, GitHub among them, refuse requests without one.
			passed.add(new BasicHeader(USER_AGENT, "sandbox4j"));
		}
		passed.addAll(secrets.headers());
		return passed;
	}

	/**
	 * Chooses what goes back to the guest.
	 * @param status the status of the answer
	 * @param upstream what the upstream sent
	 * @param rule the rule
	 * @param redactor masks the values
	 * @return the headers, without the framing
	 */
	static Answer response(int status, Header[] upstream, OriginRule rule, Redactor redactor) {
		Set<String> dropped = nominated(upstream);
		List<Header> passed = new ArrayList<>();
		boolean redacted = false;
		for (Header header : upstream) {
			String name = header.getName().toLowerCase(Locale.ROOT);
			String value = (header.getValue() != null) ? header.getValue() : "";
			if (!isListed(name, status, rule) || NEVER.contains(name) || dropped.contains(name) || !isText(value)) {
				continue;
			}
			String masked = redactor.mask(value);
			boolean nameHolds = !redactor.mask(header.getName()).equals(header.getName());
			redacted |= nameHolds || !masked.equals(value);
			if (!nameHolds) {
				passed.add(new BasicHeader(header.getName(), masked));
			}
		}
		return new Answer(passed, redacted);
	}

	private static boolean isListed(String name, int status, OriginRule rule) {
		return RESPONSE.contains(name) || rule.responseHeaders().contains(name)
				|| (name.equals("location") && status == HttpStatus.SC_CREATED) || hasListedPrefix(name);
	}

	private static boolean hasListedPrefix(String name) {
		for (String prefix : RESPONSE_PREFIXES) {
			if (name.startsWith(prefix)) {
				return true;
			}
		}
		return false;
	}

	private static Set<String> nominated(Header[] headers) {
		Set<String> names = new HashSet<>();
		for (Header header : headers) {
			if (header.getName().equalsIgnoreCase("connection") && header.getValue() != null) {
				for (String name : header.getValue().split(",")) {
					names.add(name.strip().toLowerCase(Locale.ROOT));
				}
			}
		}
		return names;
	}

	private static boolean isText(@Nullable String value) {
		for (int i = 0; value != null && i < value.length(); i++) {
			char c = value.charAt(i);
			if ((c < 0x20 && c != '\t') || c == 0x7f) {
				return false;
			}
		}
		return true;
	}

	/**
	 * The headers of an answer.
	 *
	 * @param headers what goes to the guest
	 * @param redacted whether a secret was found in them
	 */
	record Answer(List<Header> headers, boolean redacted) {

	}

}
