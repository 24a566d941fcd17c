package io.sandbox4j.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileScan;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Scans beside a guest that does what it can.
 */
@Timeout(90)
class WorkspaceFilesScanTests {

	private static final int ROUNDS = 2_000;

	@TempDir(factory = InMemory.class)
	Path directory;

	private final PipeGuard guard = new PipeGuard(Duration.ofMillis(300));

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() throws IOException {
		this.workspace = Workspace.in(this.directory, "staging", null, Durability.PROCESS, () -> {
		}, this.guard);
		this.workspace.file("d/f", "inside");
		this.workspace.outsideFile("f", "outside");
	}

	@Test
	void wideTreesAreTakenInTheOrderOfNames() throws IOException {
		for (int i = 0; i < 2_000; i++) {
			this.workspace.file("wide/" + i % 100 + "/" + i, "inside");
		}
		ContentScan scan = scan();
		assertThat(scan.paths).hasSize(2_001).isSorted();
		assertThat(scan.contents).containsExactly("inside");
	}

	@Test
	void linksPipesAndSocketsAreNotOpened() throws IOException {
		this.workspace.link("d/link", this.workspace.outside.resolve("f"));
		this.workspace.link("linked", this.workspace.outside);
		this.workspace.pipe("d/pipe");
		this.workspace.socket("d/socket");
		ContentScan scan = scan();
		assertThat(scan.paths).containsExactly("d/f");
		assertThat(scan.skipped).isEmpty();
	}

	@Test
	void anUnreadableNameIsLeftOut() {
		this.workspace.run("sh", "-c", "cd d && printf x > \"$(printf 'bad\\377name')\" && printf x > 'back\\slash'",
				"d");
		assertThat(scan().paths).containsExactly("d/f");
	}

	@Test
	void nothingOutsideIsReadWhileDirectoriesAreSwappedForLinks() throws IOException {
		Path link = this.workspace.link("away", this.workspace.outside);
		attacked(() -> Workspace.swap(this.workspace.entry("d"), link, this.workspace.entry("aside")));
	}

	@Test
	void nothingOutsideIsReadWhileFilesAreSwappedForLinks() throws IOException {
		Path link = this.workspace.link("away", this.workspace.outside.resolve("f"));
		attacked(() -> Workspace.swap(this.workspace.entry("d/f"), link, this.workspace.entry("aside")));
	}

	@Test
	void noScanWaitsWhileFilesAreSwappedForPipes() {
		Path pipe = this.workspace.pipe("pipe");
		attacked(() -> Workspace.swap(this.workspace.entry("d/f"), pipe, this.workspace.entry("aside")));
	}

	@Test
	void noScanWaitsWhilePipesAreSwappedInThatLoseTheirNames() {
		this.workspace.run("sh", "-c", "mkdir ../pipes && cd ../pipes && seq 1000 | xargs mkfifo", "pipes");
		AtomicInteger next = new AtomicInteger();
		attacked(() -> Workspace.swap(this.workspace.entry("d/f"),
				this.directory.resolve("pipes/" + (1 + next.getAndIncrement() % 1_000)),
				this.workspace.entry("aside")));
	}

	@Test
	void aThreadThatIsGivenUpCostsItsBatchOnly() throws IOException {
		Path pipe = this.workspace.pipe("pipe");
		OpenDirectory root = OpenDirectory.at(this.workspace.root);
		PipeGuard.Lookout lookout = new PipeGuard.Lookout();
		List<Throwable> failures = new ArrayList<>();
		Thread blocked = new Thread(() -> {
			try {
				// The name never was a file's, so nothing tells the look from the
				// opening.
				this.guard.openWatched(root, Path.of("f"), lookout, () -> {
					Files.move(pipe, this.workspace.entry("elsewhere"));
					return FileChannel.open(this.workspace.entry("elsewhere"), StandardOpenOption.READ);
				});
			}
			catch (IOException ex) {
				failures.add(ex);
			}
		});
		blocked.setDaemon(true);
		blocked.start();
		await().until(() -> !this.guard.lookAfter(lookout));
		assertThat(this.guard.isWary()).isTrue();
		assertThat(scan().paths).containsExactly("d/f");
		FileChannel.open(this.workspace.entry("elsewhere"), StandardOpenOption.READ, StandardOpenOption.WRITE).close();
		await().until(() -> !blocked.isAlive());
		assertThat(failures).singleElement().isInstanceOf(UnsettledException.class);
		assertThat(this.guard.isWary()).isFalse();
		root.close();
	}

