package io.sandbox4j.storage;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.sandbox4j.ErrorCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Timeout(60)
class WorkspaceFilesWriteTests {

	@TempDir
	Path directory;

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() {
		this.workspace = Workspace.in(this.directory);
	}

	@Test
	void aFileIsMadeWithItsDirectories() throws IOException {
		this.workspace.write("a/b/c.txt", "hello\n");

		assertThat(this.workspace.entry("a/b/c.txt")).hasContent("hello\n");
		assertThat(this.workspace.stagedNames()).isEmpty();
	}

	@Test
	void newFilesAndDirectoriesHaveTheUsualModes() throws IOException {
		this.workspace.write("a/b", "x");

		assertThat(this.workspace.modeOf("a")).isEqualTo("rwxr-xr-x");
		assertThat(this.workspace.modeOf("a/b")).isEqualTo("rw-r--r--");
	}

	@ParameterizedTest
	@ValueSource(strings = { "rwxr-xr-x", "rw-------", "r--r--r--", "rwxrwxrwx", "rw-rw-r--" })
	void aReplacedFileKeepsItsMode(String mode) throws IOException {
		this.workspace.file("f", "old");
		this.workspace.mode("f", mode);

		this.workspace.write("f", "new");

		assertThat(this.workspace.modeOf("f")).isEqualTo(mode);
	}

	@Test
	void aReplacedFileLosesSetuidAndSetgid() throws IOException {
		this.workspace.file("f", "old");
		this.workspace.run("chmod", "6755", "f");

		this.workspace.write("f", "new");

		assertThat((Integer) Files.getAttribute(this.workspace.entry("f"), "unix:mode") & 07777).isEqualTo(0755);
	}

	@Test
	void anotherHardLinkKeepsItsBytes() throws IOException {
		Path outside = this.workspace.outsideFile("outside.txt", "outside");
		Files.createLink(this.workspace.entry("h.txt"), outside);

		this.workspace.write("h.txt", "changed");

		assertThat(outside).hasContent("outside");
		assertThat(this.workspace.read("h.txt")).isEqualTo("changed");
	}

	@Test
	void contentOfExactlyTheLimitFits() throws IOException {
		this.workspace.write("f", "12345", 5);

		assertThat(this.workspace.entry("f")).hasContent("12345");
	}

	@Test
	void tooMuchContentChangesNothing() throws IOException {
		this.workspace.file("f", "old");

		assertThat(Workspace.refused(ErrorCode.SANDBOX_LIMIT, () -> this.workspace.write("f", "123456", 5)))
			.hasMessageContaining("'/workspace/f'")
			.hasMessageContaining("5 bytes");
		Workspace.refused(ErrorCode.SANDBOX_LIMIT, () -> this.workspace.write("new/f", "123456", 5));

		assertThat(this.workspace.entry("f")).hasContent("old");
		assertThat(this.workspace.names(".")).containsExactly("f");
		assertThat(this.workspace.stagedNames()).isEmpty();
	}

	@Test
	void contentThatCannotBeReadChangesNothing() throws IOException {
		this.workspace.file("f", "old");
		IOException failure = new IOException("broken");

		assertThatThrownBy(() -> this.workspace.files.write(Workspace.path("f"), new FailingStream(failure), 100))
			.hasMessageContaining("'/workspace/f'")
			.hasCause(failure);

		assertThat(this.workspace.entry("f")).hasContent("old");
		assertThat(this.workspace.stagedNames()).isEmpty();
	}

	@Test
	void aRuntimeFailureOfTheContentPassesAndChangesNothing() throws IOException {
		InputStream content = new FilterInputStream(InputStream.nullInputStream()) {
			@Override
			public int read(byte[] bytes, int offset, int length) {
				throw new IllegalStateException("broken");
			}
		};

		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> this.workspace.files.write(Workspace.path("f"), content, 100));

