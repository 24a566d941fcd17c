package io.sandbox4j.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.ExecStatus;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class SandboxAutoConfigurationTests {

	@TempDir(factory = PassableTempDirFactory.class)
	private static Path directory;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class, SandboxAutoConfiguration.class));

	private final ApplicationContextRunner bubblewrapRunner = this.contextRunner.withPropertyValues(
			"sandbox.state-directory=" + directory.resolve("state"),
			"sandbox.runtime-directory=" + directory.resolve("run"), "sandbox.probe-at-start=false");

	private final ApplicationContextRunner stubRunner = this.contextRunner
		.withUserConfiguration(StubConfiguration.class);

	@Test
	void makesABubblewrapBackendByDefault() {
		this.bubblewrapRunner.run((context) -> {
			assertThat(context).hasSingleBean(BubblewrapBackend.class)
				.hasSingleBean(SandboxTemplates.class)
				.hasSingleBean(SandboxAvailability.class)
				.hasSingleBean(SandboxEventPublisher.class)
				.hasSingleBean(SandboxLifecycle.class);
			assertThat(context.getBean(SandboxBackend.class).name()).isEqualTo("bubblewrap");
			assertThat(context.getBean(SandboxTemplates.class).names()).isEmpty();
		});
	}

	@Test
	void appliesTheProperties() {
		this.bubblewrapRunner.withPropertyValues("sandbox.name=mine", "sandbox.limits.open-files=99").run((context) -> {
			assertThat(context.getBean(BubblewrapBackend.class).name()).isEqualTo("mine");
			assertThat(context.getBean(BubblewrapBackend.class).resourceLimits().openFiles()).isEqualTo(99);
		});
	}

	@Test
	void makesNothingWhenDisabled() {
		this.contextRunner.withPropertyValues("sandbox.enabled=false")
			.withSystemProperties("os.name:Mac OS X")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(SandboxBackend.class)
				.doesNotHaveBean(SandboxTemplates.class)
				.doesNotHaveBean(SandboxListener.class)
				.doesNotHaveBean(SandboxLifecycle.class)
				.doesNotHaveBean(SandboxProperties.class));
	}

	@Test
	void failsWhereThereIsNoLinux() {
		this.bubblewrapRunner.withSystemProperties("os.name:Mac OS X")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOfSatisfying(SandboxUnavailableException.class,
						(ex) -> assertThat(ex.unavailable()).isEqualTo(Cause.NOT_LINUX)));
	}

	@Test
	void startsWithAnotherBackendWhereThereIsNoLinux() {
		this.stubRunner.withSystemProperties("os.name:Windows 11").run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void backsOffWhenUserProvidesBackend() {
		this.stubRunner.run((context) -> {
			assertThat(context).hasSingleBean(SandboxBackend.class)
				.hasSingleBean(StubSandboxBackend.class)
				.hasSingleBean(SandboxTemplates.class)
				.hasSingleBean(SandboxLifecycle.class);
			assertThat(context.getBean(StubSandboxBackend.class).probes).hasValue(1);
		});
	}

	@Test
	void backsOffWhenUserProvidesTheOtherBeans() {
		SandboxTemplates templates = SandboxTemplates.prewarm(new StubSandboxBackend(), List.of());
		SandboxAvailability availability = new SandboxAvailability();
		SandboxEventPublisher publisher = new SandboxEventPublisher((event) -> {
		});
		this.stubRunner.withBean("myTemplates", SandboxTemplates.class, () -> templates)
			.withBean("myAvailability", SandboxAvailability.class, () -> availability)
			.withBean("myPublisher", SandboxEventPublisher.class, () -> publisher)
			.withBean("sandboxLifecycle", String.class, () -> "mine")
			.run((context) -> {
				assertThat(context.getBean(SandboxTemplates.class)).isSameAs(templates);
				assertThat(context.getBean(SandboxAvailability.class)).isSameAs(availability);
				assertThat(context.getBean(SandboxEventPublisher.class)).isSameAs(publisher);
				assertThat(context).doesNotHaveBean(SandboxLifecycle.class);
			});
	}

	@Test
	void appliesCustomizersInOrderAfterTheProperties() {
		this.bubblewrapRunner.withPropertyValues("sandbox.name=from-properties")
			.withUserConfiguration(CustomizerConfiguration.class)
			.run((context) -> {
				assertThat(context.getBean(CustomizerConfiguration.class).calls).containsExactly("first", "second");
				assertThat(context.getBean(SandboxBackend.class).name()).isEqualTo("second");
			});
	}

	@Test
	void failsOnAnInvalidValue() {
		this.bubblewrapRunner.withPropertyValues("sandbox.max-concurrent-commands=0")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'sandbox.max-concurrent-commands'"));
		this.stubRunner.withPropertyValues("sandbox.drain-timeout=-1s")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'sandbox.drain-timeout'"));
	}

	@Test
	void probesAtStartAndKeepsTheResult(CapturedOutput output) {
		this.stubRunner.run((context) -> assertThat(context.getBean(SandboxAvailability.class).isolation())
			.hasValue(StubSandboxBackend.ISOLATION));
		assertThat(output).contains("Sandboxes of backend 'stub' hold: write-contained")
			.contains("do not hold no-sockets of secrets-hidden: found one");
	}

	@Test
	void doesNotProbeWhenToldNotTo() {
		this.stubRunner.withPropertyValues("sandbox.probe-at-start=false").run((context) -> {
			assertThat(context.getBean(StubSandboxBackend.class).probes).hasValue(0);
			assertThat(context.getBean(SandboxAvailability.class).status())
				.isEqualTo(SandboxAvailability.Status.UNKNOWN);
		});
	}

	@Test
	void failsToStartWhenTheProbeFails() {
		this.contextRunner.withBean(SandboxBackend.class, () -> {
			StubSandboxBackend backend = new StubSandboxBackend();
			backend.isolation = () -> {
				throw new SandboxUnavailableException(Cause.BWRAP_MISSING, "No.", "Install it.", null);
			};
			return backend;
		})
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(SandboxUnavailableException.class));
	}

	@Test
	void preparesDeclaredTemplatesAndTemplateBeans() {
		this.stubRunner.withPropertyValues("sandbox.templates.python.files[src/app.py]=print(1)")
			.withBean(SandboxTemplate.class, () -> SandboxTemplate.named("bean").file("a", "b").build())
			.run((context) -> {
				assertThat(context.getBean(SandboxTemplates.class).names()).containsExactly("bean", "python");
				assertThat(context.getBean(StubSandboxBackend.class).prewarmed.get(0).files())
					.containsOnlyKeys("src/app.py");
			});
	}

	@Test
	void preparesTemplatesAndProbesWithLazyInitialization() {
		this.stubRunner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withPropertyValues("sandbox.templates.python.files.app=print(1)")
			.run((context) -> {
				assertThat(context.getBean(StubSandboxBackend.class).probes).hasValue(1);
				assertThat(context.getBean(SandboxTemplates.class).get("python").key()).hasSize(64);
			});
	}

	@Test
	void publishesEventsToTheContext() {
		this.stubRunner.withUserConfiguration(EventConfiguration.class).run((context) -> {
			SandboxEvent finished = new SandboxEvent.CommandFinished("1", "command", ExecStatus.EXITED, Duration.ZERO);
			SandboxEvent stopped = new SandboxEvent.SessionStopped("1");
			context.getBean(StubSandboxBackend.class).publish(finished);
			context.getBean(StubSandboxBackend.class).publish(stopped);
			assertThat(context.getBean(EventConfiguration.class).all).containsExactly(finished, stopped);
			assertThat(context.getBean(EventConfiguration.class).finished).containsExactly(finished);
		});
	}

	@Test
	void oneFailingListenerDoesNotKeepEventsFromOthers() {
		List<SandboxEvent> heard = new ArrayList<>();
		SandboxListeners listeners = new SandboxListeners(List.of((event) -> {
			throw new IllegalStateException("broken");
		}, heard::add));
		SandboxEvent event = new SandboxEvent.SessionStopped("1");
		listeners.onEvent(event);
		assertThat(heard).containsExactly(event);
	}

	@Test
	void warnsWhenTheDrainIsCutShort(CapturedOutput output) {
		this.stubRunner.run((context) -> assertThat(output).doesNotContain("cut short"));
		this.stubRunner.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=20s")
			.run((context) -> assertThat(output).contains("'sandbox.drain-timeout' is PT20S and cut short"));
	}

	@Configuration(proxyBeanMethods = false)
	static class StubConfiguration {

		@Bean
		StubSandboxBackend stubBackend(ObjectProvider<SandboxListener> listeners) {
			return new StubSandboxBackend(listeners);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomizerConfiguration {

		private final List<String> calls = new ArrayList<>();

		@Bean
		@Order(2)
		SandboxBackendCustomizer second() {
			return (builder) -> {
				this.calls.add("second");
				builder.name("second");
			};
		}

		@Bean
		@Order(1)
		SandboxBackendCustomizer first() {
			return (builder) -> {
				this.calls.add("first");
				builder.name("first");
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EventConfiguration {

		private final List<SandboxEvent> all = new ArrayList<>();

		private final List<SandboxEvent> finished = new ArrayList<>();

		@EventListener
		void onAny(SandboxEvent event) {
			this.all.add(event);
		}

		@EventListener
		void onFinished(SandboxEvent.CommandFinished event) {
			this.finished.add(event);
		}

	}

}
