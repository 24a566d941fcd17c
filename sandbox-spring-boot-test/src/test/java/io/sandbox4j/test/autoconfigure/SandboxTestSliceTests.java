package io.sandbox4j.test.autoconfigure;

import java.util.function.Consumer;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.autoconfigure.SandboxTemplates;
import io.sandbox4j.autoconfigure.health.SandboxHealthContributorAutoConfiguration;
import io.sandbox4j.autoconfigure.tools.SandboxToolCallbackProvider;
import io.sandbox4j.autoconfigure.tools.SandboxToolsAutoConfiguration;
import io.sandbox4j.lease.SandboxLeases;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.test.autoconfigure.app.CodeRunner;
import io.sandbox4j.test.autoconfigure.app.Events;
import io.sandbox4j.test.autoconfigure.app.Reviewer;
import io.sandbox4j.test.autoconfigure.app.SandboxApplication;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.web.server.servlet.ServletWebServerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;
import org.springframework.web.context.WebApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for what {@link SandboxTest} loads and what it does not.
 */
class SandboxTestSliceTests {

	@Test
	void sandboxesAreLoadedAndWhatShapesThem() {
		withContext(Plain.class, (context) -> {
			for (Class<?> type : new Class<?>[] { FakeSandboxBackend.class, SandboxTemplates.class, NetworkPolicy.class,
					SandboxLeases.class, SandboxToolCallbackProvider.class, Reviewer.class, Events.class }) {
				assertThat(context.getBeanNamesForType(type)).as(type.getName()).hasSize(1);
			}
		});
	}

	@Test
	void nothingElseIsLoaded() {
		withContext(Plain.class, (context) -> {
			assertThat(context).isNotInstanceOf(WebApplicationContext.class);
			for (Class<?> type : new Class<?>[] { CodeRunner.class, JsonMapper.class, ServletWebServerFactory.class,
					HealthContributor.class, SandboxHealthContributorAutoConfiguration.class }) {
				assertThat(context.getBeanNamesForType(type)).as(type.getName()).isEmpty();
			}
			assertThat(context.getBeanDefinitionNames())
				.filteredOn(
						(name) -> name.startsWith("org.springframework.boot.") && name.endsWith("AutoConfiguration"))
				.containsExactly("org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration");
		});
	}

	@Test
	void theApplicationsOwnBackendIsTaken() {
		withContext(OwnBackend.class,
				(context) -> assertThat(context.getBean(SandboxBackend.class)).isSameAs(context.getBean("ownBackend")));
	}

	@Test
	void anAutoConfigurationCanBeLeftOut() {
		withContext(WithoutTools.class,
				(context) -> assertThat(context.getBeanNamesForType(SandboxToolCallbackProvider.class)).isEmpty());
	}

	@Test
	void aComponentCanBeLetInAndKeptOut() {
		withContext(Filtered.class, (context) -> {
			assertThat(context.getBeanNamesForType(CodeRunner.class)).hasSize(1);
			assertThat(context.getBeanNamesForType(Reviewer.class)).isEmpty();
			assertThat(context.getBeanNamesForType(Events.class)).hasSize(1);
		});
	}

	@Test
	void withoutTheDefaultFiltersOnlyWhatIsNamedIsThere() {
		withContext(Named.class, (context) -> {
			assertThat(context.getBeanNamesForType(CodeRunner.class)).hasSize(1);
			assertThat(context.getBeanNamesForType(Reviewer.class)).isEmpty();
			assertThat(context.getBeanNamesForType(FakeSandboxBackend.class)).hasSize(1);
		});
	}

	@Test
	void whatATestRequiresOfTheFakeIsMissing() {
		withContext(Strict.class,
				(context) -> assertThat(context.getEnvironment().getProperty("sandbox.tools.required-restrictions"))
					.isEqualTo("write-contained"));
	}

	@Test
	void sandboxesThatAreDisabledAreNotThere() {
		withContext(Disabled.class,
				(context) -> assertThat(context.getBeanNamesForType(SandboxBackend.class)).isEmpty());
	}

	@Test
	void aMistakeInThePropertiesFailsTheTest() {
		assertThatThrownBy(() -> withContext(Mistaken.class, (context) -> {
		})).hasStackTraceContaining("sandbox.tools.max-sandboxes");
	}

	static void withContext(Class<?> testClass, Consumer<ConfigurableApplicationContext> assertions) {
		TestContextManager manager = new TestContextManager(testClass);
		ApplicationContext context = manager.getTestContext().getApplicationContext();
		try {
			assertions.accept((ConfigurableApplicationContext) context);
		}
		finally {
			manager.getTestContext().markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
		}
	}

	@SandboxTest
	@ContextConfiguration(classes = SandboxApplication.class)
	static class Plain {

	}

	@SandboxTest
	@ContextConfiguration(classes = { SandboxApplication.class, OwnBackend.Config.class })
	static class OwnBackend {

		@Configuration(proxyBeanMethods = false)
		static class Config {

			@Bean(destroyMethod = "close")
			FakeSandboxBackend ownBackend() {
				return new FakeSandboxBackend();
			}

		}

	}

	@SandboxTest(excludeAutoConfiguration = SandboxToolsAutoConfiguration.class)
	@ContextConfiguration(classes = SandboxApplication.class)
	static class WithoutTools {

	}

	@SandboxTest(includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = CodeRunner.class),
			excludeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Reviewer.class))
	@ContextConfiguration(classes = SandboxApplication.class)
	static class Filtered {

	}

	@SandboxTest(useDefaultFilters = false,
			includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = CodeRunner.class))
	@ContextConfiguration(classes = SandboxApplication.class)
	static class Named {

	}

	@SandboxTest(properties = "sandbox.tools.required-restrictions=write-contained")
	@ContextConfiguration(classes = SandboxApplication.class)
	static class Strict {

	}

	@SandboxTest(properties = "sandbox.enabled=false")
	@ContextConfiguration(classes = SandboxApplication.class)
	static class Disabled {

	}

	@SandboxTest(properties = "sandbox.tools.max-sandboxes=0")
	@ContextConfiguration(classes = SandboxApplication.class)
	static class Mistaken {

	}

}
