package io.sandbox4j.test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileScan;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * How the files of a workspace are scanned.
 */
interface ScanFacts extends ContractFacts {

	@Test
	default void aScanTakesEveryFileInOrderWithItsContent() {
		SandboxFiles files = tree("a.txt", "b/c/d.txt", "b/e.txt", "f.txt");
		RecordingScan scan = new RecordingScan();
		files.scan(".", scan);
		assertThat(scan.taken).containsExactly("a.txt=a.txt", "b/c/d.txt=b/c/d.txt", "b/e.txt=b/e.txt", "f.txt=f.txt");
		assertThat(scan.entered).containsExactly(".", "b", "b/c");
	}

	@Test
	default void aScanGoesOnlyWhereItWasChosen() {
		SandboxFiles files = tree("a.txt", "b/c/d.txt", "b/e.txt", "f.txt");
		RecordingScan scan = new RecordingScan();
		scan.chosen = (entry) -> !entry.path().relative().equals("b/c") && !entry.path().relative().equals("f.txt");
		files.scan(".", scan);
		assertThat(scan.taken).containsExactly("a.txt=a.txt", "b/e.txt=b/e.txt");
		assertThat(scan.entered).containsExactly(".", "b");
	}

	@Test
	default void aScanCanTakeNamesAlone() {
		SandboxFiles files = tree("a.txt", "b/c.txt");
		RecordingScan scan = new RecordingScan();
		scan.reads = false;
		files.scan("/workspace", scan);
		assertThat(scan.taken).containsExactly("a.txt=null", "b/c.txt=null");
	}

	@Test
	default void aScanOfADirectoryIsOfNothingElse() {
		SandboxFiles files = tree("a.txt", "b/c.txt", "b/d/e.txt");
		RecordingScan scan = new RecordingScan();
		files.scan("b", scan);
		assertThat(scan.taken).containsExactly("b/c.txt=b/c.txt", "b/d/e.txt=b/d/e.txt");
	}

	@Test
	default void aScanEndsWhenNoMoreIsTaken() {
		SandboxFiles files = tree("a", "b/c", "b/d", "e");
		RecordingScan scan = new RecordingScan();
		scan.goesOnAfter = (path) -> !path.equals("b/c");
		files.scan(".", scan);
		assertThat(scan.taken).containsExactly("a=a", "b/c=b/c");
	}

	@Test
	default void aScanThatGoesOnNoLongerTakesWhatItChose() {
		SandboxFiles files = tree("a", "b/c", "d");
		RecordingScan scan = new RecordingScan();
		scan.goesOn = false;
		files.scan(".", scan);
		assertThat(scan.entered).containsExactly(".");
		assertThat(scan.taken).containsExactly("a=a", "d=d");
	}

	@Test
	default void aFileOfADirectoryIsReadWhileItIsChosenFrom() {
		SandboxFiles files = tree("a", "b/rules");
		RecordingScan scan = new RecordingScan();
		scan.readWhileChoosing = "rules";
		files.scan(".", scan);
		assertThat(scan.rules).containsExactly("b/rules", "null beyond 3 bytes");
	}

	@Test
	default void whatAScanThrowsEndsIt() {
		SandboxFiles files = tree("a", "b/c");
		RecordingScan choosing = new RecordingScan();
		choosing.chosen = (entry) -> {
			throw new IllegalStateException("choosing");
		};
		assertThatIllegalStateException().isThrownBy(() -> files.scan(".", choosing)).withMessage("choosing");
		RecordingScan reading = new RecordingScan();
		reading.failure = new IllegalStateException("reading");
		assertThatIllegalStateException().isThrownBy(() -> files.scan(".", reading)).withMessage("reading");
	}

	@Test
	default void aFileThatCannotBeReadIsTakenWithoutAValue() {
		SandboxFiles files = tree("a", "b");
		RecordingScan scan = new RecordingScan();
		scan.unreadable = "a";
		files.scan(".", scan);
		assertThat(scan.taken).containsExactly("a=null", "b=b");
	}