	@Test
	void aDirectoryBeyondTheLimitIsSkippedAndTheRestIsNot() throws IOException {
		for (int i = 0; i < 30; i++) {
			this.workspace.file("many/" + i, "inside");
		}
		ContentScan scan = new ContentScan();
		this.workspace.files.scan(Workspace.path("."), scan, 20);
		assertThat(scan.paths).containsExactly("d/f");
		assertThat(scan.skipped).containsExactly("many " + ErrorCode.SANDBOX_LIMIT);
	}

	@Test
	void entriesOfAllOpenDirectoriesTogetherAreLimited() throws IOException {
		String way = "";
		for (int level = 0; level < 5; level++) {
			for (int i = 0; i < 10; i++) {
				this.workspace.file(way + "f" + i, "inside");
			}
			way += "z/";
		}
		ContentScan scan = new ContentScan();
		this.workspace.files.scan(Workspace.path("."), scan, 30);
		assertThat(scan.paths).hasSize(21);
		assertThat(scan.skipped).singleElement().asString().endsWith("z " + ErrorCode.SANDBOX_LIMIT);
	}

	@Test
	void nothingStaysOpenHoweverAScanEnds() throws IOException {
		for (int i = 0; i < 500; i++) {
			this.workspace.file("wide/" + i % 50 + "/" + i, "inside");
		}
		scan();
		int before = Workspace.openDescriptors();
		for (int i = 0; i < 200; i++) {
			ContentScan scan = new ContentScan();
			scan.most = i;
			this.workspace.files.scan(Workspace.path("."), scan, 1_000);
			assertThat(scan.paths).hasSize(i + 1);
		}
		await().untilAsserted(() -> assertThat(Workspace.openDescriptors()).isLessThanOrEqualTo(before));
	}

	@Test
	void anInterruptIsKeptAndDoesNotHurt() {
		Thread.currentThread().interrupt();
		ContentScan scan = scan();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(scan.paths).containsExactly("d/f");
	}

	private void attacked(Workspace.Attack attack) {
		AtomicInteger found = new AtomicInteger();
		Workspace.whileAttackedBy(attack, () -> {
			for (int i = 0; i < ROUNDS; i++) {
				ContentScan scan = scan();
				assertThat(scan.contents).isSubsetOf("inside");
				found.addAndGet(scan.contents.size());
			}
		});
		assertThat(found).as("scans that met the file").hasPositiveValue();
	}

	private ContentScan scan() {
		ContentScan scan = new ContentScan();
		this.workspace.files.scan(Workspace.path("."), scan, 100_000);
		return scan;
	}

	/**
	 * Reads everything.
	 */
	private static final class ContentScan implements FileScan<String> {

		private final List<String> paths = new ArrayList<>();

		private final Set<String> contents = new TreeSet<>();

		private final Set<String> skipped = ConcurrentHashMap.newKeySet();

		private int most = Integer.MAX_VALUE;

		@Override
		public boolean goesOn() {
			return true;
		}

		@Override
		public List<FileEntry> choose(Directory directory) {
			return directory.entries();
		}

		@Override
		public boolean readsContent() {
			return true;
		}

		@Override
		public String read(FileEntry file, InputStream content) throws IOException {
			return new String(content.readAllBytes(), StandardCharsets.UTF_8);
		}

		@Override
		public boolean take(FileEntry file, @Nullable String value) {
			this.paths.add(file.path().relative());
			if (value != null) {
				this.contents.add(value);
			}
			return this.paths.size() <= this.most;
		}

		@Override
		public void skipped(FileEntry directory, SandboxException reason) {
			this.skipped.add(directory.path().relative() + " " + reason.code());
		}

	}

}
