package io.sandbox4j.autoconfigure;

import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.run.DurableSandbox;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.OperationStatus;
import io.sandbox4j.run.RunAdapter;
import io.sandbox4j.run.RunSpec;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.SandboxRuns;
import io.sandbox4j.run.UnansweredReason;
import io.sandbox4j.store.jdbc.JdbcRunStore;
import io.sandbox4j.test.FakeSandboxBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxStoreAutoConfiguration} and
 * {@link SandboxRunsAutoConfiguration} over a fake backend.
 */
class SandboxRunsAutoConfigurationTests {

	private final FakeSandboxBackend backend = new FakeSandboxBackend();

	private final ApplicationContextRunner storeRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
				SandboxStoreAutoConfiguration.class, SandboxRunsAutoConfiguration.class))
		.withBean(SandboxBackend.class, () -> this.backend)
		.withPropertyValues("sandbox.probe-at-start=false");

	private final ApplicationContextRunner runsRunner = this.storeRunner.withBean(RunAdapter.class,
			() -> (turn) -> "answer to " + turn.text());

	@TempDir
	private Path directory;

	@AfterEach
	void closeBackend() {
		this.backend.close();
	}

	private static OperationRecord turn(ApplicationContext context, String operation) {
		DurableSandbox sandbox = context.getBean(SandboxRuns.class).sandbox("s");
		sandbox.createRun(RunSpec.of("r"));
		sandbox.submit("r", operation, "hello");
		return sandbox.poll("r", operation, Duration.ofSeconds(30), 0).operation();
	}

	@Test
	void withoutAnAgentThereIsAStoreAndNoRuns() {
		this.storeRunner
			.run((context) -> assertThat(context).hasSingleBean(RunStore.class).doesNotHaveBean(SandboxRuns.class));
	}

	@Test
	void anAgentAnswers() {
		this.runsRunner.run((context) -> {
			assertThat(turn(context, "o").answer()).isEqualTo("answer to hello");
			assertThat(context.getBean(SandboxRuns.class).status().done()).isOne();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "sandbox.enabled", "sandbox.runs.enabled" })
	void makesNoRunsWhenDisabled(String property) {
		this.runsRunner.withPropertyValues(property + "=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SandboxRuns.class));
	}

	@Test
	void backsOffWhenUserProvidesTheBeans() {
		RunStore store = RunStore.inMemory();
		this.runsRunner.withBean("mine", RunStore.class, () -> store)
			.withPropertyValues("sandbox.store.type=jdbc")
			.run((context) -> {
				assertThat(context.getBean(RunStore.class)).isSameAs(store);
				turn(context, "o");
				assertThat(store.<OperationRecord>read((view) -> view.operation("s", "r", "o"))).isNotNull();
			});
	}

	@Test
	void sqliteKeepsRunsAcrossApplicationsInAFileOfItsUser() {
		Path file = this.directory.resolve("runs.db");
		ApplicationContextRunner runner = this.runsRunner.withPropertyValues("sandbox.store.type=sqlite",
				"sandbox.store.sqlite.path=" + file);
		runner.run((context) -> {
			assertThat(context.getBean(RunStore.class)).isInstanceOf(JdbcRunStore.class);
			turn(context, "o");
		});
		assertThat(file).isRegularFile();
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxStoreAutoConfiguration.class))
			.withBean(SandboxBackend.class, FakeSandboxBackend::new)
			.withPropertyValues("sandbox.probe-at-start=false", "sandbox.store.type=sqlite",
					"sandbox.store.sqlite.path=" + file, "sandbox.store.initialize=false")
			.run((context) -> {
				OperationRecord kept = context.getBean(RunStore.class).read((view) -> view.operation("s", "r", "o"));
				assertThat(kept.answer()).isEqualTo("answer to hello");
			});
	}

	@Test
	void theFileIsBelowTheStateDirectoryUnlessSet() {
		this.storeRunner
			.withPropertyValues("sandbox.store.type=sqlite",
					"sandbox.state-directory=" + this.directory.resolve("state"))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				try (Stream<Path> files = Files.walk(this.directory.resolve("state/runs"))) {
					assertThat(files).anyMatch((file) -> file.endsWith("runs.db"));
				}
			});
	}

	@Test
	void withoutAStateDirectoryThePathMustBeSet() {
		assertInvalid("sandbox.store.sqlite.path", "It must be set", "sandbox.store.type=sqlite");
	}

	@Test
	void aStoreInTheDatabaseNeedsOneDataSource() {
		assertInvalid("sandbox.store.type", "There must be one 'DataSource' bean", "sandbox.store.type=jdbc");
	}

	@Test
	void aDataSourceThatGivesNoConnectionIsToldWithTheProperty() {
		DataSource away = (DataSource) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { DataSource.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("getConnection")) {
						throw new SQLException("refused", "08001");
					}
					return method.getName().equals("hashCode") ? System.identityHashCode(proxy) : null;
				});
		this.storeRunner.withBean(DataSource.class, () -> away)
			.withPropertyValues("sandbox.store.type=jdbc")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining("'sandbox.store.type' is invalid: The database of the store of runs failed."));
	}

	@Test
	void withoutInitializeAMissingFileIsToldWithTheProperty() {
		assertInvalid("sandbox.store.initialize", "is not there, and 'initialize' is off", "sandbox.store.type=sqlite",
				"sandbox.store.initialize=false", "sandbox.store.sqlite.path=" + this.directory.resolve("absent.db"));
	}

	@Test
	void withoutTheModuleItsNameIsTold() {
		ApplicationContextRunner without = this.storeRunner
			.withClassLoader(new FilteredClassLoader(JdbcRunStore.class));
		without.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RunStore.class));
		without.withPropertyValues("sandbox.store.type=sqlite")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining(
						"'sandbox.store.type' is invalid: The module 'sandbox-store-jdbc' is needed."));
	}

	@ParameterizedTest
	@CsvSource({ "sandbox.runs.max-turns, 0", "sandbox.runs.idle-timeout, 0s", "sandbox.runs.drain-timeout, -1s",
			"sandbox.runs.template, absent", "sandbox.store.sqlite.path, relative" })
	void failsOnAnInvalidValueAndNamesTheProperty(String name, String value) {
		this.runsRunner
			.withPropertyValues("sandbox.store.type=sqlite",
					"sandbox.store.sqlite.path=" + this.directory.resolve("runs.db"), name + "=" + value)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining("'" + name + "' is invalid: "));
	}

	private void assertInvalid(String property, String reason, String... values) {
		this.storeRunner.withPropertyValues(values)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining("'" + property + "' is invalid: ")
				.hasStackTraceContaining(reason));
	}

	@Test
	void customizersComeAfterTheProperties() {
		CountDownLatch prepared = new CountDownLatch(1);
		this.runsRunner
			.withBean(SandboxRunsCustomizer.class,
					() -> (builder) -> builder.maxTurns(3).prepare((session) -> prepared.countDown()))
			.withPropertyValues("sandbox.runs.max-turns=2")
			.run((context) -> {
				turn(context, "o");
				assertThat(prepared.getCount()).isZero();
				assertThat(context.getBean(SandboxRuns.class).status().maxTurns()).isEqualTo(3);
			});
	}

	@Test
	void turnsEndBeforeTheBackendAndAreSettledInTheStore() {
		CountDownLatch running = new CountDownLatch(1);
		RunStore store = RunStore.inMemory();
		this.storeRunner
			.withBean("mine", RunStore.class, () -> store, (definition) -> definition.setDestroyMethodName(""))
			.withBean(RunAdapter.class, () -> (turn) -> {
				running.countDown();
				turn.session().run(ExecSpec.of("sleep", "60"));
				return "never";
			})
			.withPropertyValues("sandbox.runs.drain-timeout=0s")
			.run((context) -> {
				DurableSandbox sandbox = context.getBean(SandboxRuns.class).sandbox("s");
				sandbox.createRun(RunSpec.of("r"));
				sandbox.submit("r", "o", "");
				assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
			});
		OperationRecord settled = store.read((view) -> view.operation("s", "r", "o"));
		assertThat(settled.status()).isEqualTo(OperationStatus.UNANSWERED);
		assertThat(settled.reason()).isEqualTo(UnansweredReason.SANDBOX_LOST);
	}

}
