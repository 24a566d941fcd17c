package io.sandbox4j.session;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.WorkspacePath;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a session makes of a workspace that changes under its hands. The rest is in the
 * contract that every backend runs.
 */
class SessionFilesTests {

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

	private final ChangingFiles driverFiles = new ChangingFiles();

	private final SessionFiles files = files();

	@AfterEach
	void close() {
		this.timer.shutdownNow();
	}

	@Test
	void aWalkLeavesOutADirectoryThatVanishes() {
		this.driverFiles.listings.put("stays", List.of(entry("stays/a", FileType.FILE)));
		this.driverFiles.listings.put(".",
				List.of(entry("gone", FileType.DIRECTORY), entry("stays", FileType.DIRECTORY)));
		this.driverFiles.failure = ErrorCode.SANDBOX_NOT_FOUND;
		assertThat(this.files.walk(".", 5)).extracting((entry) -> entry.path().relative())
			.containsExactly("gone", "stays", "stays/a");
	}

	@Test
	void aWalkLeavesOutADirectoryThatBecomesALink() {
		this.driverFiles.listings.put(".", List.of(entry("swapped", FileType.DIRECTORY)));
		this.driverFiles.failure = ErrorCode.SANDBOX_PATH;
		assertThat(this.files.walk(".", 5)).hasSize(1);
	}

	@Test
	void aWalkFailsWithAnythingElse() {
		this.driverFiles.listings.put(".", List.of(entry("dir", FileType.DIRECTORY)));
		this.driverFiles.failure = ErrorCode.SANDBOX_UNAVAILABLE;
		assertFails(ErrorCode.SANDBOX_UNAVAILABLE, () -> this.files.walk(".", 5));
	}

	@Test
	void aWalkFailsWithoutItsRoot() {
		this.driverFiles.failure = ErrorCode.SANDBOX_NOT_FOUND;
		assertFails(ErrorCode.SANDBOX_NOT_FOUND, () -> this.files.walk("absent", 5));
	}

	@Test
	void aWalkFollowsNoLink() {
		this.driverFiles.listings.put(".", List.of(entry("link", FileType.SYMLINK)));
		this.driverFiles.listings.put("link", List.of(entry("link/a", FileType.FILE)));
		assertThat(this.files.walk(".", 5)).hasSize(1);
	}

	@Test
	void aFileThatGrowsWhileItIsReadIsTooLarge() {
		this.driverFiles.content = new ByteArrayInputStream(new byte[11]);
		assertFails(ErrorCode.SANDBOX_LIMIT, () -> this.files.read("file"));
	}

	@Test
	void aFileThatCannotBeReadToItsEndIsUnavailable() {
		this.driverFiles.content = new InputStream() {

			@Override
			public int read() throws IOException {
				throw new IOException("/srv/host/path: Input/output error");
			}

		};
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.files.read("file"))
			.withMessageNotContaining("/srv")
			.withNoCause()
			.extracting(SandboxException::code)
			.isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE);
	}

	private SessionFiles files() {
		ScriptedDriver driver = new ScriptedDriver();
		driver.files = this.driverFiles;
		SandboxListener listener = (event) -> {
		};
		SessionResources resources = new SessionResources(Runnable::run, this.timer, listener);
		return new SessionFiles("id", driver, new SessionLimits(1, 10, 10, 10, 10), resources, new Admission(1));
	}

	private static FileEntry entry(String path, FileType type) {
		return new FileEntry(WorkspacePath.parse(path), type, 0, Instant.EPOCH, false);
	}

	private static void assertFails(ErrorCode code, ThrowingCallable call) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.extracting(SandboxException::code)
			.isEqualTo(code);
	}

	/**
	 * Lists what the test says, and fails for the rest.
	 */
	private static final class ChangingFiles implements SandboxDriver.Files {

		private final Map<String, List<FileEntry>> listings = new HashMap<>();

		private ErrorCode failure = ErrorCode.SANDBOX_NOT_FOUND;

		private InputStream content = InputStream.nullInputStream();

		@Override
		public InputStream open(WorkspacePath path) {
			return this.content;
		}

		@Override
		public List<FileEntry> list(WorkspacePath path, int limit) {
			List<FileEntry> listing = this.listings.get(path.relative());
			if (listing == null) {
				throw new SandboxException(this.failure, "From the driver.");
			}
			return listing;
		}

		@Override
		public void write(WorkspacePath path, InputStream bytes, long maxBytes) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void create(WorkspacePath path, InputStream bytes, long maxBytes) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void createDirectories(WorkspacePath path) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void setExecutable(WorkspacePath path, boolean executable) {
			throw new UnsupportedOperationException();
		}

		@Override
		public boolean remove(WorkspacePath path) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void move(WorkspacePath source, WorkspacePath target) {
			throw new UnsupportedOperationException();
		}

		@Override
		public FileEntry stat(WorkspacePath path) {
			throw new UnsupportedOperationException();
		}

	}

}
