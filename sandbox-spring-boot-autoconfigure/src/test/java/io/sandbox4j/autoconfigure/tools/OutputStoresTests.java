package io.sandbox4j.autoconfigure.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.autoconfigure.InvalidSandboxPropertyException;
import io.sandbox4j.autoconfigure.SandboxAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxGatewayAutoConfiguration;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.tools.ArtifactStore;
import io.sandbox4j.tools.FileArtifactStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class OutputStoresTests {

	@TempDir
	Path directory;

	private final FakeSandboxBackend backend = new FakeSandboxBackend();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
				SandboxToolsAutoConfiguration.class))
		.withBean(SandboxBackend.class, () -> this.backend)
		.withPropertyValues("sandbox.probe-at-start=false", "sandbox.tools.required-restrictions=");

	@Test
	void withoutADirectoryNothingIsKept() {
		this.contextRunner.run((context) -> {
			assertThat(context).doesNotHaveBean(ArtifactStore.class);
			assertThat(names(context.getBean(SandboxToolCallbackProvider.class))).doesNotContain("read_output");
		});
	}

	@Test
	void aDirectoryKeepsOutputsForTheToolsThatReadThem() {
		this.contextRunner
			.withPropertyValues("sandbox.tools.outputs.directory=" + this.directory.resolve("kept"),
					"sandbox.tools.offered=read_output,search_output")
			.run((context) -> {
				assertThat(context).hasSingleBean(FileArtifactStore.class);
				assertThat(names(context.getBean(SandboxToolCallbackProvider.class))).containsExactly("read_output",
						"search_output");
			});
	}

	@Test
	void aStoreOfTheApplicationIsUsedInItsPlace() {
		FileArtifactStore store = FileArtifactStore.builder(this.directory.resolve("own")).build();
		this.contextRunner.withBean(ArtifactStore.class, () -> store)
			.withPropertyValues("sandbox.tools.outputs.directory=" + this.directory.resolve("kept"))
			.run((context) -> assertThat(context.getBean(ArtifactStore.class)).isSameAs(store));
		assertThat(this.directory.resolve("kept")).doesNotExist();
	}

	@ParameterizedTest
	@CsvSource({ "directory, relative", "quota, 0B", "quota, -1B", "expiry, 0s", "expiry, -1s" })
	void whatCannotBeIsRefusedByItsName(String property, String value) {
		this.contextRunner
			.withPropertyValues("sandbox.tools.outputs.directory=" + this.directory.resolve("kept"),
					"sandbox.tools.outputs." + property + "=" + value)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidSandboxPropertyException.class)
				.hasMessageContaining("sandbox.tools.outputs." + property));
	}

	@Test
	void aDirectoryThatOthersCanWriteIsRefused() throws Exception {
		Path open = Files.createDirectory(this.directory.resolve("open"));
		Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
		this.contextRunner.withPropertyValues("sandbox.tools.outputs.directory=" + open)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidSandboxPropertyException.class)
				.hasMessageContaining("sandbox.tools.outputs.directory"));
	}

	private static List<String> names(SandboxToolCallbackProvider provider) {
		return Arrays.stream(provider.getToolCallbacks())
			.map(ToolCallback::getToolDefinition)
			.map((definition) -> definition.name())
			.toList();
	}

}
