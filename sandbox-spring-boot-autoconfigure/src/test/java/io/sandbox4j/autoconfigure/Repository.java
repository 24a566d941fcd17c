package io.sandbox4j.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where this repository is.
 */
final class Repository {

	private Repository() {
	}

	static Path root() {
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.isDirectory(directory.resolve(".mvn"))) {
			directory = directory.getParent();
		}
		return directory;
	}

}
