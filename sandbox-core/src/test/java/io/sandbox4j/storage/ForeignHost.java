package io.sandbox4j.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import io.sandbox4j.FileEntry;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;

/**
 * A program that uses workspace files in a JVM of its own, so a test can choose the
 * locale or the file system. Says what happened in ASCII.
 */
public final class ForeignHost {

	private ForeignHost() {
	}

	/**
	 * Runs it.
	 * @param arguments what to do, the workspace and the staging directory
	 * @throws IOException if a file cannot be read
	 */
	public static void main(String[] arguments) throws IOException {
		WorkspaceFiles files = WorkspaceFiles.over(Path.of(arguments[1]), Path.of(arguments[2]), null,
				Durability.PROCESS, () -> {
				});
		System.out.println("encoding " + System.getProperty("sun.jnu.encoding"));
		if (arguments[0].equals("names")) {
			useNames(files);
		}
		else {
			fill(files);
		}
	}

	private static void useNames(WorkspaceFiles files) throws IOException {
		for (String name : List.of("na\u00efve.txt", "h\u00e9\u2713/\uD83D\uDE00", "plain")) {
			WorkspacePath path = WorkspacePath.parse(name);
			files.write(path, new ByteArrayInputStream(name.getBytes(StandardCharsets.UTF_8)), 100);
			try (InputStream stream = files.open(path)) {
				check(new String(stream.readAllBytes(), StandardCharsets.UTF_8).equals(name), "read");
			}
			check(files.stat(path).path().equals(path), "stat");
		}
		List<String> names = files.list(WorkspacePath.parse("."), 10)
			.stream()
			.map(FileEntry::path)
			.map(WorkspacePath::relative)
			.toList();
		check(names.equals(List.of("guest-\u2713", "h\u00e9\u2713", "na\u00efve.txt", "plain")), "list " + names);
		files.move(WorkspacePath.parse("na\u00efve.txt"), WorkspacePath.parse("\u00fc/\u00df"));
		check(files.remove(WorkspacePath.parse("h\u00e9\u2713")), "remove");
		System.out.println("done");
	}

	private static void fill(WorkspaceFiles files) {
		files.write(WorkspacePath.parse("small"), new ByteArrayInputStream(new byte[10]), 1 << 30);
		try {
			files.write(WorkspacePath.parse("large"), new ByteArrayInputStream(new byte[8 << 20]), 1 << 30);
		}
		catch (SandboxException ex) {
			System.out.println(ex.code() + " " + ex.getMessage());
		}
		check(files.list(WorkspacePath.parse("."), 10).size() == 1, "list");
		System.out.println("done");
	}

	private static void check(boolean condition, String what) {
		if (!condition) {
			System.out.println("wrong: " + what);
		}
	}

}
