package io.sandbox4j.tools;

import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DeniedGlobsTests {

	private static boolean denies(String glob, String path) {
		return !PathAuthorization.denying(List.of(glob)).allows(WorkspacePath.parse(path));
	}

	@ParameterizedTest
	@CsvSource({ "secrets/**, secrets", "secrets/**, secrets/a/b", "secrets, secrets/a/b", "**/.env, .env",
			"**/.env, a/b/.env", "**/.env, a/.env/inside", "**/*.pem, key.pem", "**/*.pem, a/.pem", "a/*/c, a/b/c/d/e",
			"/workspace/secrets, secrets/a", "./secrets, secrets", "**, a", "**, .", "a/**/b, a/b/c", "a?b, a{b/c" })
	void whatAGlobNamesIsDeniedWithAllBelow(String glob, String path) {
		assertThat(denies(glob, path)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "secrets/**, secrets-backup", "secrets/**, secrets-backup/secret", "secrets, secret",
			"secrets, a/secrets", "secrets, Secrets", "secrets, .", "a/b/c, a/b", "a/b/c, a", "**/.env, .envrc",
			"**/.env, a.env", "**/*.pem, key.pem.txt", "**/*.pem, key.PEM", "*.pem, a/key.pem", "a?b, a/b" })
	void nothingElseIsDenied(String glob, String path) {
		assertThat(denies(glob, path)).isFalse();
	}

	@Test
	void namesAreComparedAsBytes() {
		assertThat(denies("\u00e4", "\u00e4")).isTrue();
		assertThat(denies("\u00e4", "a\u0308")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "/etc", "a//b", "secrets/", "../a", "a/../b", "a\\b", "!a", "**/*.{pem,key}",
			"[ab]", "**.pem", "a/b**", " a", "a ", "/workspace" })
	void aGlobThatCouldDenyLessThanItSeemsIsRefusedByItsName(String glob) {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> PathAuthorization.denying(List.of("fine", glob)))
			.withMessageContaining("'" + glob + "'")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
	}

	@Test
	void eachOfSeveralGlobsDenies() {
		PathAuthorization paths = PathAuthorization.denying(List.of("a", "**/*.pem"));
		assertThat(paths.allows(WorkspacePath.parse("a/x"))).isFalse();
		assertThat(paths.allows(WorkspacePath.parse("b/x.pem"))).isFalse();
		assertThat(paths.allows(WorkspacePath.parse("b/x"))).isTrue();
	}

	@Test
	void noGlobsDenyNothing() {
		assertThat(PathAuthorization.denying(List.of()).allows(WorkspacePath.parse("."))).isTrue();
	}

	@Test
	void bothDecisionsMustAllow() {
		PathAuthorization source = (path) -> path.relative().startsWith("src");
		PathAuthorization paths = PathAuthorization.denying(List.of("**/.env")).and(source);
		assertThat(paths.allows(WorkspacePath.parse("src/a"))).isTrue();
		assertThat(paths.allows(WorkspacePath.parse("src/.env"))).isFalse();
		assertThat(paths.allows(WorkspacePath.parse("docs/a"))).isFalse();
	}

	@Test
	void aDeepPathCostsNoMoreThanItsLength() {
		String path = "a/".repeat(2000) + "a";
		assertThat(denies("**/a*a*a*b/**/a*a*a*b/**/c", path)).isFalse();
	}

}
