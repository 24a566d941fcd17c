package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A guest that swaps in named pipes, which make whoever opens them wait.
 */
@Timeout(60)
class WorkspaceFilesPipeTests {

	private static final int ROUNDS = 2_000;

	private static final Set<ErrorCode> LOST_RACE = EnumSet.of(ErrorCode.SANDBOX_NOT_FOUND, ErrorCode.SANDBOX_PATH,
			ErrorCode.SANDBOX_BUSY);

	@TempDir(factory = InMemory.class)
	Path directory;

	private final PipeGuard guard = new PipeGuard(Duration.ofMillis(500));

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() throws IOException {
		this.workspace = Workspace.in(this.directory, "staging", null, Durability.PROCESS, () -> {
		}, this.guard);
		this.workspace.file("f", "inside");
	}

	@AfterEach
	void letGo() {
		// What a test left waiting for a pipe that has a name still.
		await().until(() -> {
			try (Stream<Path> entries = Files.walk(this.workspace.root)) {
				for (Path entry : (Iterable<Path>) entries::iterator) {
					if (Files.readAttributes(entry, BasicFileAttributes.class).isOther()) {
						FileChannel.open(entry, StandardOpenOption.READ, StandardOpenOption.WRITE).close();
					}
				}
			}
			return !this.guard.isWary();
		});
	}

	@Test
	void readsNeverWaitWhileAFileIsSwappedForAPipe() {
		this.workspace.pipe("p");
		Workspace.whileAttackedBy(() -> swap("f", "p"),
				() -> repeat(() -> assertThat(this.workspace.read("f")).isEqualTo("inside")));
	}

	@Test
	void modesAreSetWithoutWaitingWhileAFileIsSwappedForAPipe() {
		this.workspace.pipe("p");
		AtomicInteger calls = new AtomicInteger();
		Workspace.whileAttackedBy(() -> swap("f", "p"), () -> repeat(
				() -> this.workspace.files.setExecutable(Workspace.path("f"), calls.incrementAndGet() % 2 == 0)));
	}

	@Test
	void directoriesAreEnteredWithoutWaitingWhileOneIsSwappedForAPipe() throws IOException {
		this.workspace.file("d/f", "inside");
		this.workspace.pipe("p");
		Workspace.whileAttackedBy(() -> swap("d", "p"),
				() -> repeat(() -> assertThat(this.workspace.read("d/f")).isEqualTo("inside")));
		assertThat(this.guard.isWary()).isFalse();
	}

	@Test
	void aPipeThatKeepsItsNameHoldsNobodyUp() throws IOException {
		Path pipe = this.workspace.pipe("p");

		assertThatExceptionOfType(IOException.class).isThrownBy(() -> openBlindly(pipe));

		assertThat(this.guard.isWary()).isFalse();
	}

	@Test
	void aPipeThatLosesItsNameHoldsUpThreadsAndNotCallers() throws IOException {
		loseAPipe("lost");

		assertThat(this.guard.isWary()).isTrue();
		assertThat(this.workspace.read("f")).isEqualTo("inside");
		this.workspace.pipe("p");
		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.read("p"));
		Workspace.refused(ErrorCode.SANDBOX_BUSY, () -> this.workspace.files.setExecutable(Workspace.path("f"), true));
		this.workspace.write("f", "changed");
		assertThat(this.workspace.read("f")).isEqualTo("changed");
	}

	@Test
	void readsNeverWaitWhilePipesAreSwappedInThatLoseTheirNames() {
		int before = openingThreads();
		this.workspace.run("sh", "-c", "mkdir pipes && cd pipes && seq 1000 | xargs mkfifo", "pipes");
		AtomicInteger next = new AtomicInteger();
		Workspace.whileAttackedBy(() -> {
			Path pipe = this.workspace.entry("pipes/" + (1 + next.getAndIncrement() % 1_000));
			Workspace.swap(this.workspace.entry("f"), pipe, this.workspace.entry("aside"));
		}, () -> repeat(() -> assertThat(this.workspace.read("f")).isEqualTo("inside")));
		assertThat(openingThreads() - before).isLessThanOrEqualTo(5);
	}

	private void loseAPipe(String name) throws IOException {
		Path pipe = this.workspace.pipe(name);
		Files.createLink(this.workspace.entry(name + ".kept"), pipe);
		OpenDirectory opened = OpenDirectory.at(this.workspace.root);

		assertThatExceptionOfType(UnsettledException.class)
			.isThrownBy(() -> this.guard.adjust(opened, Path.of(name), (view) -> {
				Path other = this.workspace.entry(name + ".kept");
				Files.delete(pipe);
				FileChannel.open(other, StandardOpenOption.READ).close();
			}));
	}

	private void openBlindly(Path pipe) throws IOException {
		this.guard.adjust(OpenDirectory.at(this.workspace.root), pipe.getFileName(),
				(view) -> FileChannel.open(pipe, StandardOpenOption.READ).position());
	}

	private void swap(String name, String other) {
		Workspace.swap(this.workspace.entry(name), this.workspace.entry(other), this.workspace.entry("aside"));
	}

	private static int openingThreads() {
		return (int) Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("sandbox-file-open"))
			.count();
	}

	private static void repeat(Runnable call) {
		for (int i = 0; i < ROUNDS; i++) {
			try {
				call.run();
			}
			catch (SandboxException ex) {
				assertThat(ex.code()).as(ex.getMessage()).isIn(LOST_RACE);
			}
		}
	}

}
