package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class JsonFilesTests {

	private static final TemplateMarker MARKER = new TemplateMarker("backend", "key");

	@TempDir
	Path directory;

	private final JsonFiles files = new JsonFiles(new Sync(Durability.POWER_LOSS));

	@Test
	void readsWhatWasWritten() throws Exception {
		Path file = this.directory.resolve("marker");
		this.files.write(file, new TemplateMarker("old", "old"));
		this.files.write(file, MARKER);
		assertThat(JsonFiles.read(file, TemplateMarker.class)).isEqualTo(MARKER);
		assertThat(this.directory.toFile().list()).containsExactly("marker");
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
	}

	@Test
	void absentIsNull() throws Exception {
		assertThat(JsonFiles.read(this.directory.resolve("absent"), TemplateMarker.class)).isNull();
	}

	@Test
	void failedWriteLeavesTheOldDocumentAndNoTemporary() throws Exception {
		Path file = Files.createDirectories(this.directory.resolve("marker/in-the-way"));
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.files.write(file.getParent(), MARKER));
		assertThat(this.directory.toFile().list()).containsExactly("marker");
	}

	@Test
	void fifoIsDamagedAndDoesNotBlock() throws Exception {
		Path fifo = this.directory.resolve("fifo");
		assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
		assertDamaged(fifo);
	}

	@Test
	void linkIsDamaged() throws Exception {
		Path file = this.directory.resolve("marker");
		this.files.write(file, MARKER);
		assertDamaged(Files.createSymbolicLink(this.directory.resolve("link"), file));
	}

	@Test
	void hugeFileIsDamagedAndNotReadWhole() throws Exception {
		assertDamaged(Files.writeString(this.directory.resolve("huge"), "[" + "1,".repeat(100_000) + "1]"));
	}

	@Test
	void interruptedThreadWrites() throws Exception {
		Path file = this.directory.resolve("marker");
		Thread.currentThread().interrupt();
		this.files.write(file, MARKER);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(JsonFiles.read(file, TemplateMarker.class)).isEqualTo(MARKER);
	}

	private static void assertDamaged(Path file) {
		assertThatExceptionOfType(JsonFiles.BrokenException.class)
			.isThrownBy(() -> JsonFiles.read(file, TemplateMarker.class));
	}

}
