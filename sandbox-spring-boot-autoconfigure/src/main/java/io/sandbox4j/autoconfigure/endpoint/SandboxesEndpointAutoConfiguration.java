package io.sandbox4j.autoconfigure.endpoint;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.autoconfigure.SandboxDoctorAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxInstalls;
import io.sandbox4j.autoconfigure.SandboxTemplates;
import io.sandbox4j.checkpoint.Checkpoints;
import io.sandbox4j.doctor.SandboxDoctor;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.lease.SandboxLeases;
import io.sandbox4j.run.SandboxRuns;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for {@link SandboxesEndpoint}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxDoctorAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBooleanProperty(name = "sandbox.enabled", matchIfMissing = true)
@ConditionalOnBean(SandboxBackend.class)
@ConditionalOnAvailableEndpoint(SandboxesEndpoint.class)
public final class SandboxesEndpointAutoConfiguration {

	SandboxesEndpointAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	SandboxesEndpoint sandboxesEndpoint(SandboxBackend backend, ObjectProvider<SandboxTemplates> templates,
			ObjectProvider<SandboxGateway> gateway, ObjectProvider<SandboxDoctor> doctor,
			ObjectProvider<SandboxLeases> leases, ObjectProvider<SandboxRuns> runs,
			ObjectProvider<SandboxInstalls> installs, ObjectProvider<Checkpoints> checkpoints) {
		return new SandboxesEndpoint(backend, templates.getIfAvailable(), gateway.getIfAvailable(),
				doctor.getIfAvailable(), leases.getIfUnique(), runs.getIfUnique(), installs.getIfUnique(),
				checkpoints.getIfUnique());
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(SandboxesEndpoint.class)
	SandboxesEndpointWebExtension sandboxesEndpointWebExtension(SandboxesEndpoint endpoint) {
		return new SandboxesEndpointWebExtension(endpoint);
	}

}
