package io.sandbox4j.git;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * The working tree of the host: what is on the disk, whatever its index says. It is read
 * through an index of our own, so that the user's keeps its staged parts, its flags and
 * its lock.
 */
final class HostTree {

	private static final String INDEX = "GIT_INDEX_FILE";

	// A file of rules that is a link or a directory is carried as such, and has no say.
	private static final Pattern HARMLESS = Pattern
		.compile("warning: unable to access '.*[.]git(?:attributes|ignore)': ");

	// On the command line it wins over what a tree says of itself.
	private static final String EXCLUDE = "--exclude=" + HandoffMirror.RULE;

	// Names that are the same in every locale, and whose parts are all names.
	private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_][!-.0-~]*+(?:/[A-Za-z0-9_][!-.0-~]*+)*+");

	private final Path root;

	private final Path gitDirectory;

	private final Path commonDirectory;

	private final ObjectStore store;

	private final List<String> include;

	private final Map<String, String> environment;

	private final Path index;

	// What the host's index was when its names were last taken over.
	private @Nullable String indexState;

	private @Nullable String lastTree;

	private List<String> submodules = List.of();

	private List<String> leftOut = List.of();

	/**
	 * Creates a tree.
	 * @param root its top directory
	 * @param store where what is read is kept
	 * @param include what is carried although it is ignored
	 * @param environment where the user's configuration is looked for
	 */
	HostTree(Path root, ObjectStore store, List<String> include, Map<String, String> environment) {
		this.environment = environment;
		this.root = root;
		this.store = store;
		this.include = include;
		this.index = store.directory().resolve("host-index");
		this.gitDirectory = gitDirectory(root);
		this.commonDirectory = Path.of(host("rev-parse", "--path-format=absolute", "--git-common-dir").line());
	}

	private static Path gitDirectory(Path root) {
		if (!Files.exists(root.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'root' must be the top directory of a Git working tree, with a '.git' in it.");
		}
		return Path.of(GitCommand.git("rev-parse", "--absolute-git-dir")
			.in(root)
			.with("GIT_CEILING_DIRECTORIES", root.resolve("..").normalize())
			.line());
	}

	GitCommand host(String... args) {
		return GitCommand.git(args).in(this.root).with("GIT_DIR", this.gitDirectory).with("GIT_WORK_TREE", this.root);
	}

	GitCommand own(String... args) {
		return GitCommand.git(args)
			.in(this.root)
			.with("GIT_DIR", this.store.directory())
			.with(INDEX, this.index)
			.with("GIT_WORK_TREE", this.root);
	}

	/**
	 * Waits for what an owner that was killed left of its work at the index. With the
	 * tree's lock no other owner works there, so a lock that no process can give back any
	 * more is removed.
	 * @param patience how long a process is waited for
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if it goes on
	 */
	void awaitIndex(Duration patience) {
		GitLock lock = GitLock.of(this.index);
		if (!lock.awaitGone(patience, () -> GitCommand.runsWith(INDEX, this.index))) {
			throw new SandboxException(ErrorCode.SANDBOX_BUSY, "A git command of an application that was killed "
					+ "still reads the tree. Wait for its end, or end it.");
		}
		lock.remove();
	}

	Path root() {
		return this.root;
	}

	Path gitDirectory() {
		return this.gitDirectory;
	}

	String objectFormat() {
		return host("rev-parse", "--show-object-format").line();
	}

	// Where objects, the index and the rules are is the layout of a repository, see
	// gitrepository-layout(5): what linked working trees share is in the common
	// directory.
	Path objects() {
		return this.commonDirectory.resolve("objects");
	}

	/**
	 * Returns the last commit and its tree.
	 * @return their ids, or nothing if there is no commit
	 */
	List<String> head() {
		GitCommand.Outcome<byte[]> head = host("rev-parse", "--revs-only", "HEAD", "HEAD^{tree}").outcome();
		List<String> ids = new String(head.value(), StandardCharsets.US_ASCII).lines().toList();
		return (head.exit() == 0 && ids.size() == 2) ? ids : List.of();
	}

	/**
	 * Returns the rules of what is ignored that are not in the tree: those of the user's
	 * and the machine's configuration, and the repository's own, which win.
	 * @return the rules, as a file has them
	 */
	byte[] exclusions() {
		GitCommand lookup = host("config", "--path", "--get", "core.excludesFile").asConfigured(this.environment);
		GitCommand.Outcome<byte[]> configured = lookup.outcome();
		if (configured.exit() > 1) {
			throw lookup.failure(configured.errors());
		}
		StringBuilder rules = new StringBuilder();
		try {
			Path users = (configured.exit() == 0) ? this.root.resolve(target(withoutLineEnd(configured.value())))
					: defaultExcludesFile();
			if (users != null) {
				append(rules, users);
			}
			append(rules, this.commonDirectory.resolve("info/exclude"));
			rules.append(HandoffMirror.RULE).append('\n');
			return rules.toString().getBytes(StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"The rules of what is ignored could not be read, so that nothing is carried. "
							+ "See that the application's user can read 'core.excludesFile' and '.git/info/exclude'.",
					ex);
		}
	}

	/**
	 * Returns the rules that the last snapshot followed.
	 * @return the rules, as {@link #exclusions()} has them
	 */
	byte[] rules() {
		try {
			return Files.readAllBytes(this.store.directory().resolve("info/exclude"));
		}
		catch (IOException ex) {
			throw ObjectStore.failed(ex);
		}
	}

	// As git-config(1) has it for 'core.excludesFile'.
	private @Nullable Path defaultExcludesFile() {
		String configuration = this.environment.getOrDefault("XDG_CONFIG_HOME", "");
		String home = this.environment.getOrDefault("HOME", "");
		if (!configuration.isEmpty()) {
			return this.root.resolve(configuration).resolve("git/ignore");
		}
		return home.isEmpty() ? null : this.root.resolve(home).resolve(".config/git/ignore");
	}

	private static byte[] withoutLineEnd(byte[] line) {
		return (line.length > 0 && line[line.length - 1] == '\n') ? Arrays.copyOf(line, line.length - 1) : line;
	}

	private static void append(StringBuilder rules, Path file) throws IOException {
		// What cannot be looked at is not the same as what is not there: a file that it
		// ignores would be carried.
		if (!Files.exists(file) && !Files.notExists(file)) {
			throw new AccessDeniedException(file.toString());
		}
		if (Files.isRegularFile(file)) {
			rules.append(Files.readString(file, StandardCharsets.ISO_8859_1)).append('\n');
		}
	}

	List<String> leftOut() {
		return this.leftOut;
	}

	/**
	 * Returns the tree of what is on the disk now.
	 * @return its id; its objects are in the store
	 */
	String snapshot() {
		try {
			takeTrackedNames();
			CompletableFuture<byte[]> differing = GitCommand
				.meanwhile(() -> own("diff-files", "-z", "--name-status").bytes());
			List<String> others = othersByRules();
			Set<String> names = new LinkedHashSet<>();
			List<String> changed = NulList.parse(GitCommand.joined(differing));
			Set<String> gone = new LinkedHashSet<>();
			for (int i = 0; i + 1 < changed.size(); i += 2) {
				(changed.get(i).startsWith("D") ? gone : names).add(changed.get(i + 1));
			}
			List<String> left = new ArrayList<>(this.submodules);
			for (String other : others) {
				(other.endsWith("/") ? left : names).add(other);
			}
			this.leftOut = left.stream().map(HostTree::shown).distinct().toList();
			return tree(gone, names);
		}
		catch (IOException ex) {
			throw ObjectStore.failed(ex);
		}
	}

	// The files are listed by the rules of the last time while the rules are looked up:
	// they are seldom others, and then the files are listed again.
	private List<String> othersByRules() throws IOException {
		Path file = this.store.directory().resolve("info/exclude");
		if (Files.exists(file)) {
			byte[] known = Files.readAllBytes(file);
			CompletableFuture<List<String>> others = GitCommand.meanwhile(this::others);
			byte[] rules = exclusions();
			if (Arrays.equals(rules, known)) {
				return GitCommand.joined(others);
			}
			Files.write(file, rules);
		}
		else {
			Files.write(file, exclusions());
		}
		return others();
	}

	private String tree(Set<String> gone, Set<String> names) {
		String known = this.lastTree;
		if (known != null && gone.isEmpty() && names.isEmpty()) {
			return known;
		}
		if (!gone.isEmpty()) {
			own("update-index", "-z", "--force-remove", "--stdin").input(NulList.format(gone)).run();
		}
		if (!names.isEmpty()) {
			silent(own("update-index", "-z", "--add", "--remove", "--replace", "--stdin").input(NulList.format(names)));
		}
		String tree = own("write-tree", "--missing-ok").line();
		this.lastTree = tree;
		return tree;
	}

	// Files that are ignored but tracked are known by the user's index alone.
	private void takeTrackedNames() throws IOException {
		Path file = this.gitDirectory.resolve("index");
		String state = Files.exists(file) ? Files.getLastModifiedTime(file) + "/" + Files.size(file) : "none";
		if (state.equals(this.indexState) && Files.exists(this.index)) {
			return;
		}
		Set<String> known = new HashSet<>(
				Files.exists(this.index) ? NulList.parse(own("ls-files", "-z").bytes()) : List.of());
		StringBuilder fresh = new StringBuilder();
		List<String> submodules = new ArrayList<>();
		for (String entry : NulList.parse(host("ls-files", "-s", "-z").bytes())) {
			String path = entry.substring(entry.indexOf('\t') + 1);
			if (isHandoff(path)) {
				throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH, "The host's repository tracks '"
						+ shown(path) + "', where handoffs are and no sync goes. Take it out of the index.");
			}
			if (entry.startsWith("160000")) {
				submodules.add(path);
			}
			else if (!known.contains(path) && present(path)) {
				int stage = entry.length() - path.length() - 2;
				fresh.append(entry, 0, stage).append('0').append(entry, stage + 1, entry.length()).append('\0');
			}
		}
		own("update-index", "-z", "--index-info").input(fresh.toString().getBytes(StandardCharsets.ISO_8859_1)).run();
		this.indexState = state;
		this.submodules = submodules;
	}

	private boolean present(String path) {
		return Files.exists(path(path), LinkOption.NOFOLLOW_LINKS);
	}

	private List<String> others() {
		List<String> others = new ArrayList<>(
				NulList.parse(listed("ls-files", "-z", "-o", EXCLUDE, "--exclude-standard")));
		if (!this.include.isEmpty()) {
			List<String> args = new ArrayList<>(List.of("ls-files", "-z", "-o", "--"));
			args.addAll(this.include);
			others.addAll(NulList.parse(listed(args.toArray(String[]::new))));
		}
		others.removeIf((other) -> isGitDirectory(other) || isHandoff(other));
		others.removeIf(
				(other) -> other.endsWith("/") && this.submodules.contains(other.substring(0, other.length() - 1)));
		return others;
	}

	private static boolean isHandoff(String name) {
		return (name + "/").startsWith(HandoffMirror.DEFAULT_DIRECTORY + "/");
	}

	// 'git init --separate-git-dir=meta .' puts the repository where files are.
	boolean isGitDirectory(String name) {
		Path path = path(name.endsWith("/") ? name.substring(0, name.length() - 1) : name);
		return path.startsWith(this.gitDirectory) || path.startsWith(this.commonDirectory);
	}

	private byte[] listed(String... args) {
		return silent(own(args));
	}

	// Git goes on where it cannot read and over names that it refuses, and says so. What
	// it leaves out would be taken for deleted.
	private static byte[] silent(GitCommand command) {
		GitCommand.Outcome<byte[]> outcome = command.outcome();
		if (outcome.exit() != 0 || !outcome.errors().lines().allMatch((line) -> HARMLESS.matcher(line).lookingAt())) {
			throw command.failure(outcome.errors());
		}
		return outcome.value();
	}

	/**
	 * Returns what a seed leaves on the host because it is ignored, and directories
	 * without a file.
	 * @return their paths, directories with a slash at the end
	 */
	List<String> notCarried() {
		List<String> left = new ArrayList<>(this.leftOut);
		NulList.parse(listed("ls-files", "-z", "-o", "-i", EXCLUDE, "--exclude-standard", "--directory"))
			.forEach((path) -> left.add(shown(path)));
		NavigableSet<String> carried = new TreeSet<>(NulList.parse(own("ls-files", "-z").bytes()));
		NulList.parse(listed("ls-files", "-z", "-o", "--exclude-standard", "--directory")).forEach((path) -> {
			String next = carried.ceiling(path);
			if (path.endsWith("/") && (next == null || !next.startsWith(path))) {
				left.add(shown(path));
			}
		});
		return left.stream().distinct().sorted().toList();
	}

	/**
	 * Returns the host's path of a name of the tree, byte for byte, whatever the locale.
	 * @param name the name, a character for each byte
	 * @return the path
	 */
	Path path(String name) {
		return this.root.resolve(relative(name));
	}

	static Path relative(String name) {
		return PLAIN.matcher(name).matches() ? Path.of(name) : relativeByBytes(name);
	}

	private static Path relativeByBytes(String name) {
		StringBuilder uri = new StringBuilder("file:///");
		for (int i = 0; i < name.length(); i++) {
			char c = name.charAt(i);
			boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/'
					|| c == '.' || c == '_';
			uri.append(plain ? String.valueOf(c) : String.format("%%%02X", (int) c));
		}
		return Path.of("/").relativize(Path.of(URI.create(uri.toString())));
	}

	static Path target(byte[] link) {
		String text = new String(link, StandardCharsets.ISO_8859_1);
		return text.startsWith("/") ? Path.of("/").resolve(relative(text.replaceFirst("^/+", ""))) : relative(text);
	}

	static String shown(String name) {
		return new String(name.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
	}

}
