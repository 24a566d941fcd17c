package io.sandbox4j.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.doctor.DoctorCheck;
import io.sandbox4j.doctor.DoctorContext;
import io.sandbox4j.doctor.DoctorFinding;
import io.sandbox4j.doctor.DoctorReport;
import io.sandbox4j.doctor.DoctorStatus;
import io.sandbox4j.doctor.SandboxDoctor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.Ordered;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxDoctorAutoConfiguration}.
 */
class SandboxDoctorAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class, SandboxAutoConfiguration.class,
				SandboxDoctorAutoConfiguration.class))
		.withBean(SandboxBackend.class, () -> new StubSandboxBackend());

	@Test
	void checksOfTheApplicationRunInTheirOrder() {
		this.contextRunner.withBean("a", DoctorCheck.class, () -> new OwnCheck("later", 2))
			.withBean("b", DoctorCheck.class, () -> new OwnCheck("earlier", 1))
			.run((context) -> assertThat(context.getBean(SandboxDoctor.class).examine().findings())
				.extracting(DoctorFinding::name)
				.containsSubsequence("jvm", "earlier", "later"));
	}

	@Test
	void everyPolicyIsLookedAtByItsName() {
		this.contextRunner.withBean("open", NetworkPolicy.class, NetworkPolicy::allowAll)
			.withBean("closed", NetworkPolicy.class, NetworkPolicy::denyAll)
			.run((context) -> {
				DoctorReport report = context.getBean(SandboxDoctor.class).examine();
				assertThat(find(report, "network.open").status()).isEqualTo(DoctorStatus.WARN);
				assertThat(find(report, "network.closed").status()).isEqualTo(DoctorStatus.OK);
			});
	}

	@ParameterizedTest
	@CsvSource({ "20s,OK", "29s,OK", "30s,WARN", "31s,WARN" })
	void theDrainHasToFitIntoTheShutdown(String drain, DoctorStatus status) {
		this.contextRunner.withPropertyValues("sandbox.drain-timeout=" + drain)
			.run((context) -> assertThat(find(context.getBean(SandboxDoctor.class).examine(), "timeouts").status())
				.isEqualTo(status));
	}

	@Test
	void backsOff() {
		SandboxDoctor own = SandboxDoctor.builder(new StubSandboxBackend()).timeout(Duration.ofSeconds(1)).build();
		this.contextRunner.withBean("mine", SandboxDoctor.class, () -> own)
			.run((context) -> assertThat(context.getBean(SandboxDoctor.class)).isSameAs(own));
		this.contextRunner.withPropertyValues("sandbox.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(SandboxDoctor.class));
	}

	private static DoctorFinding find(DoctorReport report, String name) {
		return report.findings().stream().filter((finding) -> finding.name().equals(name)).findFirst().orElseThrow();
	}

	/**
	 * A check that an application brings.
	 */
	private record OwnCheck(String name, int order) implements DoctorCheck, Ordered {

		@Override
		public List<DoctorFinding> check(DoctorContext context) {
			return List.of(DoctorFinding.ok(this.name, ""));
		}

		@Override
		public int getOrder() {
			return this.order;
		}

	}

}
