package io.sandbox4j.store.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Files of a child that was killed.
 */
final class LeftBehind {

	private LeftBehind() {
	}

	static void delete(Path directory) throws IOException {
		List<Path> files;
		try (Stream<Path> all = Files.walk(directory)) {
			files = all.sorted(Comparator.reverseOrder()).toList();
		}
		for (Path file : files) {
			Files.delete(file);
		}
	}

}
