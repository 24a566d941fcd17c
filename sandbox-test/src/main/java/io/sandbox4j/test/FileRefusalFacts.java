package io.sandbox4j.test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.List;
import java.util.function.Consumer;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.session.SessionLimits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the files of a workspace refuse, and that a refusal changes nothing.
 */
interface FileRefusalFacts extends ContractFacts {

	@Test
	default void everyCallRefusesAPathThatIsNone() {
		SandboxSession session = sandbox().session();
		for (String path : new String[] { "", "/", "/etc/passwd", "../escape", "a/../b", "./a", "a/", "a//b",
				"/workspace/", "/workspace/..", "/workspaces/a", "a\\b", "C:\\temp", "a\0b", "~", "~/x",
				"x".repeat(256), "a/".repeat(2100) + "b", "\ud800" }) {
			ContractFixture.assertFails(ErrorCode.SANDBOX_PATH, () -> session.resolvePath(path));
			for (Consumer<SandboxFiles> call : callsOn(path)) {
				ContractFixture.assertFails(ErrorCode.SANDBOX_PATH, () -> call.accept(session.files()));
			}
		}
		assertThat(session.files().list(".")).hasSize(1);
	}

	@Test
	default void aPathHasOneSpelling() {
		SandboxSession session = sandbox().session();
		assertThat(session.resolvePath(".")).isEqualTo("/workspace");
		assertThat(session.resolvePath("/workspace")).isEqualTo("/workspace");
		assertThat(session.resolvePath("a/b")).isEqualTo("/workspace/a/b");
		assertThat(session.resolvePath("/workspace/a/b")).isEqualTo("/workspace/a/b");
	}

	@Test
	default void whatIsAbsentIsNotFound() {
		SandboxFiles files = sandbox().session().files();
		List<Consumer<SandboxFiles>> calls = List.of((each) -> each.read("absent"), (each) -> each.read("no/absent"),
				(each) -> each.readText("absent"), (each) -> each.open("absent"), (each) -> each.stat("absent"),
				(each) -> each.list("absent"), (each) -> each.walk("absent", 1),
				(each) -> each.setExecutable("absent", true), (each) -> each.move("absent", "new/target"));
		calls.forEach((call) -> ContractFixture.assertFails(ErrorCode.SANDBOX_NOT_FOUND, () -> call.accept(files)));
		assertThat(files.list(".")).as("a failed move makes no directory").hasSize(1);
	}

	@Test
	default void whatIsOfAnotherKindIsRefused() {
		SandboxFiles files = sandbox().session().files();
		files.writeText("dir/file", "1");
		List<Consumer<SandboxFiles>> calls = List.of((each) -> each.read("dir"), (each) -> each.open("dir"),
				(each) -> each.read("."), (each) -> each.writeText("dir", "2"),
				(each) -> each.setExecutable("dir", true), (each) -> each.list("dir/file"),
				(each) -> each.walk("dir/file", 1), (each) -> each.createDirectories("dir/file"),
				(each) -> each.createDirectories("dir/file/below"), (each) -> each.writeText("dir/file/below", "2"),
				(each) -> each.read("dir/file/below"), (each) -> each.stat("dir/file/below"));
		calls.forEach((call) -> ContractFixture.assertFails(ErrorCode.SANDBOX_PATH, () -> call.accept(files)));
		assertThat(files.readText("dir/file")).isEqualTo("1");
	}

	@Test
	default void theWorkspaceItselfCannotBeReplaced() {
		SandboxFiles files = sandbox().session().files();
		files.createDirectories("dir");
		List<Consumer<SandboxFiles>> calls = List.of((each) -> each.remove("."), (each) -> each.remove("/workspace"),
				(each) -> each.move(".", "dir/below"), (each) -> each.move("dir", "/workspace"),
				(each) -> each.writeText(".", ""), (each) -> each.setExecutable(".", true));
		calls.forEach((call) -> ContractFixture.assertFails(ErrorCode.SANDBOX_PATH, () -> call.accept(files)));
		assertThat(files.list(".")).hasSize(2);
	}

	@Test
	default void aMoveReplacesNoDirectory() {
		SandboxFiles files = sandbox().session().files();
		files.createDirectories("dir/sub");
		files.createDirectories("other");
		List<Consumer<SandboxFiles>> calls = List.of((each) -> each.move("README", "dir"),
				(each) -> each.move("other", "dir"), (each) -> each.move("other", "README"),
				(each) -> each.move("dir", "dir/sub/below"), (each) -> each.move("README", "README"));
		calls.forEach((call) -> ContractFixture.assertFails(ErrorCode.SANDBOX_PATH, () -> call.accept(files)));
		assertThat(files.readText("README")).isEqualTo("hello");
		assertThat(files.exists("dir/sub")).isTrue();
	}

