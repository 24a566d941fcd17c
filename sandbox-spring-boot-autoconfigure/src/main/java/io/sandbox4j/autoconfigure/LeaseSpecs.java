package io.sandbox4j.autoconfigure;

import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxException;
import io.sandbox4j.lease.LeaseKey;
import io.sandbox4j.lease.LeaseSpec;

/**
 * Starts specifications of leases that have what the properties say: the template, the
 * network policy, the lifetimes and the broker of credentials. What is set on the builder
 * replaces it. Thread-safe.
 *
 * @since 0.1.0
 */
public final class LeaseSpecs {

	private final Supplier<PreparedTemplate> template;

	private final UnaryOperator<LeaseSpec.Builder> defaults;

	LeaseSpecs(Supplier<PreparedTemplate> template, UnaryOperator<LeaseSpec.Builder> defaults) {
		this.template = Objects.requireNonNull(template, "'template' must not be null");
		this.defaults = Objects.requireNonNull(defaults, "'defaults' must not be null");
	}

	/**
	 * Starts a specification with the template of {@code sandbox.lease.template}, or with
	 * an empty workspace.
	 * @param key what the lease is found by
	 * @return a builder
	 */
	public LeaseSpec.Builder builder(LeaseKey key) {
		return builder(key, this.template.get());
	}

	/**
	 * Starts a specification with another template.
	 * @param key what the lease is found by
	 * @param template what its workspace starts with
	 * @return a builder
	 */
	public LeaseSpec.Builder builder(LeaseKey key, PreparedTemplate template) {
		return this.defaults.apply(LeaseSpec.builder(key, template));
	}

	/**
	 * Returns the specification that has nothing but what the properties say.
	 * @param key what the lease is found by
	 * @return the specification
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if the application has
	 * several network policies and none of them is the primary one
	 */
	public LeaseSpec of(LeaseKey key) {
		return builder(key).build();
	}

}
