package io.sandbox4j.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

import io.sandbox4j.Restriction;
import io.sandbox4j.bubblewrap.BubblewrapBackendBuilder;
import io.sandbox4j.bubblewrap.ResourceLimits;
import io.sandbox4j.bubblewrap.WarmSettings;
import io.sandbox4j.session.SessionLimits;
import io.sandbox4j.storage.Durability;
import io.sandbox4j.storage.FileOwner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.Answers;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link PropertiesBackendCustomizer}.
 */
class PropertiesBackendCustomizerTests {

	private final BubblewrapBackendBuilder builder = mock(BubblewrapBackendBuilder.class, Answers.RETURNS_SELF);

	@Test
	void appliesTheDefaults() {
		customize(Map.of());
		then(this.builder).should().name("bubblewrap");
		then(this.builder).should().executable(Path.of("/usr/bin/bwrap"));
		then(this.builder).should().runAs(new FileOwner(65532, 65532));
		then(this.builder).should().cleanupTimeout(Duration.ofSeconds(2));
		then(this.builder).should().sessionLimits(SessionLimits.defaults());
		then(this.builder).should().resourceLimits(ResourceLimits.defaults());
		then(this.builder).should().warm(WarmSettings.defaults());
		then(this.builder).should().durability(Durability.PROCESS);
		then(this.builder).should().maxTemplateBytes(1024L * 1024 * 1024);
		then(this.builder).should().maxTemplateFiles(200_000);
		then(this.builder).should().maxWorkspaceBytes(0);
		then(this.builder).shouldHaveNoMoreInteractions();
	}

	@Test
	void appliesEveryProperty() {
		customize(Map.ofEntries(Map.entry("sandbox.name", "mine"), Map.entry("sandbox.state-directory", "/state"),
				Map.entry("sandbox.runtime-directory", "/runtime"), Map.entry("sandbox.executable", "/opt/bwrap"),
				Map.entry("sandbox.run-as.uid", "1001"), Map.entry("sandbox.run-as.gid", "1002"),
				Map.entry("sandbox.rootfs", "/rootfs"), Map.entry("sandbox.mounts[0].source", "/opt/jdk"),
				Map.entry("sandbox.mounts[0].target", "/jdk"), Map.entry("sandbox.mounts[1].source", "/opt/node"),
				Map.entry("sandbox.mounts[1].target", "/node"), Map.entry("sandbox.max-concurrent-commands", "3"),
				Map.entry("sandbox.cleanup-timeout", "5s"),
				Map.entry("sandbox.require", "write-contained,network-denied"),
				Map.entry("sandbox.storage.durability", "power-loss"),
				Map.entry("sandbox.storage.max-template-size", "2MB"),
				Map.entry("sandbox.storage.max-workspace-size", "3MB"),
				Map.entry("sandbox.storage.max-template-files", "7"), Map.entry("sandbox.limits.open-files", "100"),
				Map.entry("sandbox.limits.processes", "0"), Map.entry("sandbox.limits.file-size", "1KB"),
				Map.entry("sandbox.limits.cpu-time", "90s"), Map.entry("sandbox.limits.tmp-size", "8MB"),
				Map.entry("sandbox.limits.shm-size", "9MB"), Map.entry("sandbox.warm.per-session", "2"),
				Map.entry("sandbox.warm.max-per-session", "5"), Map.entry("sandbox.warm.total", "20"),
				Map.entry("sandbox.warm.idle", "3s"), Map.entry("sandbox.warm.max-age", "4s"),
				Map.entry("sandbox.warm.early", "true"), Map.entry("sandbox.files.max-read-size", "11B"),
				Map.entry("sandbox.files.max-write-size", "12B"), Map.entry("sandbox.files.max-stream-size", "13B"),
				Map.entry("sandbox.files.max-entries", "14")));
		then(this.builder).should().name("mine");
		then(this.builder).should().stateDirectory(Path.of("/state"));
		then(this.builder).should().runtimeDirectory(Path.of("/runtime"));
		then(this.builder).should().executable(Path.of("/opt/bwrap"));
		then(this.builder).should().runAs(new FileOwner(1001, 1002));
		then(this.builder).should().rootfs(Path.of("/rootfs"));
		then(this.builder).should().mount(Path.of("/opt/jdk"), "/jdk");
		then(this.builder).should().mount(Path.of("/opt/node"), "/node");
		then(this.builder).should().cleanupTimeout(Duration.ofSeconds(5));
		then(this.builder).should().require(Set.of(Restriction.WRITE_CONTAINED, Restriction.NETWORK_DENIED));
		then(this.builder).should().durability(Durability.POWER_LOSS);
		then(this.builder).should().maxTemplateBytes(2 * 1024 * 1024);
		then(this.builder).should().maxTemplateFiles(7);
		then(this.builder).should().maxWorkspaceBytes(3 * 1024 * 1024);
		then(this.builder).should()
			.resourceLimits(new ResourceLimits(100, 0, 1024, Duration.ofSeconds(90), 8 * 1024 * 1024, 9 * 1024 * 1024));
		then(this.builder).should()
			.warm(new WarmSettings(2, 5, 20, Duration.ofSeconds(3), Duration.ofSeconds(4), true));
		then(this.builder).should().sessionLimits(new SessionLimits(3, 11, 12, 13, 14));
		then(this.builder).shouldHaveNoMoreInteractions();
	}

