package io.sandbox4j.autoconfigure.endpoint;

import java.util.Map;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.autoconfigure.SandboxCredentialsProperties;
import io.sandbox4j.autoconfigure.SandboxGatewayProperties;
import io.sandbox4j.autoconfigure.SandboxLeaseProperties;
import io.sandbox4j.autoconfigure.SandboxNetworkProperties;
import io.sandbox4j.autoconfigure.SandboxProperties;
import io.sandbox4j.autoconfigure.endpoint.SandboxesEndpoint.DoctorDescriptor;
import io.sandbox4j.autoconfigure.endpoint.SandboxesEndpoint.LeaseDescriptor;
import io.sandbox4j.autoconfigure.endpoint.SandboxesEndpoint.LeasesDescriptor;
import io.sandbox4j.autoconfigure.endpoint.SandboxesEndpoint.OwnerDescriptor;
import io.sandbox4j.autoconfigure.endpoint.SandboxesEndpoint.SandboxDescriptor;
import io.sandbox4j.autoconfigure.endpoint.SandboxesEndpoint.SandboxesDescriptor;
import io.sandbox4j.doctor.DoctorFinding;
import io.sandbox4j.gateway.GatewayStatus;
import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.env.MapPropertySource;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that ahead-of-time processing finds what is reflective by itself, so that no
 * hints are written by hand.
 */
class SandboxAotTests {

	@Test
	void everythingReflectiveIsFound() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("management.endpoints.web.exposure.include", "sandboxes")));
		context.register(Application.class);
		InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(Application.class)), files);
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		generation.writeGeneratedContent();
		RuntimeHints hints = generation.getRuntimeHints();
		assertThat(RuntimeHintsPredicates.reflection().onType(SandboxProperties.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(SandboxProperties.Template.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(SandboxProperties.Mount.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(SandboxesDescriptor.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(SandboxDescriptor.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(DoctorDescriptor.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(DoctorFinding.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(OwnerDescriptor.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(LeasesDescriptor.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(LeaseDescriptor.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(SandboxLeaseProperties.Journal.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(SandboxCredentialsProperties.Gateway.class))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(AdmissionStatus.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(GatewayStatus.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(SandboxNetworkProperties.Rule.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(SandboxNetworkProperties.CredentialHeader.class))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(SandboxGatewayProperties.Proxy.class)).accepts(hints);
		assertThat(files.getGeneratedFiles(Kind.SOURCE).keySet())
			.anyMatch((name) -> name.contains("SandboxAutoConfiguration__BeanDefinitions"))
			.anyMatch((name) -> name.contains("SandboxGatewayAutoConfiguration__BeanDefinitions"))
			.anyMatch((name) -> name.contains("SandboxesEndpointAutoConfiguration__BeanDefinitions"));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
