package io.sandbox4j.autoconfigure.tools;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.autoconfigure.SandboxAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxGatewayAutoConfiguration;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.test.ai.ReplayCall;
import io.sandbox4j.test.ai.ReplayChatModel;
import io.sandbox4j.tools.PathAuthorization;
import io.sandbox4j.tools.ToolAuthorization;
import io.sandbox4j.tools.ToolRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SandboxToolsAutoConfiguration} over a fake backend.
 */
class SandboxToolsAutoConfigurationTests {

	private static final ToolContext ALICE = new ToolContext(Map.of("sandbox.key", "alice"));

	private static final ToolContext BOB = new ToolContext(Map.of("sandbox.key", "bob"));

	private final FakeSandboxBackend backend = new FakeSandboxBackend();

	// The fake holds no restriction.
	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
				SandboxToolsAutoConfiguration.class, SandboxMcpToolsAutoConfiguration.class))
		.withBean(SandboxBackend.class, () -> this.backend)
		.withPropertyValues("sandbox.probe-at-start=false", "sandbox.tools.required-restrictions=");

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.backend.sessions()).isEmpty();
	}

	@Test
	void offersTheToolsAsTheyAreDescribed() {
		this.contextRunner.run((context) -> {
			assertThat(names(context)).contains("read_file", "write_file", "edit_file", "search_files")
				.doesNotContain("run_command");
			assertThat(callbacks(context)).allSatisfy((tool) -> {
				assertThat(tool.getToolDefinition().description()).isNotBlank();
				assertThat(tool.getToolDefinition().inputSchema()).contains("\"additionalProperties\":false");
			});
			assertThat(this.backend.handles()).isEmpty();
		});
	}

	@Test
	void backsOffWithoutSpringAi() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(ToolCallback.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ToolSandboxes.class));
	}

	@Test
	void worksWithoutMcp() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("io.modelcontextprotocol"))
			.run((context) -> assertThat(context).hasSingleBean(SandboxToolCallbackProvider.class)
				.doesNotHaveBean(SandboxKeyResolver.class));
	}

	@ParameterizedTest
	@CsvSource({ "sandbox.enabled", "sandbox.tools.enabled" })
	void makesNothingWhenDisabled(String property) {
		this.contextRunner.withPropertyValues(property + "=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ToolCallbackProvider.class)
				.doesNotHaveBean(ToolSandboxes.class)
				.doesNotHaveBean(McpKeyResolver.class));
	}

	@Test
	void backsOffWhenUserProvidesTheBeans() {
		SandboxToolCallbackProvider provider = new SandboxToolCallbackProvider(List.of());
		ToolSandboxes sandboxes = new LeasedToolSandboxes(this.backend,
				this.backend.prewarm(SandboxTemplate.named("empty").build()), NetworkPolicy.denyAll(),
				(session) -> null, new ToolCallOwners((key, context) -> key),
				new LeasedToolSandboxes.Bounds(1, Duration.ofHours(1)));
		this.contextRunner.withBean("mine", ToolSandboxes.class, () -> sandboxes)
			.withBean("myTools", SandboxToolCallbackProvider.class, () -> provider)
			.run((context) -> {
				assertThat(context.getBean(ToolSandboxes.class)).isSameAs(sandboxes);
				assertThat(context.getBean(SandboxToolCallbackProvider.class)).isSameAs(provider);
			});
	}

	@Test
	void otherToolsOfTheApplicationStayBesideThese() {
		this.contextRunner.withBean("others", ToolCallbackProvider.class, () -> () -> new ToolCallback[0])
			.run((context) -> assertThat(context).hasSingleBean(SandboxToolCallbackProvider.class)
				.getBeans(ToolCallbackProvider.class)
				.hasSize(2));
	}

	@Test
	void aKeyFindsItsFilesAgainAndNoOtherKeyDoes() {
		this.contextRunner.run((context) -> {
			assertThat(call(context, "write_file", "{\"path\":\"a.txt\",\"content\":\"of alice\"}", ALICE))
				.doesNotContain("error");
			assertThat(call(context, "read_file", "{\"path\":\"a.txt\"}", ALICE)).contains("of alice");
			assertThat(call(context, "read_file", "{\"path\":\"a.txt\"}", BOB)).contains("NOT_FOUND");
			assertThat(call(context, "search_files", "{\"query\":\"alice\"}", BOB)).doesNotContain("a.txt");
			assertThat(this.backend.sessions()).hasSize(2);
		});
	}

	@Test
	void aMissingKeyIsAnErrorOfTheApplication() {
		this.contextRunner.run((context) -> {
			ToolCallback tool = callbacks(context)[0];
			assertThatIllegalStateException().isThrownBy(() -> tool.call("{}")).withMessageContaining("'sandbox.key'");
			assertThatIllegalStateException().isThrownBy(() -> tool.call("{}", null))
				.withMessageContaining("is missing")
				.withMessageContaining("toolContext(");
			assertThatIllegalStateException()
				.isThrownBy(() -> tool.call("{}", new ToolContext(Map.of("sandbox.key", 7))))
				.withMessageContaining("is no string");
			assertThatIllegalArgumentException()
				.isThrownBy(() -> tool.call("{}", new ToolContext(Map.of("sandbox.key", ""))));
			assertThat(this.backend.sessions()).isEmpty();
		});
	}

	@Test
	void aResolverOfTheApplicationComesFirst() {
		this.contextRunner
			.withBean(SandboxKeyResolver.class, () -> (context) -> (String) context.getContext().get("id"))
			.run((context) -> {
				ToolContext both = new ToolContext(Map.of("id", "carol", "sandbox.key", "alice"));
				call(context, "write_file", "{\"path\":\"a.txt\",\"content\":\"x\"}", both);
				assertThat(call(context, "read_file", "{\"path\":\"a.txt\"}", ALICE)).contains("NOT_FOUND");
				assertThat(call(context, "read_file", "{\"path\":\"a.txt\"}",
						new ToolContext(Map.of("sandbox.key", "carol"))))
					.doesNotContain("error");
			});
	}

	@Test
	void aSandboxThatCannotBeMadeIsARefusalWithoutItsCause() {
		this.contextRunner.withPropertyValues("sandbox.tools.required-restrictions=write-contained")
			.run((context) -> assertThat(call(context, "list_directory", "{}", ALICE)).contains("SANDBOX_UNAVAILABLE")
				.contains("\"hint\"")
				.doesNotContain("write-contained"));
	}

	@Test
	void moreSandboxesThanTheMaximumAreBusy() {
		this.contextRunner.withPropertyValues("sandbox.tools.max-sandboxes=1").run((context) -> {
			assertThat(call(context, "list_directory", "{}", ALICE)).doesNotContain("error");
			assertThat(call(context, "list_directory", "{}", BOB)).contains("\"code\":\"SANDBOX_BUSY\"");
		});
	}

	@Test
	void workspacesStartFromTheTemplate() {
		this.contextRunner
			.withPropertyValues("sandbox.templates.python.files[src/app.py]=print(1)", "sandbox.tools.template=python")
			.run((context) -> assertThat(call(context, "read_file", "{\"path\":\"src/app.py\"}", ALICE))
				.contains("print(1)"));
	}

	@Test
	void sandboxesGetThePolicyOfTheApplication() {
		this.contextRunner.withBean(NetworkPolicy.class, NetworkPolicy::allowAll).run((context) -> {
			call(context, "list_directory", "{}", ALICE);
			assertThat(this.backend.handles().get(0).session().networkPolicy()).isEqualTo(NetworkPolicy.allowAll());
		});
	}

	@Test
	void programsAndTheShellAreOfferedOnDemand() {
		this.contextRunner.withPropertyValues("sandbox.tools.executables.upper=/usr/bin/upper").run((context) -> {
			this.backend.on("/usr/bin/upper", (program) -> {
				program.print(program.args().toString().toUpperCase());
				return 0;
			});
			assertThat(call(context, "run_command", "{\"executable\":\"upper\",\"args\":[\"x\"]}", ALICE))
				.contains("[X]");
			assertThat(call(context, "run_command", "{\"command\":\"ls\"}", ALICE)).contains("BAD_REQUEST");
		});
		this.contextRunner.withPropertyValues("sandbox.tools.shell=true")
			.run((context) -> assertThat(names(context)).contains("run_command"));
	}

	@Test
	void anAuthorizationBeanDecides() {
		List<ToolRequest> asked = new ArrayList<>();
		this.contextRunner.withBean(ToolAuthorization.class, () -> (request) -> {
			asked.add(request);
			return !(request instanceof ToolRequest.Write);
		}).run((context) -> {
			assertThat(call(context, "write_file", "{\"path\":\"a\",\"content\":\"x\"}", ALICE)).contains("FORBIDDEN");
			assertThat(call(context, "list_directory", "{}", ALICE)).doesNotContain("error");
			assertThat(asked).hasSize(2);
		});
	}

	@Test
	void aPathAuthorizationBeanDecides() {
		this.contextRunner.withBean(PathAuthorization.class, () -> (path) -> !path.relative().equals("secret"))
			.run((context) -> assertThat(call(context, "write_file", "{\"path\":\"secret\",\"content\":\"x\"}", ALICE))
				.contains("FORBIDDEN"));
	}

	@Test
	void appliesCustomizersInOrderAfterTheProperties() {
		this.contextRunner.withPropertyValues("sandbox.tools.shell=true")
			.withUserConfiguration(CustomizerConfiguration.class)
			.run((context) -> {
				assertThat(context.getBean(CustomizerConfiguration.class).calls).containsExactly("first", "second");
				assertThat(names(context)).doesNotContain("run_command");
			});
	}

	@ParameterizedTest
	@CsvSource({ "sandbox.tools.max-sandboxes, 0", "sandbox.tools.idle-timeout, 0s", "sandbox.tools.idle-timeout, -1s",
			"sandbox.tools.executables.python, python3", "sandbox.tools.executables.shell, /bin/sh",
			"sandbox.tools.template, nope", "sandbox.tools.excluded-directories, a/b",
			"sandbox.tools.limits.path-size, 0B", "sandbox.tools.limits.read-size, 3GB",
			"sandbox.tools.limits.write-size, -1B", "sandbox.tools.limits.command-arguments, 0",
			"sandbox.tools.limits.command-argument-size, 0B", "sandbox.tools.limits.output-size, 0B",
			"sandbox.tools.limits.list-entries, 0", "sandbox.tools.limits.search-results, 0",
			"sandbox.tools.limits.search-files, 0", "sandbox.tools.limits.search-depth, -1",
			"sandbox.tools.limits.command-timeout, 0s" })
	void failsOnAnInvalidValueAndNamesTheProperty(String property, String value) {
		this.contextRunner.withPropertyValues(property + "=" + value)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'" + property + "' is invalid: "));
	}

	@Test
	void limitsReachTheTools() {
		this.contextRunner
			.withPropertyValues("sandbox.tools.limits.write-size=10B", "sandbox.tools.shell=true",
					"sandbox.tools.limits.command-timeout=7s")
			.run((context) -> {
				assertThat(call(context, "write_file", "{\"path\":\"a\",\"content\":\"0123456789a\"}", ALICE))
					.contains("BAD_REQUEST");
				assertThat(callbacks(context))
					.anySatisfy((tool) -> assertThat(tool.getToolDefinition().description()).contains("It has 7 s"));
			});
	}

	@Test
	void callsAreObservedWithoutArguments() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
		this.contextRunner.withBean(ObservationRegistry.class, () -> observations).run((context) -> {
			call(context, "write_file", "{\"path\":\"private.txt\",\"content\":\"s3cret\"}", ALICE);
			call(context, "read_file", "{\"path\":\"nope.txt\"}", ALICE);
			assertThatIllegalStateException().isThrownBy(() -> callbacks(context)[0].call("{}"));
		});
		assertThat(count(meters, "write_file", "success")).isOne();
		assertThat(count(meters, "read_file", "NOT_FOUND")).isOne();
		assertThat(meters.get("sandbox.tool").tag("outcome", "error").timers()).hasSize(1);
		assertThat(meters.getMeters().stream().flatMap((meter) -> meter.getId().getTags().stream()).toList().toString())
			.doesNotContain("alice", "private", "s3cret", "nope");
	}

	@Test
	void aChatDrivesTheToolsToTheEnd() {
		ReplayChatModel model = ReplayChatModel.builder()
			.turn(ReplayCall.of("write_file", Map.of("path", "a.txt", "content", "one\ntwo\n")).expecting("sha256"))
			.turn(ReplayCall.of("edit_file",
					Map.of("path", "a.txt", "edits", List.of(Map.of("oldText", "two", "newText", "three")))))
			.turn(ReplayCall.of("read_file", Map.of("path", "a.txt")).expecting("three"))
			.turn("Done.")
			.build();
		this.contextRunner.run((context) -> {
			String answer = ChatClient.create(model)
				.prompt("Fix it")
				.tools(context.getBean(SandboxToolCallbackProvider.class))
				.toolContext(Map.of("sandbox.key", "alice"))
				.call()
				.content();
			assertThat(answer).isEqualTo("Done.");
			assertThat(this.backend.handles().get(0).session().files().readText("a.txt")).isEqualTo("one\nthree\n");
		});
	}

	@Test
	void aChatWithoutAKeyFailsForTheDeveloper() {
		ReplayChatModel model = ReplayChatModel.builder()
			.turn(ReplayCall.of("list_directory", Map.of()))
			.turn("Done.")
			.build();
		this.contextRunner.run(
				(context) -> assertThatExceptionOfType(IllegalStateException.class)
					.isThrownBy(() -> ChatClient.create(model)
						.prompt("Fix it")
						.tools(context.getBean(SandboxToolCallbackProvider.class))
						.call()
						.content())
					.withMessageContaining("'sandbox.key'"));
	}

	private static ToolCallback[] callbacks(BeanFactory context) {
		return context.getBean(SandboxToolCallbackProvider.class).getToolCallbacks();
	}

	private static List<String> names(BeanFactory context) {
		return Stream.of(callbacks(context)).map((tool) -> tool.getToolDefinition().name()).toList();
	}

	private static String call(BeanFactory context, String name, String arguments, ToolContext toolContext) {
		return Stream.of(callbacks(context))
			.filter((tool) -> tool.getToolDefinition().name().equals(name))
			.findFirst()
			.orElseThrow()
			.call(arguments, toolContext);
	}

	private static long count(MeterRegistry meters, String tool, String outcome) {
		return meters.get("sandbox.tool").tags("tool", tool, "outcome", outcome).timer().count();
	}

	@Configuration(proxyBeanMethods = false)
	static class CustomizerConfiguration {

		private final List<String> calls = new ArrayList<>();

		@Bean
		@Order(2)
		CodingToolsCustomizer second() {
			return (builder) -> {
				this.calls.add("second");
				builder.shell(false);
			};
		}

		@Bean
		@Order(1)
		CodingToolsCustomizer first() {
			return (builder) -> this.calls.add("first");
		}

	}

}