	@Test
	void buildsNoSandboxBeforeItsCommandWhenToldSo() {
		customize(Map.of("sandbox.warm.per-session", "0"));
		then(this.builder).should()
			.warm(new WarmSettings(0, 0, 64, Duration.ofMinutes(1), Duration.ofMinutes(10), false));
	}

	@Test
	void aSessionMayKeepAsManyAsItIsToldTo() {
		customize(Map.of("sandbox.warm.per-session", "6"));
		then(this.builder).should()
			.warm(new WarmSettings(6, 6, 64, Duration.ofMinutes(1), Duration.ofMinutes(10), false));
	}

	@Test
	void requiresNothingWhenToldSo() {
		customize(Map.of("sandbox.require", ""));
		then(this.builder).should().require(Set.of());
	}

	@ParameterizedTest
	@CsvSource({ "sandbox.name,' '", "sandbox.state-directory,state", "sandbox.runtime-directory,./run",
			"sandbox.executable,bwrap", "sandbox.rootfs,rootfs", "sandbox.run-as.uid,0", "sandbox.run-as.gid,-1",
			"sandbox.mounts[0].source,opt", "sandbox.max-concurrent-commands,0", "sandbox.max-concurrent-commands,1025",
			"sandbox.cleanup-timeout,0s", "sandbox.cleanup-timeout,31s", "sandbox.storage.max-template-size,0B",
			"sandbox.storage.max-template-files,0", "sandbox.storage.max-workspace-size,-1B",
			"sandbox.limits.open-files,15", "sandbox.limits.processes,-1", "sandbox.limits.file-size,511B",
			"sandbox.limits.cpu-time,999ms", "sandbox.limits.tmp-size,4095B", "sandbox.limits.shm-size,0B",
			"sandbox.warm.per-session,-1", "sandbox.warm.per-session,65", "sandbox.warm.max-per-session,0",
			"sandbox.warm.max-per-session,65", "sandbox.warm.total,0", "sandbox.warm.total,301", "sandbox.warm.idle,0s",
			"sandbox.warm.max-age,-1s", "sandbox.files.max-read-size,0B", "sandbox.files.max-write-size,-1B",
			"sandbox.files.max-stream-size,0B", "sandbox.files.max-entries,0" })
	void namesTheInvalidProperty(String property, String value) {
		assertThatExceptionOfType(InvalidSandboxPropertyException.class)
			.isThrownBy(() -> customize(Map.of(property, value)))
			.withMessageContaining("'" + property + "'")
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(property));
	}

	@Test
	void namesThePartOfAMountThatIsMissing() {
		assertThatExceptionOfType(InvalidSandboxPropertyException.class)
			.isThrownBy(() -> customize(Map.of("sandbox.mounts[0].target", "/jdk")))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("sandbox.mounts[0].source"));
		assertThatExceptionOfType(InvalidSandboxPropertyException.class)
			.isThrownBy(() -> customize(Map.of("sandbox.mounts[0].source", "/opt/jdk")))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("sandbox.mounts[0].target"));
	}

	private void customize(Map<String, String> properties) {
		SandboxProperties bound = new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("sandbox",
				SandboxProperties.class);
		new PropertiesBackendCustomizer(bound).customize(this.builder);
	}

}
