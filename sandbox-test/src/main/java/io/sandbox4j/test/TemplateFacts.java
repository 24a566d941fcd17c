package io.sandbox4j.test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Templates are stored once, by content, and every session gets its own copy.
 */
interface TemplateFacts extends ContractFacts {

	@Test
	default void theSameTemplateIsStoredOnce() {
		PreparedTemplate first = backend().prewarm(SandboxTemplate.named("t").file("a", "1").file("b", "2").build());
		PreparedTemplate second = backend().prewarm(SandboxTemplate.named("t").file("b", "2").file("a", "1").build());
		assertThat(first.reused()).isFalse();
		assertThat(second.reused()).isTrue();
		assertThat(second.key()).isEqualTo(first.key()).matches("[0-9a-f]{64}");
	}

	@Test
	default void anotherBackendObjectFindsAStoredTemplate() {
		PreparedTemplate first = backend().prewarm(ContractFixture.template());
		PreparedTemplate second = fixture().anotherBackend().prewarm(ContractFixture.template());
		assertThat(second).isEqualTo(new PreparedTemplate(first.key(), true));
	}

	@Test
	default void nameAndPathsAndContentAndModeMakeTheKey() {
		byte[] content = "x".getBytes(StandardCharsets.UTF_8);
		List<SandboxTemplate> templates = List.of(SandboxTemplate.named("t").file("a", content).build(),
				SandboxTemplate.named("u").file("a", content).build(),
				SandboxTemplate.named("t").file("b", content).build(),
				SandboxTemplate.named("t").file("a", "y").build(),
				SandboxTemplate.named("t").file("a", content, true).build(), SandboxTemplate.named("t").build());
		Set<String> keys = templates.stream().map((each) -> backend().prewarm(each).key()).collect(Collectors.toSet());
		assertThat(keys).hasSameSizeAs(templates);
	}

	@Test
	default void backendsOfTwoNamesShareNoTemplate() {
		SandboxBackend other = fixture().open("other", ContractFixture.LIMITS, (event) -> {
		});
		PreparedTemplate own = backend().prewarm(ContractFixture.template());
		assertThat(other.prewarm(ContractFixture.template()).key()).isNotEqualTo(own.key());
		ContractFixture.assertFails(ErrorCode.SANDBOX_NOT_FOUND, () -> create(other, own));
	}

	@Test
	default void aSessionStartsWithTheFilesOfItsTemplate() {
		SandboxFiles files = create(backend(),
				backend().prewarm(SandboxTemplate.named("t")
					.file("README", "hello")
					.file("bin/run", "#!/bin/sh\n".getBytes(StandardCharsets.UTF_8), true)
					.build()))
			.session()
			.files();
		assertThat(files.readText("README")).isEqualTo("hello");
		assertThat(files.stat("README").executable()).isFalse();
		assertThat(files.stat("bin/run").executable()).isTrue();
		assertThat(files.list(".")).extracting((entry) -> entry.path().relative()).containsExactly("README", "bin");
	}

	@Test
	default void aTemplateMayBeEmpty() {
		PreparedTemplate empty = backend().prewarm(SandboxTemplate.named("empty").build());
		assertThat(create(backend(), empty).session().files().list(".")).isEmpty();
	}

	@Test
	default void aTemplateCanStartWithAHostDirectory(@TempDir Path directory) throws IOException {
		Files.createDirectories(directory.resolve("src/empty"));
		Files.writeString(directory.resolve("src/a.txt"), "from the directory");
		Files.writeString(directory.resolve("b.txt"), "from the directory");
		PreparedTemplate template = backend()
			.prewarm(SandboxTemplate.named("t").directory(directory).file("b.txt", "replaced").build());
		SandboxFiles files = create(backend(), template).session().files();
		assertThat(files.readText("src/a.txt")).isEqualTo("from the directory");
		assertThat(files.readText("b.txt")).isEqualTo("replaced");
		assertThat(files.list("src/empty")).isEmpty();
	}

	@Test
	default void aCallerMayEraseItsBufferAtOnce() {
		byte[] content = "secret".getBytes(StandardCharsets.UTF_8);
		SandboxTemplate template = SandboxTemplate.named("t").file("a", content).build();
		Arrays.fill(content, (byte) 0);
		SandboxHandle sandbox = create(backend(), backend().prewarm(template));
		assertThat(sandbox.session().files().readText("a")).isEqualTo("secret");
	}

	@Test
	default void whatASessionChangesIsNotInItsTemplate() {
		SandboxHandle first = sandbox();
		first.session().files().writeText("README", "changed");
		first.session().files().writeText("new", "new");
		SandboxFiles second = sandbox().session().files();
		assertThat(second.readText("README")).isEqualTo("hello");
		assertThat(second.exists("new")).isFalse();
	}

	@Test
	default void aTemplateOutlivesItsSessions() {
		SandboxHandle sandbox = sandbox();
		PreparedTemplate template = new PreparedTemplate(sandbox.captureState().templateKey(), true);
		sandbox.delete();
		assertThat(create(backend(), template).session().files().readText("README")).isEqualTo("hello");
	}

	@Test
	default void anUnknownTemplateIsNotFoundAndLeavesNoSession() {
		ContractFixture.assertFails(ErrorCode.SANDBOX_NOT_FOUND, () -> backend()
			.create(SandboxRequest.from("0123456789abcdef".repeat(4)).network(NetworkPolicy.denyAll()).build()));
		assertThat(backend().sessions()).isEmpty();
		assertThat(backend().handles()).isEmpty();
	}

	@Test
	default void oneOfManyAtOnceStoresTheTemplate() {
		List<CompletableFuture<PreparedTemplate>> racing = IntStream.range(0, 8)
			.mapToObj((i) -> ContractFixture.async(() -> backend().prewarm(ContractFixture.template())))
			.toList();
		assertThat(racing.stream().map((each) -> each.join().key()).distinct()).hasSize(1);
		assertThat(sandbox().session().files().readText("README")).isEqualTo("hello");
	}

	private static SandboxHandle create(SandboxBackend backend, PreparedTemplate template) {
		return backend.create(SandboxRequest.from(template).network(NetworkPolicy.denyAll()).build());
	}

}
