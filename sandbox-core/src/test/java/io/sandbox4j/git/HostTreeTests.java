package io.sandbox4j.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which files of the host count as ignored.
 */
class HostTreeTests {

	@TempDir
	Path directory;

	private Path root;

	private Path home;

	private ObjectStore store;

	@BeforeEach
	void makeARepositoryWithAnEnvironmentFile() throws IOException {
		this.root = Files.createDirectory(this.directory.resolve("root"));
		this.home = Files.createDirectory(this.directory.resolve("home"));
		this.store = new ObjectStore(this.directory.resolve("store"));
		this.store.create("sha1", "session");
		GitCommand.git("init", "--quiet", "--template=", ".").in(this.root).run();
		Files.writeString(this.root.resolve(".env"), "KEY=1\n");
		Files.writeString(this.root.resolve("code"), "1\n");
	}

	private List<String> carried(Map<String, String> environment) {
		HostTree tree = new HostTree(this.root, this.store, List.of(), environment);
		return NulList.parse(this.store.git("ls-tree", "-r", "-z", "--name-only", tree.snapshot()).bytes());
	}

	private void home(String file, String content) throws IOException {
		Path path = this.home.resolve(file);
		Files.createDirectories(path.getParent());
		Files.writeString(path, content);
	}

	@Test
	void allIsCarriedThatNobodyIgnores() {
		assertThat(carried(Map.of("HOME", this.home.toString()))).containsExactly(".env", "code");
	}

	@ParameterizedTest
	@CsvSource({ ".gitconfig, '[core]\n\texcludesFile = ~/mine\n'",
			".config/git/config, '[core]\n\texcludesFile = ~/mine\n'" })
	void whatTheUsersConfigurationIgnoresIsNotCarried(String file, String content) throws IOException {
		home(file, content);
		home("mine", ".env\n");
		assertThat(carried(Map.of("HOME", this.home.toString()))).containsExactly("code");
	}

	@Test
	void whatTheUsersDefaultFileIgnoresIsNotCarried() throws IOException {
		home(".config/git/ignore", ".env\n");
		assertThat(carried(Map.of("HOME", this.home.toString()))).containsExactly("code");
	}

	@Test
	void theUsersDefaultFileMayBeElsewhere() throws IOException {
		home(".config/git/ignore", ".env\n");
		home("elsewhere/git/ignore", "code\n");
		assertThat(carried(
				Map.of("HOME", this.home.toString(), "XDG_CONFIG_HOME", this.home.resolve("elsewhere").toString())))
			.containsExactly(".env");
	}

	@Test
	void theRepositorysOwnRulesWin() throws IOException {
		home(".config/git/ignore", ".env\n");
		Files.createDirectories(this.root.resolve(".git/info"));
		Files.writeString(this.root.resolve(".git/info/exclude"), "!.env\ncode\n");
		assertThat(carried(Map.of("HOME", this.home.toString()))).containsExactly(".env");
	}

	@Test
	void aFileOfRulesIsFoundFromTheTopOfTheTree() throws IOException {
		Files.writeString(this.root.resolve(".rules"), ".env\n.rules\n");
		GitCommand.git("config", "core.excludesFile", ".rules").in(this.root).run();
		assertThat(carried(Map.of())).containsExactly("code");
	}

	@Test
	void aConfigurationThatCannotBeReadIsAnErrorAndNotNoRules() throws IOException {
		home(".gitconfig", "[core\n");
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> carried(Map.of("HOME", this.home.toString())))
			.withMessageContaining(".gitconfig");
	}

	@Test
	void rulesThatCannotBeReadAreAnErrorAndNotNoRules() throws IOException {
		Path rules = Files.createDirectories(this.home.resolve(".config/git")).resolve("ignore");
		Files.createSymbolicLink(rules, rules);
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> carried(Map.of("HOME", this.home.toString())))
			.withMessageContaining("'core.excludesFile'");
	}

	@Test
	void theApplicationsVariablesLeadToNoOtherRepository() throws IOException {
		home(".gitconfig", "[core]\n\texcludesFile = ~/mine\n");
		home("mine", ".env\n");
		assertThat(carried(Map.of("HOME", this.home.toString(), "GIT_DIR", "/nonexistent", "GIT_WORK_TREE", "/",
				"GIT_CONFIG_PARAMETERS", "'core.excludesfile'='/dev/null'")))
			.containsExactly("code");
	}

}
