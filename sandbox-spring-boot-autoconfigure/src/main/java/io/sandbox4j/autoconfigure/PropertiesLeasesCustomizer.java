package io.sandbox4j.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;

import io.sandbox4j.lease.LeaseSpec;
import io.sandbox4j.lease.SandboxLeasesBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Applies the properties to the builder of leases and to those of specifications. Values
 * are checked here as well, and once, because only here it is known which property they
 * came from.
 */
final class PropertiesLeasesCustomizer implements SandboxLeasesCustomizer {

	private static final String PREFIX = "sandbox.lease.";

	private static final Duration LONGEST = Duration.ofDays(3650);

	private final SandboxLeaseProperties properties;

	private final Function<@Nullable Path, Path> journal;

	/**
	 * Creates a customizer.
	 * @param properties the properties, which are checked now
	 * @param journal finds the directory of the journal from the value of its property
	 */
	PropertiesLeasesCustomizer(SandboxLeaseProperties properties, Function<@Nullable Path, Path> journal) {
		requireValid(properties);
		this.properties = properties;
		this.journal = journal;
	}

	static void requireValid(SandboxLeaseProperties properties) {
		require(properties.maxActive() >= 1, "max-active", "It must be at least 1.");
		require(properties.maxWaiting() >= 1, "max-waiting", "It must be at least 1.");
		bounded("lifetime", properties.lifetime());
		bounded("max-lifetime", properties.maxLifetime());
		require(properties.maxLifetime().compareTo(properties.lifetime()) >= 0, "max-lifetime",
				"It must not be less than 'sandbox.lease.lifetime', which is " + properties.lifetime() + ".");
		if (!properties.idleTimeout().isZero()) {
			bounded("idle-timeout", properties.idleTimeout());
		}
		Duration reclaimAfter = properties.reclaimAfter();
		if (reclaimAfter != null) {
			bounded("reclaim-after", reclaimAfter);
		}
		bounded("sweep-interval", properties.sweepInterval());
	}

	private static void bounded(String name, Duration value) {
		require(value.toMillis() >= 1 && value.compareTo(LONGEST) <= 0, name,
				"It must be at least 1 ms and at most " + LONGEST.toDays() + " days.");
	}

	private static void require(boolean condition, String name, String reason) {
		if (!condition) {
			throw new InvalidSandboxPropertyException(PREFIX + name, reason);
		}
	}

	@Override
	public void customize(SandboxLeasesBuilder builder) {
		builder.maxActive(this.properties.maxActive())
			.maxWaiting(this.properties.maxWaiting())
			.sweepInterval(this.properties.sweepInterval());
		if (this.properties.reclaimAfter() != null) {
			builder.reclaimAfter(this.properties.reclaimAfter());
		}
		if (this.properties.journal().enabled()) {
			builder.journal(this.journal.apply(this.properties.journal().directory()));
		}
	}

	static LeaseSpec.Builder apply(SandboxLeaseProperties properties, LeaseSpec.Builder builder) {
		builder.lifetime(properties.lifetime()).maxLifetime(properties.maxLifetime());
		if (!properties.idleTimeout().isZero()) {
			builder.idleTimeout(properties.idleTimeout());
		}
		return builder;
	}

}
