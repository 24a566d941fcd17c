package io.sandbox4j.autoconfigure.tools;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.autoconfigure.SandboxAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxGatewayAutoConfiguration;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.tools.PathAuthorization;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolPolicyProperties}, over a fake backend.
 */
class ToolPolicyPropertiesTests {

	private static final ToolContext ALICE = new ToolContext(Map.of("sandbox.key", "alice"));

	private final FakeSandboxBackend backend = new FakeSandboxBackend();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
				SandboxToolsAutoConfiguration.class))
		.withBean(SandboxBackend.class, () -> this.backend)
		.withPropertyValues("sandbox.probe-at-start=false", "sandbox.tools.required-restrictions=");

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.backend.sessions()).isEmpty();
	}

	@Test
	void deniedPathsAreOutOfReach() {
		this.contextRunner
			.withPropertyValues("sandbox.tools.denied-paths=secrets/**, **/.env",
					"sandbox.templates.web.files[secrets/key]=s3cret", "sandbox.templates.web.files[app/.env]=s3cret",
					"sandbox.templates.web.files[app/a.txt]=open", "sandbox.tools.template=web")
			.run((context) -> {
				assertThat(call(context, "read_file", "{\"path\":\"secrets/key\"}")).contains("FORBIDDEN");
				assertThat(call(context, "read_file", "{\"path\":\"app/.env\"}")).contains("FORBIDDEN");
				assertThat(call(context, "write_file", "{\"path\":\"secrets/new\",\"content\":\"x\"}"))
					.contains("FORBIDDEN");
				assertThat(call(context, "search_files", "{\"query\":\"s3cret\"}")).contains("\"matches\":[]");
				assertThat(call(context, "read_file", "{\"path\":\"app/a.txt\"}")).contains("open");
			});
	}

	@Test
	void deniedPathsAndABeanMustBothAllow() {
		this.contextRunner.withPropertyValues("sandbox.tools.denied-paths[0]=a")
			.withBean(PathAuthorization.class, () -> PathAuthorization.denying(List.of("b")))
			.run((context) -> {
				assertThat(call(context, "write_file", "{\"path\":\"a\",\"content\":\"x\"}")).contains("FORBIDDEN");
				assertThat(call(context, "write_file", "{\"path\":\"b\",\"content\":\"x\"}")).contains("FORBIDDEN");
				assertThat(call(context, "write_file", "{\"path\":\"c\",\"content\":\"x\"}")).doesNotContain("error");
			});
	}

	@Test
	void readOnlyToolsAreThoseWithoutEffects() {
		this.contextRunner.withPropertyValues("sandbox.tools.read-only=true", "sandbox.tools.shell=true")
			.run((context) -> {
				assertThat(names(context)).contains("read_file", "list_directory", "glob", "search_files")
					.doesNotContain("write_file", "append_file", "edit_file", "move_path", "remove_path",
							"run_command");
				ToolSandboxes sandboxes = context.getBean(ToolSandboxes.class);
				assertThat(sandboxes.<String>use("alice",
						(tools) -> tools.call("write_file", "{\"path\":\"a\",\"content\":\"x\"}").text()))
					.contains("NOT_FOUND");
			});
	}

	@Test
	void onlyNamedToolsAreOffered() {
		this.contextRunner
			.withPropertyValues("sandbox.tools.offered=read_file, run_command, write_file", "sandbox.tools.shell=true")
			.run((context) -> assertThat(names(context)).containsExactlyInAnyOrder("read_file", "run_command",
					"write_file"));
	}

	@Test
	void aNameBringsBackNothing() {
		this.contextRunner
			.withPropertyValues("sandbox.tools.offered=read_file,run_command,write_file",
					"sandbox.tools.read-only=true")
			.run((context) -> assertThat(names(context)).containsExactly("read_file"));
	}

	@Test
	void aCustomizerComesAfterTheProperties() {
		this.contextRunner.withPropertyValues("sandbox.tools.offered=read_file")
			.withBean(CodingToolsCustomizer.class, () -> (builder) -> builder.offer(List.of("glob")))
			.run((context) -> assertThat(names(context)).containsExactly("glob"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';',
			value = { "offered; read_file,raed_file; offered[1]; 'raed_file'; [read_file,",
					"offered; Read_File; offered[0]; 'Read_File'; read_file",
					"offered; ''; offered; must name a tool; " + "'sandbox.tools.enabled'",
					"denied-paths; secrets,*.{a; denied-paths[1]; '*.{a'; Name each alternative",
					"denied-paths; a,b,!c; denied-paths[2]; '!c'; leave it out",
					"denied-paths; /etc; denied-paths[0]; '/etc'; relative",
					"denied-paths; a/../b; denied-paths[0]; 'a/../b'; '..'",
					"denied-paths; a**; denied-paths[0]; 'a**'; Write '**/'" })
	void failsOnAnInvalidElementAndNamesIt(String property, String value, String named, String shown, String remedy) {
		this.contextRunner.withPropertyValues("sandbox.tools." + property + "=" + value)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'sandbox.tools." + named + "' is invalid: ")
				.hasMessageContaining(shown)
				.hasMessageContaining(remedy));
	}

	private static List<String> names(BeanFactory context) {
		return callbacks(context).map((tool) -> tool.getToolDefinition().name()).toList();
	}

	private static String call(BeanFactory context, String name, String arguments) {
		return callbacks(context).filter((tool) -> tool.getToolDefinition().name().equals(name))
			.findFirst()
			.orElseThrow()
			.call(arguments, ALICE);
	}

	private static Stream<ToolCallback> callbacks(BeanFactory context) {
		return Stream.of(context.getBean(SandboxToolCallbackProvider.class).getToolCallbacks());
	}

}
