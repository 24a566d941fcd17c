package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class ScratchTests {

	@Test
	void closeEndsProcessesAndRemovesFiles() throws Exception {
		Path directory;
		Process process;
		try (Scratch scratch = Scratch.create()) {
			directory = scratch.directory();
			Files.writeString(scratch.makeDirectory("files").resolve("file"), "content");
			process = scratch.start("sleep", List.of("/bin/sleep", "600"));
			assertThat(process.isAlive()).isTrue();
		}
		assertThat(process.isAlive()).isFalse();
		assertThat(directory).doesNotExist();
	}

	@Test
	void nothingStartsAfterClose() throws Exception {
		Scratch scratch = Scratch.create();
		scratch.close();
		assertThatIOException().isThrownBy(() -> scratch.start("sleep", List.of("/bin/sleep", "600")));
		assertThat(scratch.directory()).doesNotExist();
	}

	@Test
	void aProcessThatEndsAtItsStartIsQuoted() throws IOException {
		try (Scratch scratch = Scratch.create()) {
			Process process = scratch.start("server", List.of("/bin/sh", "-c", "echo port taken >&2; exit 1"));
			assertThatIOException().isThrownBy(() -> scratch.await("server", process, () -> false))
				.withMessage("server ended at its start: port taken");
		}
	}

	@Test
	void programsAreFoundByName() {
		assertThat(Scratch.program("sh")).endsWith("/sh");
		assertThat(Scratch.program("no-such-program")).isNull();
	}

}
