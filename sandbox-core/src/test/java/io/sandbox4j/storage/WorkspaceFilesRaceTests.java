package io.sandbox4j.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A guest that swaps what the host is about to use, on a thread of its own.
 */
@Timeout(60)
class WorkspaceFilesRaceTests {

	private static final int ROUNDS = 2_000;

	private static final Set<ErrorCode> LOST_RACE = EnumSet.of(ErrorCode.SANDBOX_NOT_FOUND, ErrorCode.SANDBOX_PATH,
			ErrorCode.SANDBOX_BUSY);

	@TempDir(factory = InMemory.class)
	Path directory;

	private Workspace workspace;

	private int descriptors;

	@BeforeEach
	void makeWorkspace() throws IOException {
		this.workspace = Workspace.in(this.directory);
		this.workspace.outsideFile("f", "secret");
		this.workspace.link("link", this.workspace.outside);
		this.workspace.file("d/f", "inside");
		this.descriptors = Workspace.openDescriptors();
	}

	@AfterEach
	void nothingOutsideChanged() throws IOException {
		try (Stream<Path> entries = Files.list(this.workspace.outside)) {
			assertThat(entries).containsExactly(this.workspace.outside.resolve("f"));
		}
		assertThat(this.workspace.outside.resolve("f")).hasContent("secret");
		assertThat(this.workspace.modeOf("../outside/f")).doesNotContain("x");
		assertThat(this.workspace.stagedNames()).isEmpty();
		assertThat(Workspace.openDescriptors()).isLessThan(this.descriptors + 5);
	}

