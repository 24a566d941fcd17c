package io.sandbox4j;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SandboxTemplateTests {

	@Test
	void filesAreSortedByTheirCanonicalPath() {
		SandboxTemplate template = SandboxTemplate.named("t")
			.file("b", "2")
			.file("/workspace/a/x", "1")
			.file("c", new byte[] { 3 }, true)
			.build();
		assertThat(template.name()).isEqualTo("t");
		assertThat(template.files().keySet()).containsExactly("a/x", "b", "c");
		assertThat(template.files().get("a/x").bytes()).isEqualTo("1".getBytes(StandardCharsets.UTF_8));
		assertThat(template.files().get("a/x").executable()).isFalse();
		assertThat(template.files().get("c").executable()).isTrue();
		assertThat(template.directory()).isNull();
	}

	@Test
	void bytesAreCopiedInAndOut() {
		byte[] bytes = { 1 };
		SandboxTemplate template = SandboxTemplate.named("t").file("a", bytes).build();
		bytes[0] = 2;
		template.files().get("a").bytes()[0] = 3;
		assertThat(template.files().get("a").bytes()).containsExactly(1);
	}

	@Test
	void whatIsAddedLaterIsNotInIt() {
		SandboxTemplate.Builder builder = SandboxTemplate.named("t").file("a", "1");
		SandboxTemplate template = builder.build();
		builder.file("b", "2");
		assertThat(template.files()).containsOnlyKeys("a");
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> template.files().clear());
	}

	@Test
	void aDirectoryIsRemembered() {
		assertThat(SandboxTemplate.named("t").directory(Path.of("/srv/base")).build().directory())
			.isEqualTo(Path.of("/srv/base"));
	}

	@Test
	void refusesANameThatIsEmpty() {
		assertFails(ErrorCode.SANDBOX_INVALID, () -> SandboxTemplate.named(" "));
	}

	@Test
	void refusesAFileOutsideTheWorkspaceAndTheWorkspaceItself() {
		assertFails(ErrorCode.SANDBOX_PATH, () -> SandboxTemplate.named("t").file("../a", ""));
		assertFails(ErrorCode.SANDBOX_PATH, () -> SandboxTemplate.named("t").file(".", ""));
		assertFails(ErrorCode.SANDBOX_PATH, () -> SandboxTemplate.named("t").file("/workspace", ""));
	}

	@Test
	void refusesAFileThatStandsTwiceInAnySpelling() {
		assertFails(ErrorCode.SANDBOX_INVALID,
				() -> SandboxTemplate.named("t").file("a/b", "1").file("/workspace/a/b", "1"));
	}

	@Test
	void refusesAFileThatIsAlsoADirectory() {
		assertFails(ErrorCode.SANDBOX_INVALID,
				() -> SandboxTemplate.named("t").file("a/b/c", "1").file("a", "2").build());
		assertFails(ErrorCode.SANDBOX_INVALID,
				() -> SandboxTemplate.named("t").file("a", "1").file("a-b", "2").file("a/b/c", "3").build());
	}

	private static void assertFails(ErrorCode code, ThrowingCallable call) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.extracting(SandboxException::code)
			.isEqualTo(code);
	}

}
