package io.sandbox4j.agentsandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.sandbox4j.ErrorCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springaicommunity.sandbox.ExecSpec;
import org.springaicommunity.sandbox.FileEntry;
import org.springaicommunity.sandbox.FileSpec;
import org.springaicommunity.sandbox.FileType;
import org.springaicommunity.sandbox.SandboxException;
import org.springaicommunity.sandbox.SandboxFiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

/**
 * Files of a sandbox, beside what its commands make of them.
 */
class SessionSandboxFilesTests {

	@RegisterExtension
	final SandboxExtension sandboxes = new SandboxExtension();

	private SessionSandbox sandbox;

	private SandboxFiles files;

	@BeforeEach
	void open() {
		this.sandbox = this.sandboxes.sandbox();
		this.files = this.sandbox.files();
	}

	@Test
	void filesAndCommandsShareOneWorkspace() {
		String output = this.files.create("src/deep/in.txt", "höhe\n")
			.setup(List.of(FileSpec.of("a", "1"), FileSpec.of("b/c", "2")))
			.createDirectory("made/by/host")
			.and()
			.exec(ExecSpec.of("sh", "-c", "cat src/deep/in.txt a b/c; printf tiefe > made/by/host/out"))
			.stdout();
		assertThat(output).isEqualTo("höhe\n12");
		assertThat(this.files.read("made/by/host/out")).isEqualTo("tiefe");
	}

	@Test
	void aFileIsReplacedAndAnEmptyOneIsAFile() {
		assertThat(this.files.create("a", "long content").create("a", "").read("a")).isEmpty();
		assertThat(this.files.exists("a")).isTrue();
	}

	@Test
	void anExistingDirectoryIsMadeAgainWithoutHarm() {
		this.files.create("dir/file", "kept").createDirectory("dir");
		assertThat(this.files.read("dir/file")).isEqualTo("kept");
	}