	@Test
	default void textIsUtf8Strictly() {
		SandboxFiles files = sandbox().session().files();
		files.write("latin", new byte[] { 'n', (byte) 0xef, 'f' });
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> files.readText("latin"));
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> files.writeText("latin", "half \ud83d"));
		assertThat(files.read("latin")).containsExactly('n', 0xef, 'f');
	}

	@Test
	default void whatIsLargerThanTheLimitsChangesNothing() {
		SandboxFiles files = fixture().sandbox(new SessionLimits(1, 10, 20, 30, 100)).session().files();
		files.write("file", new byte[20]);
		ContractFixture.assertFails(ErrorCode.SANDBOX_LIMIT, () -> files.write("file", new byte[21]));
		ContractFixture.assertFails(ErrorCode.SANDBOX_LIMIT,
				() -> files.write("file", new ByteArrayInputStream(new byte[31])));
		ContractFixture.assertFails(ErrorCode.SANDBOX_LIMIT, () -> files.write("dir/new", new byte[21]));
		assertThat(files.stat("file").size()).isEqualTo(20);
		assertThat(files.exists("dir/new")).isFalse();
		files.write("file", new ByteArrayInputStream(new byte[30]));
		assertThat(files.stat("file").size()).isEqualTo(30);
	}

	@Test
	default void aFileLargerThanTheReadLimitIsOpenedAndNotRead() throws IOException {
		SandboxFiles files = fixture().sandbox(new SessionLimits(1, 10, 20, 30, 100)).session().files();
		files.write("file", new byte[10]);
		assertThat(files.read("file")).hasSize(10);
		files.write("file", new byte[11]);
		ContractFixture.assertFails(ErrorCode.SANDBOX_LIMIT, () -> files.read("file"));
		ContractFixture.assertFails(ErrorCode.SANDBOX_LIMIT, () -> files.readText("file"));
		try (InputStream stream = files.open("file")) {
			assertThat(stream.readAllBytes()).hasSize(11);
		}
	}

	@Test
	default void moreEntriesThanTheLimitAreNotListed() {
		SandboxFiles files = fixture().sandbox(new SessionLimits(1, 10, 10, 10, 3)).session().files();
		files.write("a/1", new byte[0]);
		assertThat(files.walk(".", 9)).hasSize(3);
		files.write("a/2", new byte[0]);
		assertThat(files.list(".")).hasSize(2);
		ContractFixture.assertFails(ErrorCode.SANDBOX_LIMIT, () -> files.walk(".", 9));
		files.write("b", new byte[0]);
		files.write("c", new byte[0]);
		ContractFixture.assertFails(ErrorCode.SANDBOX_LIMIT, () -> files.list("."));
	}

	@Test
	default void aWalkOfNoDepthIsInvalid() {
		SandboxFiles files = sandbox().session().files();
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> files.walk(".", 0));
	}

	@Test
	default void aStreamThatFailsChangesNothing() {
		SandboxFiles files = sandbox().session().files();
		InputStream failing = new SequenceInputStream(new ByteArrayInputStream(new byte[100]), new FailingStream());
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> files.write("README", failing));
		assertThat(files.readText("README")).isEqualTo("hello");
		assertThat(files.list(".")).hasSize(1);
	}

	private static List<Consumer<SandboxFiles>> callsOn(String path) {
		return List.of((files) -> files.read(path), (files) -> files.readText(path), (files) -> files.open(path),
				(files) -> files.write(path, new byte[0]), (files) -> files.writeText(path, ""),
				(files) -> files.write(path, new ByteArrayInputStream(new byte[0])),
				(files) -> files.createDirectories(path), (files) -> files.setExecutable(path, true),
				(files) -> files.remove(path), (files) -> files.move(path, "b"), (files) -> files.move("README", path),
				(files) -> files.stat(path), (files) -> files.exists(path), (files) -> files.list(path),
				(files) -> files.walk(path, 1));
	}

	/**
	 * Fails at its first byte.
	 */
	final class FailingStream extends InputStream {

		@Override
		public int read() throws IOException {
			throw new IOException("from the caller's stream");
		}

	}

}
