package io.sandbox4j;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WorkspacePathTests {

	@ParameterizedTest
	@CsvSource({ ".,/workspace,.", "/workspace,/workspace,.", "a,/workspace/a,a", "a/b,/workspace/a/b,a/b",
			"/workspace/a/b,/workspace/a/b,a/b", "workspace,/workspace/workspace,workspace",
			"/workspace/workspace,/workspace/workspace,workspace", "...,/workspace/...,...", "a..,/workspace/a..,a..",
			".hidden,/workspace/.hidden,.hidden", "a b,/workspace/a b,a b", "-rf,/workspace/-rf,-rf",
			"%2e%2e/x,/workspace/%2e%2e/x,%2e%2e/x", "a/~,/workspace/a/~,a/~", "~x,/workspace/~x,~x",
			"a:b,/workspace/a:b,a:b", "'[post].tsx','/workspace/[post].tsx','[post].tsx'" })
	void hasOneSpelling(String text, String absolute, String relative) {
		WorkspacePath path = WorkspacePath.parse(text);
		assertThat(path).hasToString(absolute);
		assertThat(path.relative()).isEqualTo(relative);
		assertThat(WorkspacePath.parse(absolute)).isEqualTo(path);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "/etc/passwd", "//etc", "/workspace/", "/workspace//a", "/workspace/../etc",
			"/workspace/.", "/workspaces", "/workspacea/b", "..", "../escape", "a/..", "a/../b", "./a", "a/.", "a/",
			"a//b", "/workspace/a/", "a\\b", "..\\x", "C:\\temp", "\\\\host\\share", "a\0b", "\0", "~", "~/x",
			"/workspace/~", "/workspace/~/x", "file:///etc/passwd", "\ud800", "a/\udc00b", "\ud83dx" })
	void refusesEverythingElse(String text) {
		assertRefused(text);
	}

	@Test
	void aNameMayHoldALineBreakAndAnyCharacter() {
		String name = "a b'c\"d$(id)`id`\n\t*?|;&<>#!\u00e9\u20ac\ud83d\ude00";
		assertThat(WorkspacePath.parse(name).segments()).containsExactly(name);
	}

	@Test
	void aNameHasAtMost255Bytes() {
		assertThat(WorkspacePath.parse("x".repeat(255)).segments()).hasSize(1);
		assertRefused("x".repeat(256));
		assertThat(WorkspacePath.parse("\u20ac".repeat(85)).segments()).hasSize(1);
		assertRefused("\u20ac".repeat(85) + "x");
	}

	@Test
	void aPathHasAtMost4095Bytes() {
		// "/workspace" and 16 times "/" with 254 bytes are 4,090.
		String almost = ("x".repeat(254) + "/").repeat(16);
		assertThat(WorkspacePath.parse(almost + "1234")).hasToString("/workspace/" + almost + "1234");
		assertRefused(almost + "12345");
	}

	@Test
	void aChildIsValidatedToo() {
		WorkspacePath root = WorkspacePath.parse(".");
		assertThat(root.child("a").child("b").relative()).isEqualTo("a/b");
		for (String name : new String[] { "", ".", "..", "a/b", "a\\b", "~", "x".repeat(256) }) {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> root.child(name));
		}
	}

	@Test
	void knowsTheRoot() {
		assertThat(WorkspacePath.parse(".").isRoot()).isTrue();
		assertThat(WorkspacePath.parse("a").isRoot()).isFalse();
		assertThat(new WorkspacePath(List.of())).isEqualTo(WorkspacePath.parse("/workspace"));
	}

	@Test
	void aRefusalSaysWhichPathAndWhatToUse() {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> WorkspacePath.parse("../x"))
			.withMessageContaining("'../x'")
			.withMessageContaining("'src/app.py'");
	}

	@Test
	void aRefusalDoesNotRepeatAHugePath() {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> WorkspacePath.parse("x/".repeat(10_000)))
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(400));
	}

	private static void assertRefused(String text) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> WorkspacePath.parse(text))
			.extracting(SandboxException::code)
			.isEqualTo(ErrorCode.SANDBOX_PATH);
	}

}
