package io.sandbox4j.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.cli.Cli.Result;
import io.sandbox4j.cli.Cli.Started;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs on a seeded repository, with real sandboxes. After each of them nothing of the run
 * is left.
 */
class GitRunIntegrationTests {

	@TempDir
	Path directory;

	private Path temporary;

	private Path repository;

	private Cli cli;

	@BeforeEach
	void makeARepository() throws Exception {
		// The guest of root is another user, who must get through to its workspace.
		Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.temporary = Files.createDirectory(this.directory.resolve("tmp"));
		this.repository = Files.createDirectories(this.directory.resolve("repository"));
		this.cli = new Cli(this.temporary, Files.createDirectory(this.directory.resolve("logs")));
		write("file.txt", "before\n");
		write("src/code", "1\n");
		write(".gitignore", ".env\n");
		git("init", "-q", "-b", "main");
		git("add", "-A");
		git("-c", "user.name=U", "-c", "user.email=u@example.org", "commit", "-qm", "first");
		write(".env", "KEY=1\n");
	}

	@AfterEach
	void leavesNothing() {
		assertThat(this.temporary).isEmptyDirectory();
	}

	private void write(String file, String content) throws IOException {
		Path path = this.repository.resolve(file);
		Files.createDirectories(path.getParent());
		Files.writeString(path, content);
	}

	private String git(String... args) throws Exception {
		List<String> command = new ArrayList<>(List.of("git"));
		command.addAll(List.of(args));
		Process git = new ProcessBuilder(command).directory(this.repository.toFile()).redirectErrorStream(true).start();
		String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(git.waitFor()).as(said).isZero();
		return said;
	}

	private Result run(String script, String... options) throws Exception {
		return this.cli.run(line(this.repository, script, options));
	}

	private static String[] line(Path directory, String script, String... options) {
		List<String> line = new ArrayList<>(List.of("run", "--git", "--dir", directory.toString()));
		line.addAll(List.of(options));
		line.addAll(List.of("--", "sh", "-c", script));
		return line.toArray(String[]::new);
	}

	@Test
	void showsWhatTheCommandChangedAndLeavesTheTreeAlone() throws Exception {
		write("file.txt", "not committed\n");
		Result result = run("cat file.txt; ls -A; echo after >file.txt; echo new >'new file'");
		assertThat(result.exitCode()).as(result.err()).isZero();
		assertThat(result.text()).isEqualTo("not committed\n.git\n.gitignore\nfile.txt\nsrc\n");
		assertThat(result.err()).startsWith("sandbox: Left on the host: .env\n")
			.contains("-not committed\n+after\n", "+new\n")
			.endsWith("sandbox: The command changed 2 files: file.txt, new file\n");
		assertThat(this.repository.resolve("file.txt")).hasContent("not committed");
		assertThat(git("status", "--porcelain")).isEqualTo(" M file.txt\n");
	}

	@Test
	void thePatchThatItShowsApplies() throws Exception {
		Result result = run("echo after >file.txt; head -c 3000 /dev/urandom >binary; chmod 755 src/code");
		String patch = result.err().substring(result.err().indexOf("diff --git"), result.err().lastIndexOf("sandbox:"));
		Files.writeString(this.directory.resolve("patch"), patch);
		git("apply", this.directory.resolve("patch").toString());
		assertThat(git("status", "--porcelain")).isEqualTo(" M file.txt\n M src/code\n?? binary\n");
	}

	@Test
	@Tag("isolation")
	void appliesWhatTheCommandChanged() throws Exception {
		Result result = run("git checkout -q -b other; echo after >file.txt; git commit -qam x; rm -r src", "--apply");
		assertThat(result.exitCode()).as(result.err()).isZero();
		assertThat(result.err()).endsWith("sandbox: Applied to " + this.repository.toRealPath() + ".\n");
		assertThat(this.repository.resolve("file.txt")).hasContent("after");
		assertThat(this.repository.resolve("src")).doesNotExist();
		assertThat(this.repository.resolve(".env")).hasContent("KEY=1");
		assertThat(git("branch")).isEqualTo("* main\n");
	}

	@Test
	void appliesNothingOfACommandThatFails() throws Exception {
		Result result = run("echo after >file.txt; exit 3", "--apply");
		assertThat(result.exitCode()).isEqualTo(3);
		assertThat(result.err()).contains("+after\n").contains("Nothing was applied");
		assertThat(this.repository.resolve("file.txt")).hasContent("before");
	}

	@Test
	void saysWhatBothSidesChangedAndAppliesNothing() throws Exception {
		Started started = this.cli
			.start(line(this.repository, "echo after >file.txt; echo new >new; echo ready; read line", "--apply"));
		await().atMost(Duration.ofSeconds(30)).until(() -> Files.readString(started.out()).equals("ready\n"));
		write("file.txt", "mine\n");
		try (var stdin = started.process().getOutputStream()) {
			stdin.write('\n');
		}
		Result result = started.await();
		assertThat(result.exitCode()).as(result.err()).isEqualTo(SandboxCommand.FAILED);
		assertThat(result.err()).contains("+after\n", "sandbox: Changed on both sides: file.txt\n");
		assertThat(this.repository.resolve("new")).doesNotExist();
		assertThat(this.repository.resolve("file.txt")).hasContent("mine");
	}

	@Test
	void worksInTheDirectoryThatItIsGivenOfTheTree() throws Exception {
		Result result = this.cli.run(line(this.repository.resolve("src"), "pwd; cat code", "--apply"));
		assertThat(result.text()).isEqualTo("/workspace/src\n1\n");
		assertThat(result.err()).endsWith("sandbox: The command changed no file.\n");
		assertThat(result.exitCode()).isZero();
	}

	@Test
	void refusesADirectoryThatIsInNoRepository() throws Exception {
		Result result = this.cli.run(line(this.temporary, "true"));
		assertThat(result.exitCode()).isEqualTo(SandboxCommand.INVALID);
		assertThat(result.err()).contains("is in no Git working tree");
	}

	@Test
	void refusesAChangeThatMayNotBeApplied() throws Exception {
		Result result = run("ln -s /etc/passwd link; echo after >file.txt", "--apply");
		assertThat(result.exitCode()).isEqualTo(SandboxCommand.INVALID);
		assertThat(result.err()).contains("'link' cannot be taken over");
		assertThat(git("status", "--porcelain")).isEmpty();
	}

}