	@Test
	void ofTheHostAndAGuestOneCreatesAFile() throws Exception {
		Path file = this.workspace.entry("new");
		CyclicBarrier barrier = new CyclicBarrier(2);
		AtomicBoolean guestWon = new AtomicBoolean();
		Thread guest = new Thread(() -> {
			for (int round = 0; round < ROUNDS; round++) {
				pass(barrier);
				try {
					Files.writeString(file, "guest", StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
					guestWon.set(true);
				}
				catch (IOException ex) {
					guestWon.set(false);
				}
				pass(barrier);
			}
		}, "guest");
		guest.start();
		int wins = 0;
		for (int round = 0; round < ROUNDS; round++) {
			pass(barrier);
			boolean hostWon = created();
			pass(barrier);
			assertThat(hostWon).as("round %d", round).isNotEqualTo(guestWon.get());
			assertThat(file).hasContent(hostWon ? "host" : "guest");
			wins += hostWon ? 1 : 0;
			Files.delete(file);
		}
		guest.join();
		assertThat(wins).isBetween(1, ROUNDS);
	}

	private boolean created() {
		try {
			this.workspace.files.create(Workspace.path("new"),
					new ByteArrayInputStream("host".getBytes(StandardCharsets.UTF_8)), 100);
			return true;
		}
		catch (SandboxException ex) {
			assertThat(ex.code()).as(ex.getMessage()).isEqualTo(ErrorCode.SANDBOX_PATH);
			return false;
		}
	}

	private static void pass(CyclicBarrier barrier) {
		try {
			barrier.await(20, TimeUnit.SECONDS);
		}
		catch (InterruptedException | BrokenBarrierException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void readsStayInsideWhileADirectoryIsSwappedForALink() {
		Workspace.whileAttackedBy(() -> swap("d", "link"),
				() -> repeat(() -> assertThat(this.workspace.read("d/f")).isEqualTo("inside")));
	}

	@Test
	void writesStayInsideWhileADirectoryIsSwappedForALink() {
		Workspace.whileAttackedBy(() -> swap("d", "link"), () -> {
			repeat(() -> this.workspace.write("d/f", "inside"));
			repeat(ROUNDS / 4, () -> this.workspace.write("d/new/g", "inside"));
		});
	}

	@Test
	void listsStayInsideWhileADirectoryIsSwappedForALink() {
		Workspace.whileAttackedBy(() -> swap("d", "link"),
				() -> repeat(() -> this.workspace.files.list(Workspace.path("d"), 10)
					.forEach((entry) -> assertThat(entry.size()).isEqualTo("inside".length()))));
	}

	@Test
	void movesStayInsideWhileADirectoryIsSwappedForALink() throws IOException {
		this.workspace.file("g", "inside");
		Workspace.whileAttackedBy(() -> swap("d", "link"), () -> {
			repeat(() -> {
				attempt(() -> this.workspace.move("g", "d/g"));
				attempt(() -> this.workspace.move("d/g", "g"));
			});
		});
	}

	@Test
	void removesStayInsideWhileADirectoryIsSwappedForALink() {
		Workspace.whileAttackedBy(() -> {
			Files.createDirectories(this.workspace.entry("d"));
			Files.writeString(this.workspace.entry("d/f"), "inside");
			swap("d", "link");
		}, () -> repeat(() -> this.workspace.remove("d/f")));
	}

	@Test
	void removesOfATreeStayInsideWhileADirectoryInItIsSwappedForALink() throws IOException {
		this.workspace.link("away", this.workspace.outside);
		Workspace.whileAttackedBy(() -> {
			Files.createDirectories(this.workspace.entry("t/d/e"));
			Files.writeString(this.workspace.entry("t/d/f"), "inside");
			Files.createSymbolicLink(this.workspace.entry("t/link"), this.workspace.outside);
			swap("t/d", "t/link");
			swap("t/d/e", "t/link");
		}, () -> repeat(() -> this.workspace.remove("t")));
		assertThat(this.workspace.remove("away")).isTrue();
	}

	@Test
	void aFileThatIsSwappedForALinkIsNeverFollowed() throws IOException {
		this.workspace.file("f", "inside");
		Workspace.whileAttackedBy(() -> {
			Files.deleteIfExists(this.workspace.entry("out"));
			this.workspace.link("out", this.workspace.outside.resolve("f"));
			swap("f", "out");
		}, () -> {
			repeat(() -> assertThat(this.workspace.read("f")).isEqualTo("inside"));
			repeat(() -> this.workspace.write("f", "inside"));
			repeat(() -> this.workspace.files.setExecutable(Workspace.path("f"), true));
		});
	}

	@Test
	void aTreeThatIsFilledMeanwhileIsRemovedOrReportedBusy() throws IOException {
		Workspace.whileAttackedBy(() -> {
			Path deep = Files.createDirectories(this.workspace.entry("t/a/b/c"));
			for (int i = 0; i < 20; i++) {
				Files.writeString(deep.resolve("f" + i), "x");
			}
		}, () -> repeat(() -> this.workspace.remove("t")));
		this.workspace.remove("t");
		assertThat(this.workspace.names(".")).containsExactly("d", "link");
	}

	@Test
	void readersSeeWholeContentsWhileWritersReplaceThem() throws Exception {
		String one = "1".repeat(100_000);
		String two = "2".repeat(100_000);
		this.workspace.write("d/f", one);
		Workspace.whileAttackedBy(() -> {
			this.workspace.write("d/f", two);
			this.workspace.write("d/f", one);
		}, () -> {
			for (int i = 0; i < ROUNDS; i++) {
				assertThat(this.workspace.read("d/f")).isIn(one, two);
			}
		});
	}

	@Test
	void callsThatMakeTheSameDirectoriesDoNotDisturbEachOther() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			List<Future<?>> writes = new ArrayList<>();
			for (int i = 0; i < 400; i++) {
				String path = "made/" + i / 8 + "/x/y/f" + i;
				writes.add(threads.submit(() -> this.workspace.write(path, path)));
			}
			for (Future<?> write : writes) {
				write.get(30, TimeUnit.SECONDS);
			}
		}
		finally {
			threads.shutdownNow();
		}
		for (int i = 0; i < 400; i++) {
			assertThat(this.workspace.entry("made/" + i / 8 + "/x/y/f" + i)).exists();
		}
	}

	@Test
	void aGuestThatPlaysWithTemporaryFilesOfTheWorkspaceReachesNothingOutside() throws IOException {
		Workspace inPlace = Workspace.inPlace(this.directory);
		Path target = this.workspace.outside.resolve("f");
		Workspace.whileAttackedBy(() -> {
			try (Stream<Path> entries = Files.list(inPlace.root)) {
				for (Path entry : (Iterable<Path>) entries::iterator) {
					if (entry.getFileName().toString().startsWith(".sandbox4j-")) {
						Files.move(entry, inPlace.entry("taken"), StandardCopyOption.ATOMIC_MOVE);
						Files.createSymbolicLink(entry, target);
					}
				}
			}
		}, () -> {
			repeat(ROUNDS / 4, () -> inPlace.write("d/f", "inside"));
			repeat(ROUNDS / 4, () -> inPlace.write("new/d/f", "inside"));
		});
	}

	// Puts the second entry in the place of the first, and back, whatever the host does.
	private void swap(String name, String other) throws IOException {
		Path entry = this.workspace.entry(name);
		Path aside = this.workspace.entry(name + ".aside");
		Workspace.swap(entry, this.workspace.entry(other), aside);
		if (Files.exists(aside, LinkOption.NOFOLLOW_LINKS)) {
			if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
				delete(entry);
			}
			Workspace.tryMove(aside, entry);
		}
	}

	private static void delete(Path tree) throws IOException {
		try (Stream<Path> entries = Files.walk(tree)) {
			for (Path entry : entries.sorted((a, b) -> b.compareTo(a)).toList()) {
				Files.deleteIfExists(entry);
			}
		}
	}

	private static void repeat(Runnable call) {
		repeat(ROUNDS, call);
	}

	private static void repeat(int rounds, Runnable call) {
		for (int i = 0; i < rounds; i++) {
			attempt(call);
		}
	}

	private static void attempt(Runnable call) {
		try {
			call.run();
		}
		catch (SandboxException ex) {
			assertThat(ex.code()).as(ex.getMessage()).isIn(LOST_RACE);
		}
	}

}
