package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A repository with a working tree.
 *
 * @param name what reports call it
 * @param root its top directory
 */
record GitRepository(String name, Path root) {

	private static final List<Path> SOURCES = Stream.of("/usr/include", "/usr/lib/python3", "/usr/lib", "/usr/share")
		.map(Path::of)
		.toList();

	private static final int MAX_SIZE = 65_536;

	private static final int FILES_IN_DIRECTORY = 20;

	private static final int DIRECTORIES_IN_MODULE = 25;

	/**
	 * Clones the repository that these benchmarks come from.
	 * @param root where to
	 * @return the clone
	 * @throws Exception if it cannot be cloned
	 */
	static GitRepository ofThisProject(Path root) throws Exception {
		run(project(), "git", "clone", "--quiet", "--no-hardlinks", ".", root.toString());
		return new GitRepository("this repository", root);
	}

	private static Path project() throws URISyntaxException, IOException, InterruptedException {
		Path here = Path.of(GitRepository.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		return Path.of(run(here.resolveSibling("."), "git", "rev-parse", "--show-toplevel").strip());
	}

	/**
	 * Makes one of texts and data of this machine, packed as a clone is.
	 * @param root where to
	 * @param files how many it has
	 * @return the repository
	 * @throws Exception if it cannot be made
	 */
	static GitRepository ofFiles(Path root, int files) throws Exception {
		Files.createDirectory(root);
		fill(root, sources(files), files);
		run(root, "git", "init", "--quiet", "--initial-branch=main");
		run(root, "git", "add", "--all");
		run(root, "git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "-m",
				"Files");
		run(root, "git", "repack", "-a", "-d", "-q");
		run(root, "git", "prune-packed", "-q");
		return new GitRepository(String.format("%,d files", files), root);
	}

	// Evenly out of all, so that a small tree has files as a large one has.
	private static List<Path> sources(int files) throws IOException {
		List<Path> found = new ArrayList<>();
		for (Path source : SOURCES) {
			if (Files.isDirectory(source)) {
				try (Stream<Path> walk = Files.find(source, Integer.MAX_VALUE,
						(path, attributes) -> attributes.isRegularFile() && attributes.size() > 0
								&& attributes.size() <= MAX_SIZE)) {
					walk.filter(Files::isReadable).sorted().forEach(found::add);
				}
			}
		}
		List<Path> distinct = found.stream().distinct().toList();
		if (distinct.isEmpty()) {
			throw new IOException("There are no files below " + SOURCES + " to make a tree of");
		}
		List<Path> chosen = new ArrayList<>();
		for (int i = 0; i < Math.min(files, distinct.size()); i++) {
			chosen.add(distinct.get((int) ((long) i * distinct.size() / Math.min(files, distinct.size()))));
		}
		return chosen;
	}

	// Names are our own: some of the machine's mean something to Git.
	private static void fill(Path root, List<Path> sources, int files) throws IOException, NoSuchAlgorithmException {
		Files.writeString(root.resolve(".gitignore"), "*.o\n/target/\n");
		Set<String> contents = new HashSet<>();
		for (int i = 1; i < files; i++) {
			int directory = i / FILES_IN_DIRECTORY;
			Path parent = root.resolve("module" + directory / DIRECTORIES_IN_MODULE).resolve("package" + directory);
			Files.createDirectories(parent);
			byte[] content = Files.readAllBytes(sources.get(i % sources.size()));
			String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
			Path file = Files.write(parent.resolve("file" + i + ".txt"), content);
			if (!contents.add(digest)) {
				Files.writeString(file, "\nvariant " + i + "\n", StandardOpenOption.APPEND);
			}
		}
	}

	GitRepository cloneTo(Path directory) throws IOException, InterruptedException {
		git("clone", "--quiet", "--no-hardlinks", ".", directory.toString());
		return new GitRepository(this.name, directory);
	}

	/**
	 * Returns a file of the tree that may be changed.
	 * @return its name
	 * @throws Exception if there is none
	 */
	String someFile() throws Exception {
		String[] names = git("ls-files").split("\n");
		for (int i = names.length / 2; i < names.length; i++) {
			if (names[i].matches("[A-Za-z0-9._/-]+")
					&& Files.isRegularFile(this.root.resolve(names[i]), LinkOption.NOFOLLOW_LINKS)) {
				return names[i];
			}
		}
		throw new IOException(this.root + " has no file");
	}

	String git(String... arguments) throws IOException, InterruptedException {
		return run(this.root, Stream.concat(Stream.of("git"), Stream.of(arguments)).toArray(String[]::new));
	}

	static String run(Path directory, String... command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(command).directory(directory.toFile())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		process.getOutputStream().close();
		String output;
		try (InputStream stream = process.getInputStream()) {
			output = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
		}
		int exit = process.waitFor();
		if (exit != 0) {
			throw new IOException("'" + String.join(" ", command) + "' ended with " + exit);
		}
		return output;
	}

}
