package io.sandbox4j.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.sandbox4j.Credential;
import io.sandbox4j.CredentialSource;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.lease.CredentialBroker;
import io.sandbox4j.lease.CredentialBrokers;
import io.sandbox4j.lease.CredentialGrant;
import io.sandbox4j.lease.GrantRequest;
import io.sandbox4j.lease.LeaseKey;
import io.sandbox4j.lease.LeaseSpec;
import io.sandbox4j.lease.SandboxLease;
import io.sandbox4j.lease.SandboxLeases;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.test.FakeStorage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SandboxLeaseAutoConfiguration} over a fake backend.
 */
@ExtendWith(OutputCaptureExtension.class)
class SandboxLeaseAutoConfigurationTests {

	private static final LeaseKey KEY = LeaseKey.forConversation("alice");

	private final FakeSandboxBackend backend = new FakeSandboxBackend();

	private final ApplicationContextRunner contextRunner = runner(() -> this.backend);

	@TempDir
	private Path directory;

	@AfterEach
	void nothingIsLeft() {
		this.backend.sessions().forEach((session) -> this.backend.delete(session.id()));
		this.backend.close();
	}

	@Test
	void aKeyFindsItsFilesAgain() {
		this.contextRunner.run((context) -> {
			use(context, (lease) -> lease.session().files().writeText("a.txt", "of alice"));
			use(context, (lease) -> assertThat(lease.session().files().readText("a.txt")).isEqualTo("of alice"));
			assertThat(this.backend.handles()).hasSize(1);
			assertThat(context.getBean(SandboxLeases.class).status().created()).isOne();
		});
		assertThat(this.backend.sessions()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "sandbox.enabled", "sandbox.lease.enabled" })
	void makesNothingWhenDisabled(String property) {
		this.contextRunner.withPropertyValues(property + "=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(SandboxLeases.class)
				.doesNotHaveBean(CredentialBrokers.class)
				.doesNotHaveBean(LeaseSpecs.class)
				.doesNotHaveBean(GrantedRules.class));
	}

	@Test
	void backsOffWhenUserProvidesTheBeans() {
		CredentialBrokers brokers = CredentialBrokers.builder().build();
		SandboxLeases leases = SandboxLeases.builder(this.backend).build();
		LeaseSpecs specs = new LeaseSpecs(() -> {
			throw new IllegalStateException();
		}, (builder) -> builder);
		this.contextRunner.withBean("myBrokers", CredentialBrokers.class, () -> brokers)
			.withBean("myLeases", SandboxLeases.class, () -> leases)
			.withBean("mySpecs", LeaseSpecs.class, () -> specs)
			.run((context) -> {
				assertThat(context.getBean(CredentialBrokers.class)).isSameAs(brokers);
				assertThat(context.getBean(SandboxLeases.class)).isSameAs(leases);
				assertThat(context.getBean(LeaseSpecs.class)).isSameAs(specs);
			});
		assertThatExceptionOfType(SandboxException.class).isThrownBy(
				() -> leases.open(LeaseSpec.builder(KEY, this.backend.prewarm(SandboxTemplate.named("a").build()))
					.network(NetworkPolicy.denyAll())
					.build()))
			.returns(ErrorCode.SANDBOX_STOPPED, SandboxException::code);
	}

	@Test
	void specificationsHaveWhatThePropertiesSay() {
		this.contextRunner
			.withPropertyValues("sandbox.templates.python.files[src/app.py]=print(1)", "sandbox.lease.template=python",
					"sandbox.lease.lifetime=2h", "sandbox.lease.max-lifetime=3d", "sandbox.lease.idle-timeout=5m",
					"sandbox.credentials.broker=gateway", "sandbox.network.mode=allow-all")
			.run((context) -> {
				LeaseSpec spec = context.getBean(LeaseSpecs.class).of(KEY);
				assertThat(spec.templateKey()).isEqualTo(context.getBean(SandboxTemplates.class).get("python").key());
				assertThat(spec.lifetime()).isEqualTo(Duration.ofHours(2));
				assertThat(spec.maxLifetime()).isEqualTo(Duration.ofDays(3));
				assertThat(spec.idleTimeout()).isEqualTo(Duration.ofMinutes(5));
				assertThat(spec.broker()).isEqualTo("gateway");
				assertThat(spec.network()).isEqualTo(NetworkPolicy.allowAll());
				assertThat(spec.key()).isEqualTo(KEY);
			});
	}

