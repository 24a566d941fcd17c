package io.sandbox4j.autoconfigure;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

import javax.net.ssl.SSLContext;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * The SSL bundles that properties name, as contexts that follow their bundles: what is
 * connected after a bundle was reloaded uses the new one.
 */
final class SslBundleContexts {

	private static final Logger logger = LoggerFactory.getLogger(SslBundleContexts.class);

	private final @Nullable SslBundles bundles;

	private final Map<String, SSLContext> contexts = new HashMap<>();

	SslBundleContexts(@Nullable SslBundles bundles) {
		this.bundles = bundles;
	}

	SSLContext get(String property, String name) {
		SSLContext known = this.contexts.get(name);
		if (known == null) {
			known = create(property, name);
			this.contexts.put(name, known);
		}
		return known;
	}

	private SSLContext create(String property, String name) {
		SslBundles registry = this.bundles;
		if (registry == null) {
			throw new InvalidSandboxPropertyException(property,
					"There are no SSL bundles, as the application has no bean of type 'SslBundles'.");
		}
		SslBundle bundle;
		try {
			bundle = registry.getBundle(name);
		}
		catch (NoSuchSslBundleException ex) {
			throw new InvalidSandboxPropertyException(property, "There is no SSL bundle '" + name
					+ "' below 'spring.ssl.bundle'. There are: " + new TreeSet<>(registry.getBundleNames()) + ".");
		}
		FollowingSslContext context;
		try {
			context = new FollowingSslContext(bundle);
		}
		catch (RuntimeException ex) {
			throw new InvalidSandboxPropertyException(property,
					"The SSL bundle '" + name + "' cannot be used: " + ex.getMessage(), ex);
		}
		registry.addBundleUpdateHandler(name, (updated) -> follow(name, context, updated));
		return context;
	}

	private static void follow(String name, FollowingSslContext context, SslBundle updated) {
		try {
			context.follow(updated);
			logger.info("The gateway uses the reloaded SSL bundle '{}' for new connections", name);
		}
		catch (RuntimeException ex) {
			logger.warn("The gateway keeps the old SSL bundle '{}', as the reloaded one cannot be used", name, ex);
		}
	}

}