	@ParameterizedTest
	@ValueSource(strings = { "../x", "a/../../x", "a/../b", "..", "/etc/passwd", "/workspace/../etc/passwd", "/", "",
			"~", "~/x", "a//b", "a/./b", ".//workspace/a", ".//a", "././/a", "a\\b", "a\0b", "\ud800" })
	void everyCallRefusesAPathThatIsNone(String path) {
		List<Consumer<String>> calls = List.of((it) -> this.files.create(it, "x"), this.files::createDirectory,
				this.files::read, this.files::list, (it) -> this.files.list(it, 3), this.files::delete,
				(it) -> this.files.delete(it, true), (it) -> this.files.setup(List.of(FileSpec.of(it, "x"))));
		assertThat(calls).allSatisfy((call) -> Refusals.assertRefused(ErrorCode.SANDBOX_PATH, () -> call.accept(path)));
		assertThat(this.files.exists(path)).isFalse();
		assertThat(this.files.list(".")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "dir/a", "./dir/a", "././dir/a", "dir/a/", "/workspace/dir/a", "/workspace/dir/a//" })
	void spellingsOfAFileAreOneFile(String path) {
		this.files.create(path, "content");
		assertThat(this.files.list(".", 9)).extracting(FileEntry::path).containsExactly("dir", "dir/a");
		assertThat(this.files.read(path)).isEqualTo("content");
		assertThat(this.files.exists(path)).isTrue();
		this.files.delete(path);
		assertThat(this.files.list("dir")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { ".", "./", ".//", "/workspace", "/workspace/" })
	void spellingsOfTheRootAreTheRoot(String path) {
		this.files.create("a", "");
		assertThat(this.files.exists(path)).isTrue();
		assertThat(this.files.list(path)).extracting(FileEntry::name).containsExactly("a");
	}

	@Test
	void theRootIsNeverRemovedOrReplaced() {
		this.files.create("a", "kept");
		Refusals.assertRefused(ErrorCode.SANDBOX_PATH, () -> this.files.delete("."));
		Refusals.assertRefused(ErrorCode.SANDBOX_PATH, () -> this.files.delete(".", true));
		Refusals.assertRefused(ErrorCode.SANDBOX_PATH, () -> this.files.create(".", "x"));
		assertThat(this.files.read("a")).isEqualTo("kept");
	}

	@Test
	void noCallFollowsALink() throws IOException {
		Path secret = Files.writeString(this.sandboxes.root().resolve("secret"), "of the host");
		run("ln -s '" + secret + "' file; ln -s '" + this.sandboxes.root() + "' dir; mkdir real; ln -s real inside");
		Refusals.assertRefused(ErrorCode.SANDBOX_PATH, () -> this.files.read("file"));
		Refusals.assertRefused(ErrorCode.SANDBOX_PATH, () -> this.files.read("dir/secret"));
		Refusals.assertRefused(ErrorCode.SANDBOX_PATH, () -> this.files.create("dir/new", "x"));
		Refusals.assertRefused(ErrorCode.SANDBOX_PATH, () -> this.files.createDirectory("dir/new"));
		Refusals.assertRefused(ErrorCode.SANDBOX_PATH, () -> this.files.list("dir"));
		Refusals.assertRefused(ErrorCode.SANDBOX_PATH, () -> this.files.delete("dir/secret"));
		Refusals.assertRefused(ErrorCode.SANDBOX_PATH, () -> this.files.create("inside/new", "x"));
		assertThat(this.files.exists("dir/secret")).isFalse();
		assertThat(secret).hasContent("of the host");
		assertThat(this.sandboxes.root().resolve("new")).doesNotExist();
	}

	@Test
	void aLinkIsListedAsAFileAndDeletedWithoutItsTarget() {
		this.files.create("real/kept", "x");
		run("ln -s real link; ln -s nowhere dangling; mkfifo pipe");
		assertThat(this.files.list(".", 5)).extracting(FileEntry::path, FileEntry::type)
			.containsExactly(tuple("dangling", FileType.FILE), tuple("link", FileType.FILE),
					tuple("pipe", FileType.FILE), tuple("real", FileType.DIRECTORY), tuple("real/kept", FileType.FILE));
		assertThat(this.files.exists("dangling")).isTrue();
		this.files.delete("link").delete("dangling").delete("pipe");
		assertThat(this.files.list(".", 5)).extracting(FileEntry::path).containsExactly("real", "real/kept");
	}

	@Test
	void anEntryHasItsNameItsPathItsSizeAndItsTime() {
		FileEntry entry = this.files.create("dir/a.txt", "höhe").list("dir").get(0);
		assertThat(entry.name()).isEqualTo("a.txt");
		assertThat(entry.path()).isEqualTo("dir/a.txt");
		assertThat(entry.size()).isEqualTo(5);
		assertThat(entry.isFile()).isTrue();
		assertThat(entry.modifiedTime()).isCloseTo(Instant.now(), within(5, ChronoUnit.MINUTES));
	}

	@Test
	void aListEndsAtItsDepth() {
		this.files.create("a/b/c/d", "");
		Map<Integer, Integer> entriesAtDepth = Map.of(1, 1, 2, 2, 3, 3, 4, 4, Integer.MAX_VALUE, 4);
		entriesAtDepth.forEach((depth, entries) -> assertThat(this.files.list(".", depth)).hasSize(entries));
		Refusals.assertRefused(ErrorCode.SANDBOX_INVALID, () -> this.files.list(".", 0));
	}

	@Test
	void aDirectoryThatIsNotEmptyIsDeletedOnlyRecursively() {
		this.files.create("dir/file", "kept");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.files.delete("dir"))
			.withMessageContaining("not empty");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.files.delete("dir", false));
		assertThat(this.files.read("dir/file")).isEqualTo("kept");
		assertThat(this.files.delete("dir", true).exists("dir")).isFalse();
	}

	@Test
	void whatIsAbsentOrOfAnotherKindIsAnException() {
		this.files.create("file", "x");
		Refusals.assertRefused(ErrorCode.SANDBOX_NOT_FOUND, () -> this.files.read("absent"));
		Refusals.assertRefused(ErrorCode.SANDBOX_NOT_FOUND, () -> this.files.delete("absent", true));
		Refusals.assertRefused(ErrorCode.SANDBOX_PATH, () -> this.files.create("file/below", "x"));
		Refusals.assertRefused(ErrorCode.SANDBOX_PATH, () -> this.files.read("."));
		assertThat(this.files.exists("absent")).isFalse();
		assertThat(this.files.exists("file/below")).isFalse();
	}

	@Test
	void textIsUtf8InBothDirections() {
		run("printf 'a\\377b' > latin1");
		Refusals.assertRefused(ErrorCode.SANDBOX_INVALID, () -> this.files.read("latin1"));
		Refusals.assertRefused(ErrorCode.SANDBOX_INVALID, () -> this.files.create("broken", "\ud800"));
		assertThat(this.files.exists("broken")).isFalse();
	}

	@Test
	void aFileBeyondTheLimitIsRefused() {
		assertThat(this.files.create("most", "x".repeat(1024 * 1024)).read("most")).hasSize(1024 * 1024);
		Refusals.assertRefused(ErrorCode.SANDBOX_LIMIT, () -> this.files.create("more", "x".repeat(1024 * 1024 + 1)));
		assertThat(this.files.exists("more")).isFalse();
	}

	@Test
	void nullIsNoContentAndNoPath() {
		assertThatNullPointerException().isThrownBy(() -> this.files.create("a", null))
			.withMessageContaining("content");
		assertThatNullPointerException().isThrownBy(() -> this.files.create(null, "a")).withMessageContaining("Path");
		assertThat(this.files.list(".")).isEmpty();
	}

	@Test
	void noFailureNamesAPathOfTheHost() {
		run("ln -s / link");
		List<ThrowingCallable> calls = List.of(() -> this.files.read("absent"),
				() -> this.files.read("link/etc/passwd"), () -> this.files.list("link"),
				() -> this.files.delete("absent"), () -> this.files.create(".", ""));
		assertThat(calls).allSatisfy((call) -> assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.withMessageNotContaining(this.sandboxes.root().toString()));
	}

	private void run(String script) {
		assertThat(this.sandbox.exec(ExecSpec.of("sh", "-c", script)).success()).isTrue();
	}

}
