package io.sandbox4j.storage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxTemplate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TemplateDirectoryTests {

	@TempDir
	Path temporary;

	private Path tree;

	private StateDirectory state;

	@BeforeEach
	void setUp() throws Exception {
		this.tree = Files.createDirectory(this.temporary.resolve("tree"));
		Files.writeString(Files.createDirectories(this.tree.resolve("src")).resolve("a.txt"), "from the directory");
		this.state = TestState.open(this.temporary.resolve("state"));
	}

	@AfterEach
	void tearDown() {
		this.state.close();
	}

	@Test
	void treeBecomesTheWorkspace() throws Exception {
		Path script = Files.writeString(this.tree.resolve("run.sh"), "#!/bin/sh\n");
		Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x---"));
		Files.createDirectories(this.tree.resolve("empty/inner"));
		Files.createSymbolicLink(this.tree.resolve("link"), Path.of("src/a.txt"));
		Files.createSymbolicLink(this.tree.resolve("dangling"), Path.of("/does/not/exist"));
		Path workspace = this.state.sessions().create(prewarm().key()).workspace();
		assertThat(workspace.resolve("src/a.txt")).hasContent("from the directory");
		assertThat(modeOf(workspace.resolve("src/a.txt"))).isEqualTo("rw-r--r--");
		assertThat(modeOf(workspace.resolve("run.sh"))).isEqualTo("rwxr-xr-x");
		assertThat(workspace.resolve("empty/inner")).isEmptyDirectory();
		assertThat(Files.readSymbolicLink(workspace.resolve("link"))).isEqualTo(Path.of("src/a.txt"));
		assertThat(Files.readSymbolicLink(workspace.resolve("dangling"))).isEqualTo(Path.of("/does/not/exist"));
	}

	@Test
	void unchangedTreeIsReused() {
		assertThat(prewarm().reused()).isFalse();
		assertThat(prewarm().reused()).isTrue();
	}

	@Test
	void eachKindOfChangeIsAnotherTemplate() throws Exception {
		String first = prewarm().key();
		Files.writeString(this.tree.resolve("src/a.txt"), "changed");
		String content = prewarm().key();
		Files.createDirectory(this.tree.resolve("empty"));
		String directory = prewarm().key();
		Files.createSymbolicLink(this.tree.resolve("link"), Path.of("src"));
		String link = prewarm().key();
		Files.delete(this.tree.resolve("link"));
		Files.createSymbolicLink(this.tree.resolve("link"), Path.of("empty"));
		String target = prewarm().key();
		Files.setPosixFilePermissions(this.tree.resolve("src/a.txt"), PosixFilePermissions.fromString("rwx------"));
		assertThat(new String[] { first, content, directory, link, target, prewarm().key() }).doesNotHaveDuplicates();
	}

	@Test
	void filesInMemoryReplaceThoseOfTheDirectory() {
		String key = this.state.templates()
			.prewarm(SandboxTemplate.named("tree").directory(this.tree).file("src/a.txt", "from memory").build())
			.key();
		assertThat(this.state.sessions().create(key).workspace().resolve("src/a.txt")).hasContent("from memory");
	}

	@Test
	void fileInMemoryFillsAnEmptyDirectory() throws Exception {
		Files.createDirectory(this.tree.resolve("empty"));
		String key = this.state.templates()
			.prewarm(SandboxTemplate.named("tree").directory(this.tree).file("empty/b", "b").build())
			.key();
		assertThat(this.state.sessions().create(key).workspace().resolve("empty/b")).hasContent("b");
	}

	@Test
	void fileInMemoryNeverGoesThroughALink() throws Exception {
		Files.createSymbolicLink(this.tree.resolve("link"), this.temporary);
		assertInvalid(SandboxTemplate.named("tree").directory(this.tree).file("link/b", "b").build(), "link");
		assertThat(this.temporary.resolve("b")).doesNotExist();
	}

	@Test
	void fileInMemoryOverADirectoryIsInvalid() {
		assertInvalid(SandboxTemplate.named("tree").directory(this.tree).file("src", "x").build(), "src");
	}

	@Test
	void fifoIsNamedAndNotOpened() throws Exception {
		assertThat(new ProcessBuilder("mkfifo", this.tree.resolve("pipe").toString()).start().waitFor()).isZero();
		assertInvalid(SandboxTemplate.named("tree").directory(this.tree).build(), "pipe");
	}

	@Test
	void missingDirectoryIsInvalid() {
		assertInvalid(SandboxTemplate.named("tree").directory(this.tree.resolve("missing")).build(), "missing");
	}

	@Test
	void countIncludesDirectories() throws Exception {
		Files.createDirectories(this.tree.resolve("a/b/c"));
		try (StateDirectory small = TestState.open(this.temporary.resolve("small"), TestState.BACKEND,
				new StorageSettings(Durability.PROCESS, null, 100, 4))) {
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> small.templates().prewarm(SandboxTemplate.named("t").directory(this.tree).build()))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_LIMIT));
		}
	}

	@Test
	void fileThatGrowsPastTheLimitWhileCopiedIsStopped() throws Exception {
		SandboxTemplate template = SandboxTemplate.named("t").directory(this.tree).build();
		StorageSettings limits = new StorageSettings(Durability.PROCESS, null, 100, 10);
		TemplateContent content = TemplateContent.list(template, limits);
		Files.writeString(this.tree.resolve("src/a.txt"), "x".repeat(101));
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> new TemplateBuild("test", template, content).write(this.temporary.resolve("data")))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_LIMIT));
	}

	@Test
	void keyIsThatOfTheCopyIfTheTreeChangesMeanwhile() throws Exception {
		SandboxTemplate template = SandboxTemplate.named("tree").directory(this.tree).build();
		TemplateContent content = TemplateContent.list(template, StorageSettings.defaults());
		TemplateBuild build = new TemplateBuild("test", template, content);
		String before = build.digest();
		Files.writeString(this.tree.resolve("src/a.txt"), "changed");
		String written = build.write(Files.createDirectory(this.temporary.resolve("data")));
		assertThat(written).isNotEqualTo(before).isEqualTo(prewarm().key());
	}

	private PreparedTemplate prewarm() {
		return this.state.templates().prewarm(SandboxTemplate.named("tree").directory(this.tree).build());
	}

	private void assertInvalid(SandboxTemplate template, String named) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.state.templates().prewarm(template))
			.withMessageContaining(named)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
	}

	private static String modeOf(Path path) throws Exception {
		return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
	}

}
