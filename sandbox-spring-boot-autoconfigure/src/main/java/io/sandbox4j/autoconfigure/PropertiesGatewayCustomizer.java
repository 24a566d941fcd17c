package io.sandbox4j.autoconfigure;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

import io.sandbox4j.autoconfigure.SandboxGatewayProperties.Proxy;
import io.sandbox4j.gateway.GatewayLimits;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.gateway.SandboxGateway.HostProxy;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * Applies the properties to the builder. Values are checked here as well, because only
 * here it is known which property they came from.
 */
final class PropertiesGatewayCustomizer implements SandboxGatewayCustomizer {

	private static final String PREFIX = "sandbox.gateway.";

	private final SandboxGatewayProperties properties;

	private final SandboxNetworkProperties network;

	private final SslBundleContexts contexts;

	PropertiesGatewayCustomizer(SandboxGatewayProperties properties, SandboxNetworkProperties network,
			SslBundleContexts contexts) {
		this.properties = properties;
		this.network = network;
		this.contexts = contexts;
	}

	@Override
	public void customize(SandboxGateway.Builder builder) {
		builder.limits(limits());
		String bundle = this.properties.sslBundle();
		if (StringUtils.hasText(bundle)) {
			builder.tls(this.contexts.get(PREFIX + "ssl-bundle", bundle));
		}
		for (int i = 0; i < this.network.allow().size(); i++) {
			String name = this.network.allow().get(i).sslBundle();
			if (StringUtils.hasText(name)) {
				builder.tls(name, this.contexts.get(NetworkDeclarations.ALLOW + "[" + i + "].ssl-bundle", name));
			}
		}
		HostProxy proxy = proxy(this.properties.proxy());
		if (proxy != null) {
			builder.proxy(proxy);
		}
	}

	private GatewayLimits limits() {
		require(this.properties.maxRequests() > 0, "max-requests", "It must be at least 1.");
		require(this.properties.maxConnections() > 0, "max-connections", "It must be at least 1.");
		long head = this.properties.maxHead().toBytes();
		require(head > 0 && head <= Integer.MAX_VALUE, "max-head", "It must be at least 1 byte and less than 2 GB.");
		return new GatewayLimits(this.properties.maxRequests(), this.properties.maxConnections(), (int) head,
				notNegative("max-request-body", this.properties.maxRequestBody()),
				notNegative("max-response-body", this.properties.maxResponseBody()),
				positive("head-timeout", this.properties.headTimeout()),
				positive("connect-timeout", this.properties.connectTimeout()),
				positive("idle-timeout", this.properties.idleTimeout()),
				positive("keep-alive", this.properties.keepAlive()),
				positive("request-timeout", this.properties.requestTimeout()));
	}

	private static long notNegative(String name, DataSize value) {
		require(!value.isNegative(), name, "It must not be negative.");
		return value.toBytes();
	}

	private static Duration positive(String name, Duration value) {
		require(!value.isNegative() && !value.isZero(), name, "It must be more than 0.");
		return value;
	}

	private static @Nullable HostProxy proxy(Proxy proxy) {
		boolean user = proxy.username() != null;
		if (!StringUtils.hasText(proxy.url())) {
			require(!user, "proxy.username", "It is set, but 'sandbox.gateway.proxy.url' is not. Set that too.");
			require(proxy.password() == null, "proxy.password",
					"It is set, but 'sandbox.gateway.proxy.url' is not. Set that too.");
			return null;
		}
		require(user || proxy.password() == null, "proxy.password",
				"It is set, but 'sandbox.gateway.proxy.username' is not. Set that too.");
		return new HostProxy(address(proxy.url()), authorization(proxy), proxy.resolveNames());
	}

	private static URI address(String url) {
		URI address;
		try {
			address = new URI(url.strip());
		}
		catch (URISyntaxException ex) {
			// Without the cause, whose message has the URL, and what may be in it.
			throw new InvalidSandboxPropertyException(PREFIX + "proxy.url", "It must be a URL.");
		}
		require(address.getRawUserInfo() == null && url.indexOf('@') < 0, "proxy.url",
				"It must have no user. Set 'sandbox.gateway.proxy.username' and 'sandbox.gateway.proxy.password'.");
		String path = address.getRawPath();
		boolean bare = (path == null || path.isEmpty() || path.equals("/")) && address.getRawQuery() == null
				&& address.getRawFragment() == null;
		require("http".equalsIgnoreCase(address.getScheme()) && address.getHost() != null && bare, "proxy.url",
				"It must be http://, a host and a port, as in 'http://proxy.example:3128'.");
		return address;
	}

	private static @Nullable String authorization(Proxy proxy) {
		String name = proxy.username();
		if (name == null) {
			return null;
		}
		require(!name.isEmpty() && name.indexOf(':') < 0, "proxy.username",
				"It must not be empty and have no colon, which ends it in the header.");
		String pair = name + ":" + ((proxy.password() != null) ? proxy.password() : "");
		require(pair.chars().noneMatch(Character::isISOControl), "proxy.password",
				"It, or the user name, has a control character.");
		return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
	}

	private static void require(boolean condition, String name, String reason) {
		if (!condition) {
			throw new InvalidSandboxPropertyException(PREFIX + name, reason);
		}
	}

}
