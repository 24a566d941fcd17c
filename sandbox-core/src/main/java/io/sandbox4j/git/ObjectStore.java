package io.sandbox4j.git;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * The transport's own bare repository. It holds every object that a sync point needs, so
 * that neither side's clean-up can take one away, and its refs are the transport's
 * journal: a ref is set at once or not at all. The host's repository is never written.
 */
final class ObjectStore {

	/**
	 * Attributes with precedence over any in a tree, see gitattributes(5): the bytes of a
	 * file are its content, no filter runs and no merge driver is chosen.
	 */
	static final String ATTRIBUTES = "* -text !eol !crlf -ident !filter !working-tree-encoding !merge !diff\n";

	private static final int MAX_SHOWN = 10;

	// All that git-fsck(1) takes for an error, but directories by the names of Git's own
	// files: they mean nothing to Git and are files as others are.
	private static final String STRICT = "--strict=gitattributesBlob=ignore,gitmodulesBlob=ignore";

	private static final Pattern ID = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");

	private final Path directory;

	private @Nullable String emptyTree;

	private @Nullable Commit lastCommit;

	ObjectStore(Path directory) {
		this.directory = directory;
	}

	void create(String objectFormat, String session) {
		if (Files.exists(this.directory.resolve("HEAD"))) {
			return;
		}
		try {
			Files.createDirectories(this.directory);
			GitCommand.git("init", "--quiet", "--bare", "--template=", "--object-format=" + objectFormat, ".")
				.in(this.directory)
				.run();
			Files.createDirectories(this.directory.resolve("info"));
			Files.writeString(this.directory.resolve("info/attributes"), ATTRIBUTES);
			Files.writeString(this.directory.resolve("session"), session);
		}
		catch (IOException ex) {
			throw failed(ex);
		}
	}

	boolean exists() {
		return Files.exists(this.directory.resolve("session"));
	}

	String session() {
		try {
			return Files.readString(this.directory.resolve("session"));
		}
		catch (IOException ex) {
			throw failed(ex);
		}
	}

	Path directory() {
		return this.directory;
	}

	GitCommand git(String... args) {
		return GitCommand.git(args).in(this.directory).with("GIT_DIR", this.directory);
	}

	// The objects of the host's repository are borrowed while the first pack is made.
	void borrow(@Nullable Path objects) {
		Path alternates = this.directory.resolve("objects/info/alternates");
		try {
			if (objects == null) {
				Files.deleteIfExists(alternates);
			}
			else {
				Files.createDirectories(alternates.getParent());
				Files.writeString(alternates, objects + "\n");
			}
		}
		catch (IOException ex) {
			throw failed(ex);
		}
	}

	// Each sync asks for several, and most are not there: git is asked only where it
	// keeps refs otherwise than in a file each.
	@Nullable String ref(String name) {
		Path file = this.directory.resolve("refs/sync").resolve(name);
		try {
			String value = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
			if (ID.matcher(value).matches()) {
				return value;
			}
		}
		catch (NoSuchFileException ex) {
			if (!Files.exists(this.directory.resolve("packed-refs"))
					&& !Files.exists(this.directory.resolve("reftable"))) {
				return null;
			}
		}
		catch (IOException ex) {
			throw failed(ex);
		}
		GitCommand.Outcome<byte[]> found = git("rev-parse", "--quiet", "--verify", "refs/sync/" + name).outcome();
		return (found.exit() == 0) ? new String(found.value(), StandardCharsets.US_ASCII).strip() : null;
	}

	// All of them change, or none.
	void setRefs(String... namesAndValues) {
		StringBuilder commands = new StringBuilder("start\n");
		for (int i = 0; i < namesAndValues.length; i += 2) {
			String ref = "refs/sync/" + namesAndValues[i];
			String value = namesAndValues[i + 1];
			if (!value.isEmpty()) {
				commands.append("update ").append(ref).append(' ').append(value).append('\n');
			}
			else if (ref(namesAndValues[i]) != null) {
				commands.append("delete ").append(ref).append('\n');
			}
		}
		commands.append("prepare\ncommit\n");
		git("update-ref", "--stdin").input(commands.toString().getBytes(StandardCharsets.US_ASCII)).run();
	}

	boolean has(String object) {
		return git("cat-file", "-e", object).outcome().exit() == 0;
	}