	@Test
	void whatIsSetOnASpecificationReplacesTheProperties() {
		this.contextRunner.run((context) -> {
			LeaseSpec spec = context.getBean(LeaseSpecs.class)
				.builder(KEY)
				.network(NetworkPolicy.allowAll())
				.lifetime(Duration.ofMinutes(1))
				.build();
			assertThat(spec.network()).isEqualTo(NetworkPolicy.allowAll());
			assertThat(spec.lifetime()).isEqualTo(Duration.ofMinutes(1));
			assertThat(spec.idleTimeout()).isEqualTo(Duration.ofMinutes(10));
		});
	}

	@Test
	void anIdleTimeoutOfZeroIsNone() {
		this.contextRunner.withPropertyValues("sandbox.lease.idle-timeout=0")
			.run((context) -> assertThat(context.getBean(LeaseSpecs.class).of(KEY).idleTimeout()).isNull());
	}

	@Test
	void ofSeveralPoliciesNoneIsGuessed() {
		this.contextRunner.withBean("open", NetworkPolicy.class, NetworkPolicy::allowAll)
			.withBean("closed", NetworkPolicy.class, NetworkPolicy::denyAll)
			.run((context) -> {
				LeaseSpecs specs = context.getBean(LeaseSpecs.class);
				assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> specs.of(KEY))
					.withMessageContaining("'network'");
				assertThat(specs.builder(KEY).network(NetworkPolicy.denyAll()).build().network())
					.isEqualTo(NetworkPolicy.denyAll());
			});
	}

	@Test
	void anIdleSandboxIsStoppedAndItsFilesStayUntilItIsReclaimed() {
		this.contextRunner
			.withPropertyValues("sandbox.lease.idle-timeout=20ms", "sandbox.lease.sweep-interval=5ms",
					"sandbox.lease.reclaim-after=300ms")
			.run((context) -> {
				use(context, (lease) -> lease.session().files().writeText("a.txt", "kept"));
				Awaitility.await().until(() -> this.backend.handles().isEmpty());
				use(context, (lease) -> assertThat(lease.session().files().readText("a.txt")).isEqualTo("kept"));
				Awaitility.await().until(() -> this.backend.sessions().isEmpty());
				assertThat(context.getBean(SandboxLeases.class).status().reclaimed()).isOne();
			});
	}

	@Test
	void placesAreLimitedAndTheMessageNamesTheProperty() {
		this.contextRunner.withPropertyValues("sandbox.lease.max-active=1").run((context) -> {
			SandboxLeases leases = context.getBean(SandboxLeases.class);
			LeaseSpecs specs = context.getBean(LeaseSpecs.class);
			try (SandboxLease lease = leases.open(specs.of(KEY))) {
				assertThatExceptionOfType(SandboxException.class)
					.isThrownBy(() -> leases.open(specs.of(LeaseKey.forConversation("bob"))))
					.withMessageContaining("'sandbox.lease.max-active'")
					.returns(ErrorCode.SANDBOX_BUSY, SandboxException::code);
				assertThat(lease.info().uses()).isOne();
			}
		});
	}

	@Test
	void appliesCustomizersInOrderAfterTheProperties() {
		this.contextRunner.withPropertyValues("sandbox.lease.max-active=7")
			.withUserConfiguration(CustomizerConfiguration.class)
			.run((context) -> {
				assertThat(context.getBean(CustomizerConfiguration.class).calls).containsExactly("first", "second");
				assertThat(context.getBean(SandboxLeases.class).status().maxActive()).isEqualTo(3);
			});
	}

	@ParameterizedTest
	@CsvSource({ "sandbox.lease.max-active, 0", "sandbox.lease.max-waiting, 0", "sandbox.lease.lifetime, 0s",
			"sandbox.lease.lifetime, -1s", "sandbox.lease.lifetime, 4000d", "sandbox.lease.max-lifetime, 59m",
			"sandbox.lease.idle-timeout, -1s", "sandbox.lease.reclaim-after, 0s", "sandbox.lease.sweep-interval, 0s",
			"sandbox.lease.template, nope", "sandbox.credentials.broker, vault", "sandbox.credentials.broker, Static",
			"sandbox.credentials.environment, A-KEY" })
	void failsOnAnInvalidValueAndNamesTheProperty(String property, String value) {
		this.contextRunner.withPropertyValues(property + "=" + value)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'" + property + "' is invalid: "));
	}

	@Test
	void anUnknownBrokerFailsTheStartWithTheKnownOnes() {
		this.contextRunner.withPropertyValues("sandbox.credentials.broker=vault")
			.withBean(CredentialBroker.class, () -> new Vault("vault-2"))
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("[gateway, static, vault-2]"));
	}

	@Test
	void anUnknownCredentialsPropertyFailsTheStart() {
		this.contextRunner.withPropertyValues("sandbox.credentials.enviroment=TOKEN")
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void brokersOfTheApplicationAreKnown() {
		this.contextRunner.withPropertyValues("sandbox.credentials.broker=vault")
			.withBean(CredentialBroker.class, () -> new Vault("vault"))
			.run((context) -> {
				use(context,
						(lease) -> assertThat(lease.environment()).containsEntry("VAULT", "of conversation/alice"));
				assertThat(context.getBean(LeaseSpecs.class).of(KEY).broker()).isEqualTo("vault");
			});
	}

	@Test
	void twoBrokersOfOneIdFailTheStart() {
		this.contextRunner.withBean("a", CredentialBroker.class, () -> new Vault("static"))
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("a broker 'static' already"));
	}

	@Test
	void variablesThatAreNamedReachCommandsAndNoOthers(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("sandbox.credentials.environment=A_KEY,ABSENT_KEY", "A_KEY=hush-a", "B_KEY=hush-b")
			.run((context) -> use(context, (lease) -> {
				assertThat(lease.session().run(ExecSpec.of("env")).stdoutText()).contains("A_KEY=hush-a")
					.doesNotContain("hush-b")
					.doesNotContain("ABSENT_KEY");
				assertThat(lease.info().credentials()).contains("A_KEY").doesNotContain("hush");
			}));
		assertThat(output).contains("names 'ABSENT_KEY'").doesNotContain("hush");
	}

	@Test
	void theJournalKeepsLeasesForTheNextContext() {
		FakeStorage storage = new FakeStorage();
		ApplicationContextRunner runner = runner(() -> FakeSandboxBackend.builder().storage(storage).build())
			.withPropertyValues("sandbox.lease.journal.enabled=true",
					"sandbox.lease.journal.directory=" + this.directory.resolve("journal"));
		runner.run((context) -> use(context, (lease) -> lease.session().files().writeText("a.txt", "kept")));
		runner.run((context) -> {
			SandboxLeases leases = context.getBean(SandboxLeases.class);
			assertThat(leases.recovery().recovered()).containsExactly(KEY);
			use(context, (lease) -> assertThat(lease.session().files().readText("a.txt")).isEqualTo("kept"));
			assertThat(leases.end(KEY)).isTrue();
			assertThat(context.getBean(SandboxBackend.class).sessions()).isEmpty();
		});
	}

	@Test
	void aJournalThatAnotherApplicationHasFailsTheStartAndIsNamed() {
		ApplicationContextRunner runner = runner(FakeSandboxBackend::new).withPropertyValues(
				"sandbox.lease.journal.enabled=true",
				"sandbox.lease.journal.directory=" + this.directory.resolve("journal"));
		runner.run((first) -> {
			assertThat(first).hasNotFailed();
			runner.run((second) -> assertThat(second).hasFailed()
				.getFailure()
				.hasStackTraceContaining("'sandbox.lease.journal.directory' is invalid: ")
				.hasStackTraceContaining("is used by another application"));
		});
	}

	@Test
	void aJournalNeedsAPlaceIfTheBackendHasNone() {
		this.contextRunner.withPropertyValues("sandbox.lease.journal.enabled=true")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'sandbox.lease.journal.directory' is invalid: It must be set"));
		this.contextRunner
			.withPropertyValues("sandbox.lease.journal.enabled=true", "sandbox.lease.journal.directory=relative")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'sandbox.lease.journal.directory' is invalid: It must be an absolute path"));
		this.contextRunner
			.withPropertyValues("sandbox.lease.journal.enabled=true", "sandbox.state-directory=" + this.directory)
			.run((context) -> assertThat(this.directory.resolve("leases")).isDirectory());
	}

	@Test
	void withoutAJournalNothingIsWritten() {
		this.contextRunner.withPropertyValues("sandbox.state-directory=" + this.directory).run((context) -> {
			use(context, (lease) -> lease.session().files().writeText("a", "b"));
			try (var files = Files.list(this.directory)) {
				assertThat(files).isEmpty();
			}
		});
	}

	@Test
	void leasesAreClosedAfterTheDrainAndBeforeTheBackend() {
		WatchedSandboxBackend watched = new WatchedSandboxBackend(this.backend);
		runner(() -> watched).run((context) -> use(context, (lease) -> lease.pushTeardown("mine",
				() -> watched.calls.add("end with " + this.backend.sessions().size() + " sessions"))));
		assertThat(watched.calls).startsWith("create", "drain", "end with 0 sessions", "close");
	}

	@Test
	void aCommandOfALeaseEndsWithinTheDrain() throws Exception {
		CountDownLatch started = new CountDownLatch(1);
		this.backend.on("work", (program) -> {
			started.countDown();
			program.stdin().read();
			program.print("done");
			return 0;
		});
		WatchedSandboxBackend watched = new WatchedSandboxBackend(this.backend);
		AtomicReference<SandboxProcess> process = new AtomicReference<>();
		watched.beforeDrain = () -> process.get().stdin().write(0);
		runner(() -> watched).run((context) -> {
			use(context, (lease) -> process.set(lease.session().start(ExecSpec.of("work"))));
			started.await();
		});
		assertThat(process.get().onExit().get().succeeded()).isTrue();
		assertThat(this.backend.sessions()).isEmpty();
	}

	private static ApplicationContextRunner runner(Supplier<SandboxBackend> backend) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class,
					SandboxGatewayAutoConfiguration.class, SandboxLeaseAutoConfiguration.class))
			.withBean(SandboxBackend.class, backend)
			.withPropertyValues("sandbox.probe-at-start=false");
	}

	@ParameterizedTest
	@CsvSource({ "headers.X-Key=hush, headers, hush", "credentials=, credentials, hush",
			"credentials[0].header=Authorization, credentials[0].source, hush" })
	void aGrantedOriginHasASourceAndNoFixedHeader(String property, String named, String secret) {
		this.contextRunner
			.withPropertyValues("sandbox.credentials.gateway.allow[0].origin=https://api.example.com",
					"sandbox.credentials.gateway.allow[0]." + property)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'sandbox.credentials.gateway.allow[0]." + named + "' is invalid: ")
				.hasMessageNotContaining(secret));
	}

	@Test
	void aSourceThatIsNoBeanFailsTheStart() {
		this.contextRunner.withBean("token", CredentialSource.class, () -> (use) -> Credential.of("hush"))
			.withPropertyValues(granted("nope"))
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("named 'nope', only [token]"));
	}

	@Test
	void anOriginIsNotBothGrantedAndAllowed() {
		this.contextRunner.withBean("token", CredentialSource.class, () -> (use) -> Credential.of("hush"))
			.withPropertyValues(granted("token"))
			.withPropertyValues("sandbox.network.allow[0].origin=https://api.example.com")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining("'sandbox.credentials.gateway.allow[0].origin' is invalid: "));
	}

	@Test
	void grantedRulesNameTheSourceOfLeasesAlone() {
		this.contextRunner.withBean("token", CredentialSource.class, () -> (use) -> Credential.of("hush"))
			.withPropertyValues(granted("token"))
			.run((context) -> {
				CredentialGrant grant = context.getBean(CredentialBrokers.class)
					.get("gateway")
					.issue(new GrantRequest(KEY, null));
				assertThat(grant.rules()).singleElement()
					.satisfies((rule) -> assertThat(rule.credentials()).singleElement()
						.satisfies((credential) -> assertThat(credential.source()).isEqualTo("lease.token")));
				assertThat(grant.describe()).isEqualTo("gateway: 1 origins: https://api.example.com.");
			});
	}

	private static String[] granted(String source) {
		return new String[] { "sandbox.credentials.gateway.allow[0].origin=https://api.example.com",
				"sandbox.credentials.gateway.allow[0].credentials[0].header=Authorization",
				"sandbox.credentials.gateway.allow[0].credentials[0].source=" + source };
	}

	private static void use(ApplicationContext context, Consumer<SandboxLease> work) {
		SandboxLeases leases = context.getBean(SandboxLeases.class);
		try (SandboxLease lease = leases.open(context.getBean(LeaseSpecs.class).of(KEY))) {
			work.accept(lease);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class CustomizerConfiguration {

		private final List<String> calls = new ArrayList<>();

		@Bean
		@Order(2)
		SandboxLeasesCustomizer second() {
			return (builder) -> {
				this.calls.add("second");
				builder.maxActive(3);
			};
		}

		@Bean
		@Order(1)
		SandboxLeasesCustomizer first() {
			return (builder) -> {
				this.calls.add("first");
				builder.maxActive(2);
			};
		}

	}

	/**
	 * A broker of the application.
	 *
	 * @param id its id
	 */
	private record Vault(String id) implements CredentialBroker {

		@Override
		public CredentialGrant issue(GrantRequest request) {
			return new CredentialGrant() {

				@Override
				public Map<String, String> environment() {
					return Map.of("VAULT", "of " + request.key());
				}

				@Override
				public String describe() {
					return "vault: 1 variable: VAULT.";
				}

				@Override
				public void revoke() {
				}

			};
		}

	}

}