	@Test
	default void directoriesThatGoAwayOrLieTooDeepAreSkippedWithAReason() {
		SandboxFiles files = tree("a/b", "c/d");
		files.createDirectories("deep" + "/d".repeat(SandboxFiles.MAX_SCAN_DEPTH + 1));
		RecordingScan scan = new RecordingScan();
		scan.chosen = (entry) -> {
			if (entry.path().relative().equals("deep")) {
				files.remove("a");
			}
			return true;
		};
		files.scan(".", scan);
		assertThat(scan.taken).containsExactly("c/d=c/d");
		assertThat(scan.skipped).containsExactly("a " + ErrorCode.SANDBOX_NOT_FOUND,
				"deep" + "/d".repeat(SandboxFiles.MAX_SCAN_DEPTH) + " " + ErrorCode.SANDBOX_LIMIT);
	}

	@Test
	default void whatIsNoDirectoryIsNotScanned() {
		SandboxFiles files = tree("a");
		ContractFixture.assertFails(ErrorCode.SANDBOX_PATH, () -> files.scan("a", new RecordingScan()));
		ContractFixture.assertFails(ErrorCode.SANDBOX_NOT_FOUND, () -> files.scan("b", new RecordingScan()));
		ContractFixture.assertFails(ErrorCode.SANDBOX_PATH, () -> files.scan("../b", new RecordingScan()));
	}

	private SandboxFiles tree(String... paths) {
		SandboxFiles files = sandbox().session().files();
		files.list(".").forEach((entry) -> files.remove(entry.path().relative()));
		for (String path : paths) {
			files.writeText(path, path);
		}
		return files;
	}

	/**
	 * A scan that does as it is told and says what came.
	 */
	final class RecordingScan implements FileScan<String> {

		private final List<String> entered = new ArrayList<>();

		private final List<String> taken = new ArrayList<>();

		private final List<String> skipped = new ArrayList<>();

		private final List<String> rules = new ArrayList<>();

		private Predicate<FileEntry> chosen = (entry) -> true;

		private Predicate<String> goesOnAfter = (path) -> true;

		private boolean goesOn = true;

		private boolean reads = true;

		private String readWhileChoosing = "";

		private String unreadable = "";

		private @Nullable RuntimeException failure;

		@Override
		public boolean goesOn() {
			return this.goesOn;
		}

		@Override
		public List<FileEntry> choose(Directory directory) {
			this.entered.add(directory.path().relative());
			for (FileEntry entry : directory.entries()) {
				if (entry.path().relative().endsWith("/" + this.readWhileChoosing)) {
					byte[] bytes = directory.read(entry, 100);
					this.rules.add((bytes != null) ? new String(bytes, StandardCharsets.UTF_8) : "null");
					this.rules.add(((directory.read(entry, 3) != null) ? "bytes" : "null") + " beyond 3 bytes");
				}
			}
			return directory.entries().stream().filter(this.chosen).toList();
		}

		@Override
		public boolean readsContent() {
			return this.reads;
		}

		@Override
		public @Nullable String read(FileEntry file, InputStream content) throws IOException {
			if (this.failure != null) {
				throw this.failure;
			}
			if (file.path().relative().equals(this.unreadable)) {
				throw new IOException("unreadable");
			}
			return new String(content.readAllBytes(), StandardCharsets.UTF_8);
		}

		@Override
		public boolean take(FileEntry file, @Nullable String value) {
			assertThat(file.type()).isEqualTo(FileType.FILE);
			this.taken.add(file.path().relative() + "=" + value);
			return this.goesOnAfter.test(file.path().relative());
		}

		@Override
		public void skipped(FileEntry directory, SandboxException reason) {
			this.skipped.add(directory.path().relative() + " " + reason.code());
		}

	}

}