	String commit(String tree, String message, @Nullable String parent) {
		List<String> args = new ArrayList<>(List.of("commit-tree", tree, "-m", message));
		if (parent != null) {
			args.addAll(List.of("-p", parent));
		}
		// The same tree makes the same commit whenever it is made.
		return git(args.toArray(String[]::new)).with("GIT_AUTHOR_DATE", "946684800 +0000")
			.with("GIT_COMMITTER_DATE", "946684800 +0000")
			.line();
	}

	String emptyTree() {
		String known = this.emptyTree;
		if (known == null) {
			known = git("hash-object", "-t", "tree", "-w", "--stdin").line();
			this.emptyTree = known;
		}
		return known;
	}

	String tree(String commit) {
		Commit known = this.lastCommit;
		if (known == null || !known.id().equals(commit)) {
			known = new Commit(commit, git("rev-parse", "--verify", commit + "^{tree}").line());
			this.lastCommit = known;
		}
		return known.tree();
	}

	byte[] entries(String tree) {
		return git("ls-tree", "-r", "-z", "--full-tree", tree).bytes();
	}

	List<TreeChange> changes(String from, String to) {
		if (from.equals(to)) {
			return List.of();
		}
		return TreeChange
			.parse(git("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", from, to)
				.bytes());
	}

	byte[] patch(String from, String to) {
		return git("diff-tree", "-r", "-p", "--binary", "--full-index", "--no-renames", "--no-ext-diff",
				"--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", from, to)
			.bytes();
	}

	// Objects that a list of ids or revisions names: PACK is overwritten.
	void pack(Path pack, byte[] input, String... options) {
		List<String> args = new ArrayList<>(List.of("pack-objects", "--quiet", "--stdout", "--window=0"));
		args.addAll(List.of(options));
		git(args.toArray(String[]::new)).input(input).required((output) -> {
			try (OutputStream file = Files.newOutputStream(pack)) {
				return output.transferTo(file);
			}
		});
	}

