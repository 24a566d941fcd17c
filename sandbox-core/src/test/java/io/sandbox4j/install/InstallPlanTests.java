package io.sandbox4j.install;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Tag("isolation")
class InstallPlanTests {

	@RegisterExtension
	static final InstallExtension sandbox = new InstallExtension();

	private static void write(String... names) {
		for (String name : names) {
			sandbox.files().writeText(name, "{}");
		}
	}

	private static InstallResolution resolve(InstallPlan plan) {
		return plan.resolve(sandbox.files(), ".", null);
	}

	private static InstallResolution.Command command(InstallPlan plan) {
		InstallResolution resolution = resolve(plan);
		assertThat(resolution).isInstanceOf(InstallResolution.Command.class);
		return (InstallResolution.Command) resolution;
	}

	private static String reason(InstallPlan plan) {
		InstallResolution resolution = resolve(plan);
		assertThat(resolution).isInstanceOf(InstallResolution.Skip.class);
		return ((InstallResolution.Skip) resolution).reason();
	}

	private static InstallPlan withScripts() {
		return InstallPlan.builder().scripts(true).build();
	}

	@ParameterizedTest
	@CsvSource({ "package.json, pnpm-lock.yaml, pnpm, pnpm install --frozen-lockfile",
			"package.json, yarn.lock, yarn, yarn install --immutable",
			"package.json, bun.lock, bun, bun install --frozen-lockfile",
			"package.json, bun.lockb, bun, bun install --frozen-lockfile",
			"package.json, package-lock.json, npm, npm ci", "package.json, npm-shrinkwrap.json, npm, npm ci",
			"pyproject.toml, uv.lock, uv, uv sync --frozen",
			"requirements.txt, requirements.txt, pip, -r requirements.txt",
			"Cargo.toml, Cargo.lock, cargo, cargo fetch", "go.mod, go.sum, go, go mod download" })
	void aLockfileChoosesTheManager(String manifest, String lockfile, String manager, String command) {
		write(manifest, lockfile);
		InstallResolution.Command resolved = command(InstallPlan.defaults());
		assertThat(resolved.manager()).isEqualTo(manager);
		assertThat(resolved.command()).contains(command);
	}

	@ParameterizedTest
	@CsvSource({ "package.json, npm, npm install --no-package-lock", "Cargo.toml, cargo, cargo fetch",
			"go.mod, go, go mod download", "pom.xml, maven, dependency:go-offline", "build.gradle, gradle, gradle",
			"build.gradle.kts, gradle, gradle", "settings.gradle.kts, gradle, gradle", "pyproject.toml, pip, install",
			"setup.py, pip, install" })
	void aManifestAloneIsEnoughWhereTheManagerSaysSo(String manifest, String manager, String command) {
		write(manifest);
		InstallResolution.Command resolved = command(withScripts());
		assertThat(resolved.manager()).isEqualTo(manager);
		assertThat(resolved.command()).contains(command);
	}

	@Test
	void theFirstLockfileInTheOrderOfThePlanWins() {
		write("package.json", "package-lock.json", "yarn.lock", "bun.lock", "pnpm-lock.yaml");
		assertThat(command(InstallPlan.defaults()).manager()).isEqualTo("pnpm");
	}

	@Test
	void theManagerThatIsPinnedWinsOverLockfiles() {
		write("pnpm-lock.yaml", "package-lock.json");
		sandbox.files().writeText("package.json", "{\"packageManager\":\"npm@11.1.0+sha512.ab\"}");
		assertThat(command(InstallPlan.defaults()).manager()).isEqualTo("npm");
	}

