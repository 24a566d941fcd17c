package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A Git repository of the host, as a user has it, driven by the command line.
 */
final class HostRepository {

	private final Path root;

	private HostRepository(Path root) {
		this.root = root;
	}

	static HostRepository create(Path root) throws IOException {
		HostRepository repository = withoutCommit(root);
		repository.write("a.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n");
		repository.write("src/Main.java", "class Main {}\n");
		repository.commit("first");
		return repository;
	}

	static HostRepository withoutCommit(Path root) throws IOException {
		Files.createDirectories(root);
		HostRepository repository = new HostRepository(root);
		repository.sh("git init -q -b main . && git config user.name U && git config user.email u@example.org");
		return repository;
	}

	static HostRepository at(Path root) {
		return new HostRepository(root);
	}

	Path root() {
		return this.root;
	}

	HostRepository write(String path, String content) throws IOException {
		return write(path, content.getBytes(StandardCharsets.UTF_8));
	}

	HostRepository write(String path, byte[] content) throws IOException {
		Path file = this.root.resolve(path);
		Files.createDirectories(file.getParent());
		Files.write(file, content);
		return this;
	}

	String read(String path) throws IOException {
		return Files.readString(this.root.resolve(path));
	}

	boolean has(String path) {
		return Files.exists(this.root.resolve(path), LinkOption.NOFOLLOW_LINKS);
	}

	HostRepository commit(String message) {
		sh("git add -A && git commit -q --allow-empty -m '" + message + "'");
		return this;
	}

	String sh(String script) {
		try {
			ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-ec", script).directory(this.root.toFile())
				.redirectErrorStream(true);
			builder.environment().keySet().removeIf((name) -> name.startsWith("GIT_"));
			builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
			builder.environment().put("LC_ALL", "C.UTF-8");
			Process process = builder.start();
			process.getOutputStream().close();
			String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (process.waitFor() != 0) {
				throw new AssertionError("'" + script + "' failed: " + said);
			}
			return said;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	// Everything of the repository that must be as before: content, mode and links.
	Map<String, String> repositoryFiles() throws IOException {
		Path directory = Path.of(sh("git rev-parse --absolute-git-dir").strip());
		Map<String, String> files = content(directory, "");
		files.keySet().removeIf((name) -> name.startsWith("objects/"));
		return files;
	}

	Map<String, String> files() throws IOException {
		return content(this.root, ".git");
	}

	static Map<String, String> content(Path directory, String except) throws IOException {
		Map<String, String> content = new TreeMap<>();
		try (Stream<Path> walk = Files.walk(directory)) {
			for (Path path : (Iterable<Path>) walk::iterator) {
				String name = directory.relativize(path).toString();
				boolean skipped = !except.isEmpty() && (name.equals(except) || name.startsWith(except + "/"));
				if (!skipped && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
					content.put(name, describe(path));
				}
			}
		}
		return content;
	}

	private static String describe(Path path) throws IOException {
		if (Files.isSymbolicLink(path)) {
			return "-> " + Files.readSymbolicLink(path);
		}
		if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
			return "special";
		}
		try {
			boolean executable = PosixFilePermissions.toString(Files.getPosixFilePermissions(path)).charAt(2) == 'x';
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(path));
			String mode = executable ? "x " : "- ";
			return mode + HexFormat.of().formatHex(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