	/**
	 * Packs all that a commit needs into the store. What is packed already is copied as
	 * it is, and nothing is compressed hard that is sent once.
	 * @param commit the commit
	 * @param maxBytes how large the pack may be
	 * @return the pack, with its index of the same name beside it
	 */
	Path packCommit(String commit, long maxBytes) {
		Path outgoing = this.directory.resolve("outgoing");
		try {
			deleteTree(outgoing);
			Files.createDirectories(outgoing);
			String name = "pack-" + git("pack-objects", "--quiet", "--revs", "--window=0", "--compression=1",
					outgoing.resolve("pack").toString())
				.input((commit + "\n").getBytes(StandardCharsets.US_ASCII))
				.line();
			long size = Files.size(outgoing.resolve(name + ".pack"));
			if (size <= maxBytes) {
				adopt(outgoing);
			}
			deleteTree(outgoing);
			if (size > maxBytes) {
				throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "The tree has " + size
						+ " bytes when packed, more than the " + maxBytes + " of 'maxSeed'. Nothing was moved.");
			}
			return this.directory.resolve("objects/pack").resolve(name + ".pack");
		}
		catch (IOException ex) {
			throw failed(ex);
		}
	}

	byte[] index(Path pack) {
		try {
			return Files.readAllBytes(Path.of(pack.toString().replaceFirst("[.]pack$", ".idx")));
		}
		catch (IOException ex) {
			throw failed(ex);
		}
	}

	/**
	 * Takes a pack that a guest made. Each object is checked on its own in a directory
	 * apart, then whether all that the tree needs is there; only then does it join the
	 * others.
	 * @param pack the pack
	 * @param tree the tree that must be whole then
	 * @param known a tree that is whole already
	 */
	void take(Path pack, String tree, String known) {
		Path incoming = this.directory.resolve("incoming");
		try {
			deleteTree(incoming);
			Files.createDirectories(incoming.resolve("pack"));
			GitCommand check = git("index-pack", "--stdin", STRICT).inputFile(pack)
				.with("GIT_OBJECT_DIRECTORY", incoming)
				.with("GIT_ALTERNATE_OBJECT_DIRECTORIES", this.directory.resolve("objects"));
			GitCommand whole = git("rev-list", "--objects", "--quiet", tree, "--not", known)
				.with("GIT_OBJECT_DIRECTORY", incoming)
				.with("GIT_ALTERNATE_OBJECT_DIRECTORIES", this.directory.resolve("objects"));
			for (GitCommand step : List.of(check, whole)) {
				GitCommand.Outcome<byte[]> outcome = step.outcome();
				if (outcome.exit() != 0) {
					throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
							"What the sandbox sent is refused, and nothing of it is kept: " + outcome.errors().strip());
				}
			}
			adopt(incoming.resolve("pack"));
			deleteTree(incoming);
		}
		catch (IOException ex) {
			throw failed(ex);
		}
	}

	// The index last: git finds a pack by it.
	private void adopt(Path packs) throws IOException {
		Path target = this.directory.resolve("objects/pack");
		Files.createDirectories(target);
		List<Path> files;
		try (Stream<Path> found = Files.list(packs)) {
			files = found.sorted(
					(one, other) -> Boolean.compare(one.toString().endsWith(".idx"), other.toString().endsWith(".idx")))
				.toList();
		}
		for (Path file : files) {
			Files.move(file, target.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
		}
	}

	long sizeOf(Collection<String> blobs) {
		byte[] input = (String.join("\n", blobs) + "\n").getBytes(StandardCharsets.US_ASCII);
		return blobs.isEmpty() ? 0 : new String(git("cat-file", "--batch-check=%(objectsize)").input(input).bytes(),
				StandardCharsets.US_ASCII)
			.lines()
			.mapToLong(ObjectStore::size)
			.sum();
	}

	private static long size(String line) {
		try {
			return Long.parseLong(line);
		}
		catch (NumberFormatException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH, "An object is missing: " + line);
		}
	}

	/**
	 * Reads blobs, one after the other.
	 * @param blobs their ids
	 * @param reader is given each, and need not read it to its end
	 */
	void read(List<String> blobs, BlobReader reader) {
		if (blobs.isEmpty()) {
			return;
		}
		byte[] input = (String.join("\n", blobs) + "\n").getBytes(StandardCharsets.US_ASCII);
		git("cat-file", "--batch=%(objecttype) %(objectsize)").input(input).required((output) -> {
			InputStream buffered = new BufferedInputStream(output, 65_536);
			for (int i = 0; i < blobs.size(); i++) {
				String[] head = line(buffered).split(" ");
				if (head.length != 2 || !head[0].equals("blob")) {
					throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
							"The blob " + blobs.get(i) + " is missing.");
				}
				PartStream part = new PartStream(buffered, Long.parseLong(head[1]));
				reader.read(i, part);
				part.skipRest();
				buffered.read();
			}
			return blobs.size();
		});
	}

	byte[] blob(String id) {
		return git("cat-file", "blob", id).bytes();
	}

	private static String line(InputStream input) throws IOException {
		StringBuilder line = new StringBuilder();
		int c = input.read();
		while (c != '\n') {
			if (c < 0) {
				throw new EOFException("git ended early");
			}
			line.append((char) c);
			c = input.read();
		}
		return line.toString();
	}

	static String shown(Collection<String> paths) {
		String shown = String.join("', '", paths.stream().limit(MAX_SHOWN).toList());
		return "'" + shown + ((paths.size() > MAX_SHOWN) ? "' and " + (paths.size() - MAX_SHOWN) + " more" : "'");
	}

	static SandboxException failed(IOException ex) {
		return new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
				"The transport's directory could not be read or written. See that it has room and belongs to this user.",
				ex);
	}

	static void deleteTree(Path directory) throws IOException {
		if (Files.exists(directory)) {
			List<Path> paths;
			try (Stream<Path> walk = Files.walk(directory)) {
				paths = walk.sorted((one, other) -> other.compareTo(one)).toList();
			}
			for (Path path : paths) {
				Files.delete(path);
			}
		}
	}

	/**
	 * A commit, which never changes.
	 *
	 * @param id its id
	 * @param tree its tree
	 */
	private record Commit(String id, String tree) {

	}

	/**
	 * Reads one blob of several.
	 */
	interface BlobReader {

		void read(int index, InputStream content) throws IOException;

	}

	/**
	 * The next bytes of a stream, so many and no more.
	 */
	private static final class PartStream extends InputStream {

		private final InputStream source;

		private long left;

		PartStream(InputStream source, long left) {
			this.source = source;
			this.left = left;
		}

		@Override
		public int read() throws IOException {
			byte[] one = new byte[1];
			return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
		}

		@Override
		public int read(byte[] bytes, int offset, int length) throws IOException {
			if (this.left == 0) {
				return -1;
			}
			int count = this.source.read(bytes, offset, (int) Math.min(length, this.left));
			if (count < 0) {
				throw new EOFException("git ended early");
			}
			this.left -= count;
			return count;
		}

		void skipRest() throws IOException {
			this.source.skipNBytes(this.left);
			this.left = 0;
		}

	}

}
