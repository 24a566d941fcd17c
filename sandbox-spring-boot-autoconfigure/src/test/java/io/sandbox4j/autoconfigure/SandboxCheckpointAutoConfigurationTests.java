package io.sandbox4j.autoconfigure;

import java.nio.file.Path;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.checkpoint.Checkpoint;
import io.sandbox4j.checkpoint.Checkpoints;
import io.sandbox4j.checkpoint.SnapshotStore;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.test.InMemorySnapshotStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxCheckpointAutoConfiguration}.
 */
class SandboxCheckpointAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
				SandboxCheckpointAutoConfiguration.class));

	private final ApplicationContextRunner fakeRunner = this.contextRunner
		.withBean(SandboxBackend.class, FakeSandboxBackend::new)
		.withPropertyValues("sandbox.probe-at-start=false", "sandbox.checkpoint.enabled=true");

	@TempDir(factory = PassableTempDirFactory.class)
	private Path directory;

	@ParameterizedTest
	@CsvSource({ "sandbox.enabled, false", "sandbox.checkpoint.enabled, false" })
	void makesNothingWhenDisabled(String property, String value) {
		this.fakeRunner.withPropertyValues(property + "=" + value)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(Checkpoints.class)
				.doesNotHaveBean(SnapshotStore.class));
	}

	@Test
	void usesTheStoreOfTheUser() {
		InMemorySnapshotStore store = new InMemorySnapshotStore();
		this.fakeRunner.withBean(SnapshotStore.class, () -> store)
			.run((context) -> assertThat(context).hasSingleBean(Checkpoints.class)
				.getBean(SnapshotStore.class)
				.isSameAs(store));
	}

	@Test
	void backsOffWhenUserProvidesTheBean() {
		Checkpoints mine = Checkpoints.builder(new InMemorySnapshotStore()).build();
		this.fakeRunner.withPropertyValues("sandbox.checkpoint.directory=" + this.directory.resolve("store"))
			.withBean("mine", Checkpoints.class, () -> mine)
			.run((context) -> assertThat(context.getBean(Checkpoints.class)).isSameAs(mine));
	}

	@ParameterizedTest
	@CsvSource({ "max-bytes, 0B", "max-files, 0", "timeout, 0s", "abandoned-after, 10m", "directory, relative" })
	void failsOnAnInvalidValueAndNamesTheProperty(String name, String value) {
		this.fakeRunner.withPropertyValues("sandbox.checkpoint.directory=" + this.directory.resolve("store"))
			.withPropertyValues("sandbox.checkpoint." + name + "=" + value)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidSandboxPropertyException.class)
				.hasMessageContaining("sandbox.checkpoint." + name));
	}

	@Test
	@Tag("isolation")
	void capturesASandboxOfTheBackend() {
		this.contextRunner
			.withPropertyValues("sandbox.state-directory=" + this.directory.resolve("state"),
					"sandbox.runtime-directory=" + this.directory.resolve("run"), "sandbox.checkpoint.enabled=true",
					"sandbox.checkpoint.power-loss=true")
			.run((context) -> {
				SandboxBackend backend = context.getBean(SandboxBackend.class);
				PreparedTemplate template = backend.prewarm(SandboxTemplate.named("empty").build());
				try (SandboxHandle sandbox = backend
					.create(SandboxRequest.from(template).network(NetworkPolicy.denyAll()).build())) {
					sandbox.session().run(ExecSpec.shell("echo one >f")).orThrow();
					Checkpoint checkpoint = context.getBean(Checkpoints.class).capture(sandbox);
					assertThat(checkpoint.files()).isEqualTo(1);
					assertThat(this.directory.resolve("state/checkpoints")).isDirectory();
				}
			});
	}

}
