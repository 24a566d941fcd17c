package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Puts the temporary directories of tests that make many files into memory, if the host
 * has such a file system: disks vary too much.
 */
class InMemory implements TempDirFactory {

	private static final Path MEMORY = Path.of("/dev/shm");

	@Override
	public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
		return Files.isWritable(MEMORY) ? Files.createTempDirectory(MEMORY, "junit-")
				: Files.createTempDirectory("junit-");
	}

}
