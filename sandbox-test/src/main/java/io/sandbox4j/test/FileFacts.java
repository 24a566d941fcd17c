package io.sandbox4j.test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.SandboxSession;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the files of a workspace do when they are asked for what they can do.
 */
interface FileFacts extends ContractFacts {

	@Test
	default void bytesComeBackAsTheyWereWritten() {
		SandboxFiles files = sandbox().session().files();
		byte[] bytes = { 0, (byte) 0xff, '\n' };
		files.write("deep/er/file.bin", bytes);
		assertThat(files.read("deep/er/file.bin")).isEqualTo(bytes);
		assertThat(files.read("/workspace/deep/er/file.bin")).isEqualTo(bytes);
	}

	@Test
	default void nothingIsAddedToText() {
		SandboxFiles files = sandbox().session().files();
		for (String text : new String[] { "", "no line break", "line\n", "a\r\nb\r\n", "\ufeffbom", "\ud83d\ude00" }) {
			files.writeText("text", text);
			assertThat(files.readText("text")).isEqualTo(text);
			assertThat(files.read("text")).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
		}
	}

	@Test
	default void aFileIsCreatedOnceAndNeverOverAnything() {
		SandboxFiles files = sandbox().session().files();
		files.create("new/file", new byte[] { 1 });
		assertThat(files.read("new/file")).containsExactly(1);
		ContractFixture.assertFails(ErrorCode.SANDBOX_PATH, () -> files.create("new/file", new byte[] { 2 }));
		ContractFixture.assertFails(ErrorCode.SANDBOX_PATH, () -> files.create("new", new byte[] { 2 }));
		assertThat(files.read("new/file")).containsExactly(1);
		files.remove("new/file");
		files.create("new/file", new byte[] { 3 });
		assertThat(files.read("new/file")).containsExactly(3);
	}

	@Test
	default void oneOfManyAtOnceCreatesAFile() {
		SandboxFiles files = sandbox().session().files();
		for (int round = 0; round < 50; round++) {
			String path = "file" + round;
			List<CompletableFuture<Boolean>> attempts = IntStream.range(0, 4)
				.mapToObj((i) -> ContractFixture.async(() -> created(files, path, (byte) i)))
				.toList();
			List<Boolean> created = attempts.stream().map(ContractFixture::result).toList();
			assertThat(created).containsOnlyOnce(true);
			assertThat(files.read(path)).containsExactly((byte) created.indexOf(true));
		}
	}