	@Test
	void aPinnedManagerWithoutItsLockfileIsStillThePinnedOne() {
		sandbox.files().writeText("package.json", "{\"packageManager\":\"pnpm@9\"}");
		write("package-lock.json");
		assertThat(command(InstallPlan.defaults()).command()).startsWith("pnpm install --frozen-lockfile");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "{\"packageManager\":\"cargo@1\"}", "{\"packageManager\":\"vlt@1\"}", "{\"packageManager\":7}",
					"{\"packageManager\":null}", "[]", "not json", "{\"packageManager\":\"; rm -rf /\"}" })
	void aPinThatIsNoKnownManagerPinsNothing(String manifest) {
		sandbox.files().writeText("package.json", manifest);
		write("yarn.lock", "Cargo.toml");
		assertThat(command(InstallPlan.defaults()).manager()).isEqualTo("yarn");
	}

	@Test
	void aManifestThatIsHugeOrALinkPinsNothing() {
		sandbox.files()
			.writeText("package.json",
					"{\"packageManager\":\"pnpm@9\",\"x\":\"" + "x".repeat(1024 * 1024 - 100) + "\"}");
		write("yarn.lock");
		assertThat(command(InstallPlan.defaults()).manager()).isEqualTo("pnpm");
		sandbox.out("head -c 2000000 /dev/zero | tr '\\0' ' ' >>package.json");
		assertThat(command(InstallPlan.defaults()).manager()).isEqualTo("yarn");
		sandbox.out("echo '{\"packageManager\":\"pnpm@9\"}' >other; ln -sf other package.json");
		assertThat(command(InstallPlan.defaults()).manager()).isEqualTo("yarn");
	}

	@Test
	void theOverrideOfARepositoryWinsOverEverything() {
		sandbox.files().writeText("package.json", "{\"packageManager\":\"npm@11\"}");
		InstallPlan plan = InstallPlan.builder().override("Owner/Repo", "make deps", "vendor").build();
		InstallResolution.Command command = (InstallResolution.Command) plan.resolve(sandbox.files(), ".",
				"owner/repo");
		assertThat(command.command()).isEqualTo("make deps");
		assertThat(command.trees()).containsExactly("vendor");
		assertThat(command.scriptsSkipped()).isFalse();
		assertThat(command.files()).contains("package.json", "yarn.lock", "uv.lock", "Cargo.lock", ".npmrc");
		assertThat(((InstallResolution.Command) plan.resolve(sandbox.files(), ".", "owner/other")).manager())
			.isEqualTo("npm");
	}

	@Test
	void aRepositoryThatIsNoneIsInvalid() {
		InstallPlan plan = InstallPlan.defaults();
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> plan.resolve(sandbox.files(), ".", "a/b/../c"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
	}

	@Test
	void withoutAManifestNothingIsInstalledWithTheReason() {
		write("package-lock.json");
		assertThat(reason(InstallPlan.defaults())).startsWith("There is none of package.json, ").contains("go.mod");
	}

	@Test
	void aDirectoryThatIsNoneHasNothingToInstall() {
		write("file");
		sandbox.out("mkdir real && echo {} >real/package.json && ln -s real link");
		for (String directory : List.of("absent", "file", "link", "link/below")) {
			InstallResolution resolution = InstallPlan.defaults().resolve(sandbox.files(), directory, null);
			assertThat(resolution).isEqualTo(new InstallResolution.Skip("There is no directory '" + directory + "'."));
		}
	}

	@Test
	void withoutALockfileAndACommandForThatNothingIsInstalled() {
		InstallRule rule = new InstallRule("tool", List.of("tool.json"), List.of("tool.lock"), List.of(), List.of(),
				InstallCommand.harmless("tool install"), null);
		write("tool.json");
		assertThat(reason(InstallPlan.builder().rules(List.of(rule)).build())).contains("no lockfile of tool");
	}

	@Test
	void aLockfileOfAnyEcosystemComesBeforeAManifestAlone() {
		write("package.json", "requirements.txt");
		assertThat(command(InstallPlan.defaults()).manager()).isEqualTo("pip");
	}

	@Test
	void ofTwoEcosystemsWithLockfilesTheFirstInTheOrderWins() {
		write("package.json", "package-lock.json", "requirements.txt", "Cargo.toml", "Cargo.lock");
		assertThat(command(InstallPlan.defaults()).manager()).isEqualTo("npm");
		List<InstallRule> reversed = new ArrayList<>(InstallPlan.defaults().rules());
		Collections.reverse(reversed);
		assertThat(command(InstallPlan.builder().rules(reversed).build()).manager()).isEqualTo("cargo");
	}

	@ParameterizedTest
	@CsvSource({ "pom.xml, maven", "build.gradle, gradle", "setup.py, pip" })
	void whatCannotDoWithoutRunningCodeIsRefusedUnlessItIsAllowed(String manifest, String manager) {
		write(manifest);
		assertThat(reason(InstallPlan.defaults())).contains("by " + manager + " runs code").contains("does not allow");
		assertThat(command(withScripts()).scriptsSkipped()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "pnpm-lock.yaml, --ignore-scripts", "yarn.lock, --mode=skip-build", "yarn.lock, --ignore-scripts",
			"bun.lock, --ignore-scripts", "package-lock.json, --ignore-scripts", "none, --ignore-scripts" })
	void scriptsAreOffUnlessTheyAreAllowed(String lockfile, String option) {
		write("package.json", lockfile);
		InstallResolution.Command without = command(InstallPlan.defaults());
		assertThat(without.command()).contains(option);
		assertThat(without.scriptsSkipped()).isTrue();
		InstallResolution.Command with = command(withScripts());
		assertThat(with.command()).doesNotContain(" " + option);
		assertThat(with.scriptsSkipped()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "package.json, pnpm-lock.yaml, --frozen-lockfile", "package.json, yarn.lock, --frozen-lockfile",
			"package.json, yarn.lock, --immutable", "package.json, bun.lock, --frozen-lockfile",
			"package.json, package-lock.json, npm ci", "pyproject.toml, uv.lock, --frozen",
			"Cargo.toml, Cargo.lock, --locked" })
	void noInstallChangesALockfileThatIsThere(String manifest, String lockfile, String option) {
		write(manifest, lockfile);
		assertThat(command(InstallPlan.defaults()).command()).contains(option);
		assertThat(command(withScripts()).command()).contains(option);
	}

	@Test
	void pythonPackagesAreNotBuiltUnlessThatIsAllowed() {
		write("requirements.txt");
		assertThat(command(InstallPlan.defaults()).command()).contains("--only-binary :all:");
		assertThat(command(withScripts()).command()).doesNotContain("--only-binary");
		write("pyproject.toml", "uv.lock");
		assertThat(command(InstallPlan.defaults()).command()).contains("--no-build");
		assertThat(command(withScripts()).command()).doesNotContain("--no-build");
	}

	@Test
	void everyCommandIsShellThatCanBeParsed() {
		for (InstallRule rule : InstallPlan.defaults().rules()) {
			for (InstallCommand command : Arrays.asList(rule.locked(), rule.unlocked())) {
				if (command != null) {
					assertParses(command.withScripts());
					assertParses(String.valueOf(command.safe()));
				}
			}
		}
	}

	private static void assertParses(String command) {
		assertThat(sandbox.session().run(ExecSpec.of("/bin/sh", "-n", "-c", command)).succeeded()).as(command).isTrue();
	}

	@Test
	void aTimeoutIsPositiveAndAtMostADay() {
		assertThat(InstallPlan.defaults().timeout()).isEqualTo(Duration.ofMinutes(20));
		for (Duration timeout : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofHours(25))) {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> InstallPlan.builder().timeout(timeout));
		}
	}

	@Test
	void aRuleThatCannotBeHeldIsRefused() {
		InstallCommand command = InstallCommand.harmless("x");
		List<String> none = List.of();
		List<String> file = List.of("file");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new InstallRule("m", none, none, none, none, null, command));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new InstallRule("m", file, none, none, none, command, null));
		assertThatIllegalArgumentException().isThrownBy(() -> new InstallRule("m", file, none, none, none, null, null));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new InstallRule("m", List.of("/workspace/x"), none, none, none, null, command));
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> new InstallRule("m", List.of("../x"), none, none, none, null, command));
		assertThatIllegalArgumentException().isThrownBy(() -> InstallCommand.harmless("x".repeat(4097)));
		assertThatIllegalArgumentException().isThrownBy(() -> InstallCommand.harmless(" "));
	}

}
