package io.sandbox4j.autoconfigure;

import java.util.Map;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import io.sandbox4j.doctor.DoctorCheck;
import io.sandbox4j.doctor.SandboxDoctor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for {@link SandboxDoctor}, which runs the {@link DoctorCheck} beans
 * after its own checks.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "sandbox.enabled", matchIfMissing = true)
@ConditionalOnBean(SandboxBackend.class)
public final class SandboxDoctorAutoConfiguration {

	SandboxDoctorAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	SandboxDoctor sandboxDoctor(SandboxBackend backend, SandboxProperties properties,
			ObjectProvider<LifecycleProperties> lifecycle, ObjectProvider<Map<String, NetworkPolicy>> networks,
			ObjectProvider<DoctorCheck> checks) {
		SandboxDoctor.Builder builder = SandboxDoctor.builder(backend);
		if (backend instanceof BubblewrapBackend bubblewrap) {
			builder.executable(bubblewrap.executable())
				.stateDirectory(bubblewrap.stateDirectory())
				.runtimeDirectory(bubblewrap.runtimeDirectory());
		}
		networks.ifAvailable((beans) -> beans.forEach(builder::network));
		lifecycle.ifAvailable((phase) -> builder
			.check(new TimeoutsCheck(properties.drainTimeout(), phase.getTimeoutPerShutdownPhase())));
		checks.orderedStream().forEach(builder::check);
		return builder.build();
	}

}
