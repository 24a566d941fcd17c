package io.sandbox4j.store.jdbc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The directories of whole applications, where the guest's user can reach them, and the
 * proof afterwards that nothing of their sandboxes is left.
 */
final class ApplicationDirectories implements BeforeEachCallback, AfterEachCallback {

	private Path root;

	private Path shared;

	@Override
	public void beforeEach(ExtensionContext context) throws IOException {
		this.root = directory(Path.of("/tmp"));
		this.shared = directory(Path.of("/dev/shm"));
	}

	private static Path directory(Path parent) throws IOException {
		Path directory = Files.createTempDirectory(parent, "s4j-");
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
		return directory;
	}

	@Override
	public void afterEach(ExtensionContext context) throws Exception {
		try {
			assertThat(processes()).as("processes left behind").isEmpty();
			if (Files.isDirectory(runtime())) {
				try (Stream<Path> left = Files.list(runtime())) {
					assertThat(left).as("runtime directories left behind").isEmpty();
				}
			}
		}
		finally {
			// Workspaces belong to the guest's user, and may have directories without a
			// right.
			new ProcessBuilder("rm", "-rf", this.root.toString(), this.shared.toString()).start().waitFor();
		}
	}

	Path root() {
		return this.root;
	}

	Path runtime() {
		return this.shared.resolve("run");
	}

	/**
	 * Finds processes of sandboxes by the directory that their launchers name.
	 * @return what is left of their commands
	 * @throws IOException if the processes cannot be listed
	 */
	List<String> processes() throws IOException {
		List<String> found = new ArrayList<>();
		try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
			for (Path process : processes) {
				String command = read(process.resolve("cmdline")).replace('\0', ' ');
				if (command.contains("bwrap") && command.contains(this.shared.toString()) && !waits(process)) {
					found.add(process.getFileName() + " " + command);
				}
			}
		}
		return found;
	}

	// What bubblewrap forked and told nothing waits for ever if its first process dies
	// before that. It is in no sandbox yet, and the next owner of the session kills it.
	private static boolean waits(Path process) {
		return read(process.resolve("comm")).equals("bwrap\n")
				&& read(process.resolve("status")).contains("\nPPid:\t1\n")
				&& read(process.resolve("task").resolve(process.getFileName()).resolve("children")).isEmpty();
	}

	private static String read(Path file) {
		try {
			return Files.readString(file, StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			return "";
		}
	}

}