		assertThat(this.workspace.names(".")).isEmpty();
		assertThat(this.workspace.stagedNames()).isEmpty();
	}

	@Test
	void anInterruptedWriteChangesNothing() throws IOException {
		this.workspace.file("f", "old");
		Thread.currentThread().interrupt();

		Workspace.refused(ErrorCode.SANDBOX_UNAVAILABLE, () -> this.workspace.write("f", "new"));

		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.workspace.read("f")).isEqualTo("old");
		assertThat(this.workspace.stagedNames()).isEmpty();
	}

	@Test
	void theContentIsNotClosed() {
		AtomicInteger closed = new AtomicInteger();
		InputStream content = new ByteArrayInputStream(new byte[3]) {
			@Override
			public void close() {
				closed.incrementAndGet();
			}
		};

		this.workspace.files.write(Workspace.path("f"), content, 100);

		assertThat(closed).hasValue(0);
	}

	@Test
	void aDirectoryIsNotReplaced() throws IOException {
		this.workspace.directory("d");

		assertThat(Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.write("d", "x")))
			.hasMessage("'/workspace/d' is a directory, not a regular file.");
		assertThat(this.workspace.stagedNames()).isEmpty();
	}

	@Test
	void aFileOnTheWayIsNotReplaced() throws IOException {
		this.workspace.file("f", "old");

		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.write("f/x", "x"));

		assertThat(this.workspace.entry("f")).hasContent("old");
	}

	@Test
	void aDirectoryThatMayNotBeWrittenIsNamedAsSuch() throws IOException {
		assumeFalse(Workspace.ROOT);
		this.workspace.directory("d");
		this.workspace.mode("d", "r-xr-xr-x");

		assertThat(Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.write("d/f", "x")))
			.hasMessage("'/workspace/d/f' cannot be accessed: permission denied.");
		assertThat(this.workspace.stagedNames()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 18 * 1024, 1 << 20, 64 << 20 })
	void contentOfAnySizeArrivesWhole(int size) throws IOException {
		byte[] content = new byte[size];
		Arrays.fill(content, (byte) 'x');

		this.workspace.files.write(Workspace.path("f"), new ByteArrayInputStream(content), Long.MAX_VALUE);

		assertThat(this.workspace.entry("f")).hasBinaryContent(content);
	}

	@Test
	void theWrittenFileCanBeExecutedAtOnce() throws IOException {
		this.workspace.file("run.sh", "");
		this.workspace.mode("run.sh", "rwxr-xr-x");

		this.workspace.write("run.sh", "#!/bin/sh\ntouch ran\n");
		this.workspace.run("./run.sh");

		assertThat(this.workspace.entry("ran")).exists();
	}

	@ParameterizedTest
	@EnumSource(Durability.class)
	void eitherDurabilityWritesMovesAndRemoves(Durability durability) throws IOException {
		Workspace durable = Workspace.in(this.directory, null, durability);

		durable.write("a/b/c", "x");
		durable.move("a/b/c", "d/e");
		durable.files.createDirectories(Workspace.path("g/h"));
		durable.remove("a");

		assertThat(durable.names(".")).containsExactly("d", "g");
		assertThat(durable.read("d/e")).isEqualTo("x");
	}

	@Test
	void filesAndDirectoriesGoToTheirOwner() throws IOException {
		assumeTrue(Workspace.ROOT);
		Workspace owned = Workspace.in(this.directory, new FileOwner(65532, 65533), Durability.PROCESS);

		owned.write("a/b", "x");
		owned.files.createDirectories(Workspace.path("c/d"));

		for (String name : List.of("a", "a/b", "c", "c/d")) {
			assertThat(Files.getAttribute(owned.entry(name), "unix:uid")).isEqualTo(65532);
			assertThat(Files.getAttribute(owned.entry(name), "unix:gid")).isEqualTo(65533);
		}
	}

	@Test
	void anOwnerThatCannotBeGivenChangesNothing() throws IOException {
		assumeFalse(Workspace.ROOT);
		Workspace owned = Workspace.in(this.directory, new FileOwner(1, 1), Durability.PROCESS);

		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> owned.write("a", "x"));

		assertThat(owned.names(".")).isEmpty();
		assertThat(owned.stagedNames()).isEmpty();
	}

	private static final class FailingStream extends InputStream {

		private final IOException failure;

		FailingStream(IOException failure) {
			this.failure = failure;
		}

		@Override
		public int read() throws IOException {
			throw this.failure;
		}

	}

}
