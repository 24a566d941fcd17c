package io.sandbox4j.autoconfigure.endpoint;

import java.util.regex.Pattern;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for what keeps the secrets of {@code sandbox.*} out of the
 * {@code env} and {@code configprops} endpoints, also when those show values. It holds
 * with {@code sandbox.enabled=false} too: the values are in the environment then as well.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(SanitizingFunction.class)
public final class SandboxSanitizingAutoConfiguration {

	/**
	 * Headers of a rule, however the key is written: not the lists 'request-headers' and
	 * 'response-headers', which hold names.
	 */
	private static final Pattern HEADERS = Pattern
		.compile("sandbox[._](?:network|credentials[._]gateway)[._]allow.*[._\\]]headers(?:[._\\[].*)?");

	private static final Pattern PROXY = Pattern.compile("sandbox[._]gateway[._]proxy[._](?:url|username|password)");

	/**
	 * Several properties in one text, as in SPRING_APPLICATION_JSON and sun.java.command.
	 */
	private static final Pattern SEVERAL = Pattern.compile("(?is).*sandbox.*(?:headers|proxy).*");

	SandboxSanitizingAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean(name = "sandboxSanitizingFunction")
	SanitizingFunction sandboxSanitizingFunction() {
		return SandboxSanitizingAutoConfiguration::sanitize;
	}

	private static SanitizableData sanitize(SanitizableData data) {
		String key = data.getLowerCaseKey();
		boolean secret = HEADERS.matcher(key).matches() || PROXY.matcher(key).matches()
				|| (data.getValue() instanceof CharSequence text && SEVERAL.matcher(text).matches());
		return (secret) ? data.withSanitizedValue() : data;
	}

}
