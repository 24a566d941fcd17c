package io.sandbox4j.test.autoconfigure;

import java.util.Arrays;
import java.util.Map;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.autoconfigure.tools.SandboxKeyResolver;
import io.sandbox4j.autoconfigure.tools.SandboxToolCallbackProvider;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.test.autoconfigure.app.CodeRunner;
import io.sandbox4j.test.autoconfigure.app.Events;
import io.sandbox4j.test.autoconfigure.app.SandboxApplication;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxTest} with its default backend, as an application writes them.
 */
@SandboxTest(properties = { "spring.application.name=sliced", "sandbox.templates.greeting.files[greet.sh]=echo hi" })
@ContextConfiguration(classes = SandboxApplication.class)
@Import(CodeRunner.class)
class SandboxTestFakeTests {

	@Autowired
	private FakeSandboxBackend backend;

	@Autowired
	private SandboxToolCallbackProvider tools;

	@Autowired
	private CodeRunner runner;

	@Autowired
	private Events events;

	@Test
	void theApplicationWorksInTheFake(@Autowired SandboxBackend only) {
		assertThat(only).isSameAs(this.backend);
		this.backend.on("python3", (python) -> {
			python.print(python.readText("in.txt") + ", " + python.args());
			return 0;
		});
		assertThat(this.runner.run("python3", "-c", "1")).isEqualTo("from the template, [-c, 1]");
	}

	@Test
	void listenersOfTheApplicationHearTheFake() {
		this.events.heard().clear();
		this.backend.on("true", (program) -> 0);
		this.runner.run("true");
		assertThat(this.events.heard()).hasAtLeastOneElementOfType(SandboxEvent.SessionCreated.class)
			.hasAtLeastOneElementOfType(SandboxEvent.SessionDeleted.class);
	}

	@Test
	void theToolsWorkInTheFakeAndAskTheApplication() {
		assertThat(call("write_file", "{\"path\":\"a.txt\",\"content\":\"b\"}")).contains("sha256");
		assertThat(call("read_file", "{\"path\":\"a.txt\"}")).contains("\"b\"");
		assertThat(call("remove_path", "{\"path\":\"a.txt\"}")).contains("FORBIDDEN");
	}

	private String call(String name, String arguments) {
		ToolCallback tool = Arrays.stream(this.tools.getToolCallbacks())
			.filter((candidate) -> candidate.getToolDefinition().name().equals(name))
			.findFirst()
			.orElseThrow();
		return tool.call(arguments, new ToolContext(Map.of(SandboxKeyResolver.CONTEXT_KEY, "alice")));
	}

	@Test
	void propertiesOfTheTestAreThere(@Autowired Environment environment, @Autowired String applicationName) {
		assertThat(environment.getProperty("sandbox.templates.greeting.files[greet.sh]")).isEqualTo("echo hi");
		assertThat(applicationName).isEqualTo("sliced");
	}

	@Nested
	class Inner {

		@Test
		void aNestedClassHasTheContextOfItsOuterOne(@Autowired SandboxBackend same) {
			assertThat(same).isSameAs(SandboxTestFakeTests.this.backend);
		}

	}

}
