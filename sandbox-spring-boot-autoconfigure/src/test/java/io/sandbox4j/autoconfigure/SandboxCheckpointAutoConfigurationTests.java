package io.sandbox4j.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.autoconfigure.endpoint.CheckpointsDescriptor;
import io.sandbox4j.autoconfigure.endpoint.CheckpointsDescriptor.CheckpointDescriptor;
import io.sandbox4j.autoconfigure.endpoint.SandboxesEndpoint;
import io.sandbox4j.autoconfigure.endpoint.SandboxesEndpoint.SandboxDescriptor;
import io.sandbox4j.autoconfigure.endpoint.SandboxesEndpointAutoConfiguration;
import io.sandbox4j.autoconfigure.metrics.SandboxCheckpointMetricsAutoConfiguration;
import io.sandbox4j.checkpoint.Checkpoint;
import io.sandbox4j.checkpoint.CheckpointEvent;
import io.sandbox4j.checkpoint.CheckpointListener;
import io.sandbox4j.checkpoint.Checkpoints;
import io.sandbox4j.checkpoint.Retention;
import io.sandbox4j.checkpoint.SnapshotStore;
import io.sandbox4j.run.DurableSandbox;
import io.sandbox4j.run.RunAdapter;
import io.sandbox4j.run.SandboxRuns;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.test.InMemorySnapshotStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxCheckpointAutoConfiguration}.
 */
class SandboxCheckpointAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
				SandboxStoreAutoConfiguration.class, SandboxCheckpointAutoConfiguration.class,
				SandboxRunsAutoConfiguration.class, SandboxesEndpointAutoConfiguration.class,
				MetricsAutoConfiguration.class, SandboxCheckpointMetricsAutoConfiguration.class));

	private final ApplicationContextRunner fakeRunner = this.contextRunner
		.withBean(SandboxBackend.class, FakeSandboxBackend::new)
		.withPropertyValues("sandbox.probe-at-start=false", "sandbox.checkpoint.enabled=true",
				"management.endpoints.web.exposure.include=sandboxes");

	private ApplicationContextRunner realRunner;

	@TempDir(factory = PassableTempDirFactory.class)
	private Path directory;

	@BeforeEach
	void prepareRealRunner() {
		this.realRunner = this.contextRunner.withPropertyValues("sandbox.checkpoint.enabled=true",
				"sandbox.state-directory=" + this.directory.resolve("state"),
				"sandbox.runtime-directory=" + this.directory.resolve("run"),
				"management.endpoints.web.exposure.include=sandboxes");
	}

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
	void listenersHearOfAllAndDoNotDisturbEachOther() {
		List<CheckpointEvent> events = new ArrayList<>();
		this.fakeRunner.withPropertyValues("sandbox.checkpoint.directory=" + this.directory.resolve("store"))
			.withBean("first", CheckpointListener.class, () -> (event) -> {
				throw new IllegalStateException("failed");
			})
			.withBean("second", CheckpointListener.class, () -> events::add)
			.run((context) -> {
				context.getBean(Checkpoints.class).collect();
				assertThat(events).singleElement().isInstanceOf(CheckpointEvent.Collected.class);
			});
	}

	@Test
	@Tag("isolation")
	void aListenerMayRemoveWhatIsTooOld() {
		this.realRunner.withBean(Trimming.class).run((context) -> {
			try (SandboxHandle sandbox = sandbox(context)) {
				Checkpoints checkpoints = context.getBean(Checkpoints.class);
				checkpoints.capture(sandbox);
				Checkpoint last = checkpoints.capture(sandbox);
				assertThat(checkpoints.list(sandbox.session().id())).containsExactly(last);
			}
		});
	}

	@Test
	@Tag("isolation")
	void aDurableSandboxIsBackedUpBeforeItStopsAndItsCheckpointsAreShownAndTimed() {
		this.realRunner.withBean(SimpleMeterRegistry.class)
			.withBean(RunAdapter.class, () -> (turn) -> turn.text())
			.run((context) -> {
				DurableSandbox sandbox = context.getBean(SandboxRuns.class).sandbox("s");
				String session = sandbox.ensureRunning();
				assertThat(shown(context, session)).isEqualTo(new CheckpointsDescriptor(List.of(), null));
				for (int i = 0; i < 22; i++) {
					context.getBean(Checkpoints.class)
						.capture(context.getBean(SandboxBackend.class).handle(session).orElseThrow());
				}
				sandbox.exec(ExecSpec.shell("echo one >f; mkfifo secret"));
				assertThat(sandbox.release().released()).isTrue();
				CheckpointsDescriptor shown = shown(context, session);
				Checkpoint latest = context.getBean(Checkpoints.class).latest(session);
				assertThat(shown.problem()).isNull();
				assertThat(shown.newest()).hasSize(20)
					.first()
					.isEqualTo(new CheckpointDescriptor(latest.id(), latest.created(), latest.key(), 1, 4,
							latest.newBytes(), latest.parent(), 1));
				assertThat(shown.newest().get(1).id()).isEqualTo(latest.parent());
				assertThat(JsonMapper.shared().writeValueAsString(shown)).doesNotContain("secret");
				sandbox.exec(ExecSpec.shell("chmod 0 f"));
				assertThat(sandbox.release().released()).isTrue();
				assertThat(shown(context, session).problem()).isEqualTo(ErrorCode.SANDBOX_STATE_MISMATCH);
				assertThat(times(context, "success")).isEqualTo(23);
				assertThat(times(context, "SANDBOX_STATE_MISMATCH")).isOne();
				sandbox.exec(ExecSpec.shell("chmod 600 f"));
			});
	}

	@Test
	void aStoreThatIsAwayHidesNoSandbox() {
		Path away = this.directory.resolve("store");
		this.fakeRunner.withPropertyValues("sandbox.checkpoint.directory=" + away).run((context) -> {
			String session = sandbox(context).session().id();
			FileSystemUtils.deleteRecursively(away);
			Files.createFile(away);
			assertThat(shown(context, session))
				.isEqualTo(new CheckpointsDescriptor(List.of(), ErrorCode.SANDBOX_UNAVAILABLE));
		});
	}

	@Test
	@Tag("isolation")
	void aDurableSandboxIsNotBackedUpIfThatIsOff() {
		this.realRunner.withPropertyValues("sandbox.checkpoint.before-stop=false")
			.withBean(RunAdapter.class, () -> (turn) -> turn.text())
			.run((context) -> assertThat(backUps(context)).isZero());
	}

	@Test
	@Tag("isolation")
	void aCustomizerDoesSomethingElseBeforeTheStop() {
		List<String> done = new ArrayList<>();
		this.realRunner.withBean(RunAdapter.class, () -> (turn) -> turn.text())
			.withBean(SandboxRunsCustomizer.class,
					() -> (builder) -> builder.beforeStop((sandbox) -> done.add(sandbox.session().id())))
			.run((context) -> {
				assertThat(backUps(context)).isZero();
				assertThat(done).hasSize(1);
			});
	}

	private static int backUps(ApplicationContext context) {
		DurableSandbox sandbox = context.getBean(SandboxRuns.class).sandbox("s");
		String session = sandbox.ensureRunning();
		assertThat(sandbox.release().released()).isTrue();
		return context.getBean(Checkpoints.class).list(session).size();
	}

	private static CheckpointsDescriptor shown(ApplicationContext context, String session) {
		return ((SandboxDescriptor) context.getBean(SandboxesEndpoint.class).show(session)).checkpoints();
	}

	private static long times(ApplicationContext context, String outcome) {
		return context.getBean(SimpleMeterRegistry.class)
			.get("sandbox.checkpoints")
			.tags("what", "capture", "outcome", outcome)
			.timer()
			.count();
	}

	private static SandboxHandle sandbox(ApplicationContext context) {
		SandboxBackend backend = context.getBean(SandboxBackend.class);
		PreparedTemplate template = backend.prewarm(SandboxTemplate.named("empty").build());
		return backend.create(SandboxRequest.from(template).network(NetworkPolicy.denyAll()).build());
	}

	@Test
	@Tag("isolation")
	void capturesASandboxOfTheBackend() {
		this.realRunner.withPropertyValues("sandbox.checkpoint.power-loss=true").run((context) -> {
			try (SandboxHandle sandbox = sandbox(context)) {
				sandbox.session().run(ExecSpec.shell("echo one >f")).orThrow();
				Checkpoint checkpoint = context.getBean(Checkpoints.class).capture(sandbox);
				assertThat(checkpoint.files()).isEqualTo(1);
				assertThat(this.directory.resolve("state/checkpoints")).isDirectory();
			}
		});
	}

	/**
	 * Keeps the last checkpoint of each lineage.
	 *
	 * @param checkpoints the checkpoints
	 */
	record Trimming(Checkpoints checkpoints) implements CheckpointListener {

		@Override
		public void onEvent(CheckpointEvent event) {
			if (event instanceof CheckpointEvent.Published published) {
				this.checkpoints.retain(published.checkpoint().lineage(), Retention.keepLast(1));
			}
		}

	}

}
