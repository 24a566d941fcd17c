package io.sandbox4j.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.git.SetupFailedException;
import io.sandbox4j.git.SyncResult;
import io.sandbox4j.git.WorkspaceTransport;
import io.sandbox4j.lease.LeaseKey;
import io.sandbox4j.lease.SandboxLease;
import io.sandbox4j.lease.SandboxLeases;
import io.sandbox4j.test.FakeSandboxBackend;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for {@link SandboxWorkspaceAutoConfiguration}.
 */
class SandboxWorkspaceAutoConfigurationTests {

	private static final LeaseKey KEY = LeaseKey.forConversation("alice");

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
				SandboxLeaseAutoConfiguration.class, SandboxWorkspaceAutoConfiguration.class));

	private final ApplicationContextRunner fakeRunner = this.contextRunner
		.withBean(SandboxBackend.class, FakeSandboxBackend::new)
		.withPropertyValues("sandbox.probe-at-start=false");

	@TempDir(factory = PassableTempDirFactory.class)
	private Path directory;

	private ApplicationContextRunner bubblewrapRunner;

	private Path repository;

	@BeforeEach
	void prepare() throws Exception {
		this.bubblewrapRunner = this.contextRunner.withPropertyValues(
				"sandbox.state-directory=" + this.directory.resolve("state"),
				"sandbox.runtime-directory=" + this.directory.resolve("run"));
		this.repository = Files.createDirectory(this.directory.resolve("repository"));
		Files.writeString(this.repository.resolve("a.txt"), "helo\n");
		Files.writeString(this.repository.resolve(".gitignore"), "*.env\n");
		Files.writeString(this.repository.resolve("local.env"), "A=1\n");
		Process git = new ProcessBuilder("git", "init", "-q", this.repository.toString()).inheritIO().start();
		assertThat(git.waitFor()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "sandbox.enabled", "sandbox.workspace.enabled" })
	void makesNothingWhenDisabled(String property) {
		this.fakeRunner.withPropertyValues(property + "=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(WorkspaceTransports.class));
	}

	@Test
	void backsOffWhenUserProvidesTheBean() {
		WorkspaceTransports mine = new WorkspaceTransports(FakeSandboxBackend::new, () -> this.directory, false,
				(builder) -> builder);
		this.fakeRunner.withBean("mine", WorkspaceTransports.class, () -> mine)
			.run((context) -> assertThat(context.getBean(WorkspaceTransports.class)).isSameAs(mine));
	}

	@ParameterizedTest
	@CsvSource({ "max-seed, 0B", "max-transfer, -1B", "timeout, 0s", "git-lock-patience, -1s", "directory, relative",
			"setup-timeout, 0s", "setup[0], ' '" })
	void failsOnAnInvalidValueAndNamesTheProperty(String name, String value) {
		this.fakeRunner.withPropertyValues("sandbox.workspace." + name + "=" + value)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'sandbox.workspace." + name + "' is invalid: "));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/etc", "a/../../b", ".." })
	void includedPathsStayInTheTree(String path) {
		this.fakeRunner.withPropertyValues("sandbox.workspace.include=ok," + path)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'sandbox.workspace.include[1]' is invalid: "));
	}

	@Test
	void aBackendWithoutAStateDirectoryNeedsTheProperty() {
		this.fakeRunner.run((context) -> {
			SandboxSession session = open(context).session();
			WorkspaceTransports transports = context.getBean(WorkspaceTransports.class);
			assertThatExceptionOfType(InvalidSandboxPropertyException.class)
				.isThrownBy(() -> transports.builder(session, this.repository))
				.withMessageContaining("'sandbox.workspace.directory'");
			// Nothing was kept, so there is nothing to remove.
			assertThat(context.getBean(SandboxLeases.class).end(KEY)).isTrue();
		});
		this.fakeRunner.withPropertyValues("sandbox.workspace.directory=" + this.directory.resolve("own"))
			.run((context) -> {
				WorkspaceTransports transports = context.getBean(WorkspaceTransports.class);
				assertThat(transports.builder(open(context).session(), this.repository).build()).isNotNull();
				assertThat(this.directory.resolve("own")).isDirectory();
			});
	}

	@Test
	void theEndOfASessionHarmsNobodyIfThereCanBeNoState() {
		WorkspaceTransports transports = new WorkspaceTransports(FakeSandboxBackend::new, () -> {
			throw new InvalidSandboxPropertyException("sandbox.workspace.directory", "It must be set.");
		}, true, (builder) -> builder);
		assertThatNoException().isThrownBy(() -> transports.onEvent(new SandboxEvent.SessionDeleted("0".repeat(64))));
	}

	@Test
	void whatElseIsInADirectoryOfTheUsersStays() throws IOException {
		Path own = Files.createDirectories(this.directory.resolve("own"));
		Path other = Files.createDirectory(own.resolve("f".repeat(64)));
		this.fakeRunner.withPropertyValues("sandbox.workspace.directory=" + own).run((context) -> {
			context.getBean(WorkspaceTransports.class).builder(open(context).session(), this.repository);
			assertThat(other).isDirectory();
		});
	}

	@Test
	@Tag("isolation")
	void carriesATreeIntoALeaseAndBack() {
		needsBubblewrap();
		this.bubblewrapRunner.withPropertyValues("sandbox.workspace.include=local.env").run((context) -> {
			try (SandboxLease lease = open(context)) {
				SandboxSession session = lease.session();
				transport(context, session).seed();
				session.run(ExecSpec.shell("sed -i s/helo/hello/ a.txt; echo B=2 >> local.env")).orThrow();
				SyncResult result = transport(context, session).extract();
				assertThat(result.conflicts()).isEmpty();
			}
			assertThat(this.repository.resolve("a.txt")).hasContent("hello\n");
			assertThat(this.repository.resolve("local.env")).hasContent("A=1\nB=2\n");
			assertThat(states()).hasSize(1);
			assertThat(Files.getPosixFilePermissions(states().get(0).getParent())).hasSize(3);
			context.getBean(SandboxLeases.class).end(KEY);
			assertThat(states()).isEmpty();
		});
	}

	@Test
	@Tag("isolation")
	void theStateLastsAsLongAsTheSession() {
		needsBubblewrap();
		ApplicationContextRunner runner = this.bubblewrapRunner.withPropertyValues("sandbox.lease.journal.enabled=true",
				"sandbox.lease.idle-timeout=0");
		runner.run((context) -> {
			try (SandboxLease lease = open(context)) {
				transport(context, lease.session()).seed();
			}
		});
		assertThat(states()).hasSize(1);
		makeStale();
		runner.run((context) -> {
			Files.writeString(this.repository.resolve("b.txt"), "new\n");
			try (SandboxLease lease = open(context)) {
				assertThat(transport(context, lease.session()).reconcile().changes()).hasSize(1);
				assertThat(lease.session().files().readText("b.txt")).isEqualTo("new\n");
			}
			assertThat(states()).hasSize(1);
		});
		// It is removed also by an application that started no transport.
		runner.run((context) -> assertThat(context.getBean(SandboxLeases.class).end(KEY)).isTrue());
		assertThat(states()).isEmpty();
	}

	@Test
	@Tag("isolation")
	void setupCommandsRunAfterTheSeedAndEachInItsTime() {
		needsBubblewrap();
		this.bubblewrapRunner
			.withPropertyValues("sandbox.workspace.setup[0]=cp a.txt, made",
					"sandbox.workspace.setup[1]=cp a.txt made; sleep 60", "sandbox.workspace.setup-timeout=1s")
			.run((context) -> {
				try (SandboxLease lease = open(context)) {
					WorkspaceTransport transport = transport(context, lease.session());
					assertThatExceptionOfType(SetupFailedException.class).isThrownBy(transport::seed)
						.satisfies((ex) -> assertThat(ex.status()).isEqualTo(ExecStatus.EXITED));
				}
			});
		this.bubblewrapRunner
			.withPropertyValues("sandbox.workspace.setup=cp a.txt made; sleep 60", "sandbox.workspace.setup-timeout=1s")
			.run((context) -> {
				try (SandboxLease lease = open(context)) {
					WorkspaceTransport transport = transport(context, lease.session());
					assertThatExceptionOfType(SetupFailedException.class).isThrownBy(transport::seed)
						.satisfies((ex) -> assertThat(ex.status()).isEqualTo(ExecStatus.TIMED_OUT));
					assertThat(lease.session().files().readText("made")).isEqualTo("helo\n");
				}
			});
	}

	@Test
	@Tag("isolation")
	void theLimitsOfThePropertiesHold() {
		needsBubblewrap();
		this.bubblewrapRunner.withPropertyValues("sandbox.workspace.max-seed=10B").run((context) -> {
			try (SandboxLease lease = open(context)) {
				WorkspaceTransport transport = transport(context, lease.session());
				assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::seed)
					.withMessageContaining("'maxSeed'");
			}
		});
	}

	private void makeStale() {
		try {
			Path stale = states().get(0).resolveSibling("0".repeat(64));
			Files.createDirectories(stale.resolve("objects"));
			Files.writeString(stale.resolve("objects/pack"), "left by a crash");
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private WorkspaceTransport transport(ApplicationContext context, SandboxSession session) {
		return context.getBean(WorkspaceTransports.class).builder(session, this.repository).build();
	}

	private static SandboxLease open(ApplicationContext context) {
		return context.getBean(SandboxLeases.class).open(context.getBean(LeaseSpecs.class).of(KEY));
	}

	private List<Path> states() {
		try (Stream<Path> files = Files.walk(this.directory.resolve("state/workspaces"), 2)) {
			return files.filter((file) -> file.getNameCount() == this.directory.getNameCount() + 4).toList();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void needsBubblewrap() {
		assumeTrue(
				Files.isExecutable(Path.of("/usr/bin/bwrap")) || Boolean.getBoolean("sandbox.test.require-bubblewrap"),
				"bubblewrap is not installed");
	}

}
