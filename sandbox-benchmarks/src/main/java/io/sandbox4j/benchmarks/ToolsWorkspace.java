package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A large tree of real texts: the modules of this machine's Python, again and again.
 */
final class ToolsWorkspace {

	static final int FILES = 50_000;

	/**
	 * A word that stands in one file of a thousand.
	 */
	static final String RARE = "needle_in_the_haystack";

	private static final int FILES_IN_DIRECTORY = 20;

	private static final int DIRECTORIES_IN_MODULE = 50;

	private static final int MAX_CHARS = 6_000;

	private static final Path SOURCES = Path.of("/usr/lib");

	private ToolsWorkspace() {
	}

	/**
	 * Fills a directory.
	 * @param root the directory, empty
	 * @throws IOException if it cannot be written
	 */
	static void fill(Path root) throws IOException {
		List<byte[]> texts = texts();
		if (Files.getOwner(root).getName().equals("root")) {
			// No command runs as root, so nothing of root's becomes a workspace.
			Files.setOwner(root, root.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
		}
		Files.writeString(root.resolve(".gitignore"), "*.pyc\n/target/\n");
		for (int i = 0; i < FILES; i++) {
			int directory = i / FILES_IN_DIRECTORY;
			Path parent = root.resolve("module" + directory / DIRECTORIES_IN_MODULE).resolve("package" + directory);
			if (i % FILES_IN_DIRECTORY == 0) {
				Files.createDirectories(parent);
			}
			boolean rare = i % 1_000 == 0;
			Path file = Files.write(parent.resolve((rare ? "rare" : "text") + i + ".py"), texts.get(i % texts.size()));
			if (rare) {
				Files.writeString(file, "\n" + RARE + " = " + i + "\n", StandardOpenOption.APPEND);
			}
		}
	}

	private static List<byte[]> texts() throws IOException {
		List<byte[]> texts = new ArrayList<>();
		try (Stream<Path> files = Files.find(SOURCES, 4,
				(path, attributes) -> attributes.isRegularFile() && path.toString().endsWith(".py"))) {
			for (Path file : (Iterable<Path>) files.sorted()::iterator) {
				String text = Files.readString(file, StandardCharsets.ISO_8859_1);
				int end = text.lastIndexOf('\n', MAX_CHARS) + 1;
				// Programs differ in what they take for text.
				if (text.chars().allMatch((character) -> character > 0 && character < 0x7F)) {
					texts.add(text.substring(0, end).getBytes(StandardCharsets.US_ASCII));
				}
			}
		}
		if (texts.isEmpty()) {
			throw new IOException("There are no modules of Python below " + SOURCES + " to make a tree of");
		}
		return texts;
	}

}
