package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class TreeCopyTests {

	@TempDir
	Path temporary;

	private Path source;

	private Path target;

	@BeforeEach
	void setUp() throws Exception {
		this.source = Files.createDirectory(this.temporary.resolve("source"));
		this.target = this.temporary.resolve("target");
	}

	@Test
	void copiesManyFilesInManyDirectories() throws Exception {
		for (int i = 0; i < 1_000; i++) {
			Files.writeString(
					Files.createDirectories(this.source.resolve("d" + i % 10 + "/e" + i % 3)).resolve("f" + i),
					"content " + i);
		}
		copy(null);
		assertThat(new ProcessBuilder("diff", "-r", this.source.toString(), this.target.toString()).start().waitFor())
			.isZero();
	}

	@Test
	void copiesFilesOfEverySize() throws Exception {
		Random random = new Random(7);
		for (int size : new int[] { 0, 1, 65_535, 65_536, 65_537, 3_000_000 }) {
			byte[] content = new byte[size];
			random.nextBytes(content);
			Files.write(this.source.resolve("f" + size), content);
		}
		copy(null);
		for (Path file : StateDirectory.list(this.source)) {
			assertThat(this.target.resolve(file.getFileName())).hasSameBinaryContentAs(file);
		}
	}

	@Test
	void newRootIsForItsOwnerOnly() throws Exception {
		copy(null);
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(this.target))).isEqualTo("rwx------");
	}

	@Test
	@EnabledIf("io.sandbox4j.storage.TestState#isRoot")
	void everythingGetsTheOwner() throws Exception {
		Files.writeString(Files.createDirectory(this.source.resolve("d")).resolve("f"), "x");
		Path outside = Files.createFile(this.temporary.resolve("outside"));
		Files.createSymbolicLink(this.source.resolve("link"), outside);
		copy(new FileOwner(65532, 65533));
		for (String path : new String[] { "", "d", "d/f", "link" }) {
			Path copied = this.target.resolve(path);
			assertThat(Files.getAttribute(copied, "unix:uid", LinkOption.NOFOLLOW_LINKS)).isEqualTo(65532);
			assertThat(Files.getAttribute(copied, "unix:gid", LinkOption.NOFOLLOW_LINKS)).isEqualTo(65533);
		}
		assertThat(Files.getAttribute(outside, "unix:uid")).isEqualTo(0);
		assertThat(modeOf(this.target)).isEqualTo(0700);
		assertThat(modeOf(this.target.resolve("d"))).isEqualTo(0755);
		assertThat(modeOf(this.target.resolve("d/f"))).isEqualTo(0644);
	}

	@Test
	@EnabledIf("io.sandbox4j.storage.TestState#isUnprivileged")
	void ownerThatThisUserCannotGiveToIsAFailure() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> copy(new FileOwner(0, 0)));
	}

	@Test
	void failureInOneFileIsTheFailureOfTheCopy() throws Exception {
		for (int i = 0; i < 200; i++) {
			Files.writeString(this.source.resolve("f" + i), "x");
		}
		Files.createDirectory(this.target);
		Files.createFile(this.target.resolve("f77"));
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> copy(null));
	}

	@Test
	void interruptStopsTheCopyAndStaysVisible() throws Exception {
		for (int i = 0; i < 300; i++) {
			Files.writeString(this.source.resolve("f" + i), "x");
		}
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> copy(null))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STOPPED));
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void closeEndsTheThreads() throws Exception {
		copy(null);
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
			.noneMatch((thread) -> thread.getName().startsWith("sandbox-copy-")));
	}

	private static int modeOf(Path path) throws IOException {
		return (int) Files.getAttribute(path, "unix:mode") & 07777;
	}

	private void copy(FileOwner owner) throws IOException {
		try (TreeCopy copy = new TreeCopy(owner, new Sync(Durability.PROCESS))) {
			copy.copy(TemplateIndex.scan(this.source), this.target);
		}
	}

}
