package io.sandbox4j.bubblewrap;

import java.util.Map;
import java.util.TreeMap;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.Origin;
import io.sandbox4j.OriginRule;
import io.sandbox4j.gateway.GatewaySession;

/**
 * The variables of every command, which a command's own replace. Where origins are
 * listed, they lead programs to the gateway. No secret is among them: what a rule adds to
 * requests stays with the gateway.
 */
final class GuestEnvironment {

	/**
	 * Where the guest sees the gateway's directory.
	 */
	static final String DIRECTORY = "/run/sandbox";

	/**
	 * Where the guest sees the gateway's socket.
	 */
	static final String SOCKET = DIRECTORY + "/" + GatewaySession.SOCKET;

	/**
	 * What every command has.
	 */
	static final Map<String, String> BASE = Map.of("HOME", "/workspace", "LANG", "C.UTF-8", "PATH",
			"/usr/local/bin:/usr/bin:/bin", "TERM", "dumb", "TMPDIR", "/tmp");

	private static final String PROXY = "http://127.0.0.1:" + Relay.PORT;

	private static final String NO_PROXY = "localhost,127.0.0.1,::1";

	private GuestEnvironment() {
	}

	/**
	 * Returns the variables under a policy.
	 * @param policy the policy
	 * @param relay whether the sandbox has a relay
	 * @return names and values
	 */
	static Map<String, String> of(NetworkPolicy policy, boolean relay) {
		if (!(policy instanceof NetworkPolicy.AllowList list) || list.rules().isEmpty()) {
			return BASE;
		}
		Map<String, String> environment = new TreeMap<>(BASE);
		environment.put("SANDBOX_GATEWAY_SOCKET", SOCKET);
		if (relay) {
			addProxy(environment);
			addGit(environment, list);
		}
		list.rules().forEach((rule) -> environment.putAll(rule.environment()));
		return Map.copyOf(environment);
	}

	// Also for https: the gateway answers a CONNECT with what to do instead, where a name
	// that does not resolve explains nothing. curl takes http_proxy in small letters
	// only.
	private static void addProxy(Map<String, String> environment) {
		environment.put("http_proxy", PROXY);
		environment.put("HTTP_PROXY", PROXY);
		environment.put("https_proxy", PROXY);
		environment.put("HTTPS_PROXY", PROXY);
		environment.put("no_proxy", NO_PROXY);
		environment.put("NO_PROXY", NO_PROXY);
		environment.put("NODE_USE_ENV_PROXY", "1");
		environment.put("NODE_OPTIONS", NodeFetch.OPTIONS);
	}

	// The gateway speaks TLS to the origin, so git asks for http where a URL says https.
	private static void addGit(Map<String, String> environment, NetworkPolicy.AllowList list) {
		environment.put("GIT_TERMINAL_PROMPT", "0");
		int count = 0;
		for (OriginRule rule : list.rules()) {
			Origin origin = rule.origin();
			if (origin.secure()) {
				environment.put("GIT_CONFIG_KEY_" + count, "url.http://" + origin.authority() + "/.insteadOf");
				environment.put("GIT_CONFIG_VALUE_" + count, origin + "/");
				count++;
			}
		}
		if (count > 0) {
			environment.put("GIT_CONFIG_COUNT", Integer.toString(count));
		}
	}

}
