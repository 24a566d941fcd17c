package io.sandbox4j.autoconfigure.metrics;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sandbox4j.install.InstallListener;
import io.sandbox4j.install.InstallState;

/**
 * Counts installs by how they ended. Thread-safe.
 *
 * @since 0.1.0
 */
public final class SandboxInstallMetrics implements InstallListener, MeterBinder {

	private final List<MeterProvider<Counter>> bound = new CopyOnWriteArrayList<>();

	@Override
	public void bindTo(MeterRegistry registry) {
		this.bound.add(Counter.builder("sandbox.installs")
			.description("Installs of dependencies by how they ended")
			.baseUnit("installs")
			.withRegistry(registry));
	}

	@Override
	public void onSettled(String sessionId, String directory, InstallState state) {
		String outcome = state.getClass().getSimpleName().toLowerCase(Locale.ROOT);
		this.bound.forEach((counter) -> counter.withTag("outcome", outcome).increment());
	}

}