	private static boolean created(SandboxFiles files, String path, byte content) {
		try {
			files.create(path, new byte[] { content });
			return true;
		}
		catch (SandboxException ex) {
			assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_PATH);
			return false;
		}
	}

	@Test
	default void theBytesOfTheCallerAreCopied() {
		SandboxFiles files = sandbox().session().files();
		byte[] bytes = { 1 };
		files.write("file", bytes);
		bytes[0] = 2;
		files.read("file")[0] = 3;
		assertThat(files.read("file")).containsExactly(1);
	}

	@Test
	default void aStreamIsWrittenToItsEndAndNotClosed() throws IOException {
		SandboxFiles files = sandbox().session().files();
		byte[] bytes = new byte[3_000_000];
		bytes[bytes.length - 1] = 1;
		ClosingStream content = new ClosingStream(bytes);
		files.write("large", content);
		assertThat(content.closed).isFalse();
		try (InputStream stream = files.open("large")) {
			assertThat(stream.readAllBytes()).isEqualTo(bytes);
		}
	}

	@Test
	default void anOpenStreamReadsTheFileThatWasOpened() throws IOException {
		SandboxFiles files = sandbox().session().files();
		files.writeText("file", "old");
		try (InputStream stream = files.open("file")) {
			files.writeText("file", "new");
			assertThat(stream.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("old");
		}
		assertThat(files.readText("file")).isEqualTo("new");
	}

	@Test
	default void anOverwrittenFileKeepsItsMode() {
		SandboxFiles files = sandbox().session().files();
		files.writeText("run", "1");
		assertThat(files.stat("run").executable()).isFalse();
		files.setExecutable("run", true);
		files.writeText("run", "2");
		assertThat(files.stat("run").executable()).isTrue();
		files.setExecutable("run", false);
		assertThat(files.stat("run").executable()).isFalse();
		assertThat(files.readText("run")).isEqualTo("2");
	}

	@Test
	default void entriesAreDescribed() {
		SandboxFiles files = sandbox().session().files();
		files.write("dir/file", new byte[5]);
		FileEntry file = files.stat("dir/file");
		assertThat(file.path().toString()).isEqualTo("/workspace/dir/file");
		assertThat(file.type()).isEqualTo(FileType.FILE);
		assertThat(file.size()).isEqualTo(5);
		assertThat(file.modified()).isBetween(Instant.now().minus(Duration.ofMinutes(5)),
				Instant.now().plus(Duration.ofMinutes(5)));
		FileEntry directory = files.stat("dir");
		assertThat(directory.type()).isEqualTo(FileType.DIRECTORY);
		assertThat(directory.size()).isZero();
		assertThat(directory.executable()).isFalse();
		assertThat(files.stat(".").type()).isEqualTo(FileType.DIRECTORY);
		assertThat(files.stat(".").path().isRoot()).isTrue();
	}

	@Test
	default void whatIsAbsentDoesNotExist() {
		SandboxFiles files = sandbox().session().files();
		assertThat(files.exists("README")).isTrue();
		assertThat(files.exists(".")).isTrue();
		assertThat(files.exists("absent")).isFalse();
		assertThat(files.exists("absent/below")).isFalse();
	}

	@Test
	default void aDirectoryMayBeMadeTwice() {
		SandboxFiles files = sandbox().session().files();
		files.createDirectories("a/b/c");
		files.createDirectories("a/b/c");
		files.createDirectories(".");
		assertThat(files.list("a/b/c")).isEmpty();
	}

	@Test
	default void aListIsSortedByName() {
		SandboxFiles files = sandbox().session().files();
		for (String name : new String[] { "b", "a", "B", "a.txt", "a-1" }) {
			files.writeText("dir/" + name, "");
		}
		files.writeText("dir/sub/below", "");
		assertThat(names(files.list("dir"))).containsExactly("dir/B", "dir/a", "dir/a-1", "dir/a.txt", "dir/b",
				"dir/sub");
	}

	@Test
	default void aWalkHasParentsFirstAndEndsAtItsDepth() {
		SandboxFiles files = sandbox().session().files();
		files.writeText("dir/a/b/c", "");
		files.writeText("dir/a.txt", "");
		assertThat(names(files.walk("dir", 1))).containsExactly("dir/a", "dir/a.txt");
		assertThat(names(files.walk("dir", 2))).containsExactly("dir/a", "dir/a/b", "dir/a.txt");
		assertThat(names(files.walk("dir", 99))).containsExactly("dir/a", "dir/a/b", "dir/a/b/c", "dir/a.txt");
	}

	@Test
	default void removalTakesWholeDirectoriesAndMayBeRepeated() {
		SandboxFiles files = sandbox().session().files();
		files.writeText("dir/a/b", "");
		assertThat(files.remove("dir/a/b")).isTrue();
		assertThat(files.remove("dir/a/b")).isFalse();
		files.writeText("dir/a/c", "");
		assertThat(files.remove("dir")).isTrue();
		assertThat(files.remove("dir")).isFalse();
		assertThat(files.remove("dir/a")).isFalse();
		assertThat(names(files.list("."))).containsExactly("README");
	}

	@Test
	default void aMoveMakesDirectoriesAndReplacesFiles() {
		SandboxFiles files = sandbox().session().files();
		files.writeText("old", "1");
		files.setExecutable("old", true);
		files.move("old", "new/dir/file");
		files.writeText("other", "2");
		files.move("other", "README");
		assertThat(files.readText("new/dir/file")).isEqualTo("1");
		assertThat(files.stat("new/dir/file").executable()).isTrue();
		assertThat(files.readText("README")).isEqualTo("2");
		assertThat(names(files.list("."))).containsExactly("README", "new");
	}

	@Test
	default void aDirectoryMovesWithWhatIsInIt() {
		SandboxFiles files = sandbox().session().files();
		files.writeText("a/b/c", "1");
		files.move("a", "moved/here");
		assertThat(files.readText("moved/here/b/c")).isEqualTo("1");
		assertThat(files.exists("a")).isFalse();
	}

	@Test
	default void everyNameThatAPathAllowsIsAName() {
		SandboxSession session = sandbox().session();
		for (String name : new String[] { "a b'c\"d$(id)\n.txt", "-rf", "*", "~x", "\u00e4\u20ac", "x".repeat(255),
				"%2e%2e", "name with trailing space ", ".hidden" }) {
			session.files().writeText("odd/" + name, name);
			assertThat(names(session.files().list("odd"))).containsExactly("odd/" + name);
			assertThat(session.files().readText("odd/" + name)).isEqualTo(name);
			assertThat(session.run(commands().printFile("odd/" + name)).stdoutText()).isEqualTo(name);
			assertThat(session.files().remove("odd/" + name)).isTrue();
		}
	}

	@Test
	default void operationsArePublished() {
		SandboxSession session = sandbox().session();
		session.files().writeText("a", "");
		assertThat(session.files().exists("absent")).isFalse();
		assertThat(fixture().events(SandboxEvent.FileOperation.class)).containsExactly(
				new SandboxEvent.FileOperation(session.id(), "write", "success"),
				new SandboxEvent.FileOperation(session.id(), "stat", "SANDBOX_NOT_FOUND"));
	}

	private static List<String> names(List<FileEntry> entries) {
		return entries.stream().map((entry) -> entry.path().relative()).toList();
	}

	/**
	 * Knows whether it was closed.
	 */
	final class ClosingStream extends ByteArrayInputStream {

		private boolean closed;

		ClosingStream(byte[] bytes) {
			super(bytes);
		}

		@Override
		public void close() {
			this.closed = true;
		}

	}

}
