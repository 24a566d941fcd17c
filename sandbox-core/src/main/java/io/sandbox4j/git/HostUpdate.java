package io.sandbox4j.git;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * Brings the host's working tree from one tree to another: all of it or nothing. What
 * could fail is looked at first, new content is written beside, and the target stands in
 * the journal before the first file changes, so that whoever comes after a crash ends
 * what was begun. No symbolic link is followed and no file that differs from the old tree
 * is touched.
 */
final class HostUpdate {

	private static final int BUFFER = 65_536;

	private final HostTree host;

	private final ObjectStore store;

	private final Path staging;

	HostUpdate(HostTree host, ObjectStore store) {
		this.host = host;
		this.store = store;
		this.staging = store.directory().resolve("staging");
	}

	/**
	 * Changes the tree.
	 * @param from the tree that it has
	 * @param to the tree that it gets
	 * @throws SandboxException {@link ErrorCode#SANDBOX_PATH} if a change is refused, and
	 * then nothing is changed
	 */
	void update(String from, String to) {
		List<TreeChange> changes = this.store.changes(from, to);
		if (changes.isEmpty()) {
			return;
		}
		try {
			requireNames(changes);
			requireLinksStayInside(changes);
			requireFree(changes);
			stage(changes);
			this.store.setRefs("update-from", this.store.commit(from, "host", null), "update-to",
					this.store.commit(to, "host", null));
			write(changes, false);
			this.store.setRefs("update-from", "", "update-to", "");
			ObjectStore.deleteTree(this.staging);
		}
		catch (IOException ex) {
			throw failed(ex);
		}
	}

	/**
	 * Ends an update that was cut off. A file that somebody changed since then stays.
	 */
	void recover() {
		String from = this.store.ref("update-from");
		String to = this.store.ref("update-to");
		try {
			if (from != null && to != null) {
				List<TreeChange> changes = this.store.changes(this.store.tree(from), this.store.tree(to));
				stage(changes);
				write(changes, true);
				this.store.setRefs("update-from", "", "update-to", "");
			}
			ObjectStore.deleteTree(this.staging);
		}
		catch (IOException ex) {
			throw failed(ex);
		}
	}

	private static SandboxException failed(IOException ex) {
		return new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
				"The host's tree could not be written. What was begun is ended by the next sync.", ex);
	}

	// Git's own rules of what a name may be: no '.git' in any spelling, no '..'.
	private void requireNames(List<TreeChange> changes) throws IOException {
		Path index = this.store.directory().resolve("names-index");
		Files.deleteIfExists(index);
		List<String> entries = new ArrayList<>();
		for (TreeChange change : changes) {
			if (!change.deleted()) {
				entries.add(change.newMode() + " " + change.newId() + "\t" + change.path());
			}
			if (!change.deleted() && !Set.of(TreeChange.REGULAR, TreeChange.EXECUTABLE, TreeChange.SYMLINK)
				.contains(change.newMode())) {
				throw refused(change, "it is neither a file nor a link");
			}
			if (this.host.isGitDirectory(change.path())) {
				throw refused(change, "it is in the repository's own directory");
			}
		}
		GitCommand.Outcome<byte[]> outcome = this.store.git("update-index", "-z", "--index-info")
			.with("GIT_INDEX_FILE", index)
			.input(NulList.format(entries))
			.outcome();
		Files.deleteIfExists(index);
		if (outcome.exit() != 0 || outcome.errors().contains("Invalid path")) {
			throw new SandboxException(ErrorCode.SANDBOX_PATH,
					"The sandbox has a name that Git refuses, so that nothing was changed: "
							+ outcome.errors().strip());
		}
	}

	private static SandboxException refused(TreeChange change, String reason) {
		return new SandboxException(ErrorCode.SANDBOX_PATH,
				"'" + change.shownPath() + "' cannot be taken over because " + reason + ". Nothing was changed.");
	}

	private void requireLinksStayInside(List<TreeChange> changes) {
		List<TreeChange> links = changes.stream()
			.filter((change) -> change.newMode().equals(TreeChange.SYMLINK))
			.toList();
		this.store.read(links.stream().map(TreeChange::newId).toList(), (index, content) -> {
			String target = new String(content.readNBytes(4097), StandardCharsets.ISO_8859_1);
			if (!staysInside(links.get(index).path(), target)) {
				throw refused(links.get(index), "it is a link that leads out of the tree");
			}
		});
	}

	static boolean staysInside(String link, String target) {
		if (target.isEmpty() || target.startsWith("/") || target.indexOf('\0') >= 0 || target.length() > 4096) {
			return false;
		}
		int depth = (int) link.chars().filter((c) -> c == '/').count();
		for (String name : target.split("/")) {
			if (name.equals("..")) {
				depth--;
			}
			else if (!name.isEmpty() && !name.equals(".")) {
				depth++;
			}
			if (depth < 0 || name.equalsIgnoreCase(".git")) {
				return false;
			}
		}
		return true;
	}

	// What is ignored is not in the tree, and yet somebody's.
	private void requireFree(List<TreeChange> changes) throws IOException {
		Set<Path> removed = new HashSet<>();
		for (TreeChange change : changes) {
			if (!change.added()) {
				removed.add(this.host.path(change.path()));
			}
		}
		for (TreeChange change : changes) {
			Path path = this.host.path(change.path());
			boolean reached = true;
			for (Path parent = parent(path); !parent.equals(this.host.root()); parent = parent(parent)) {
				if (Files.exists(parent, LinkOption.NOFOLLOW_LINKS)
						&& !Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
					if (!removed.contains(parent)) {
						throw refused(change, "the host has something else in place of a directory above it");
					}
					reached = false;
				}
			}
			// Through a link that makes room for a directory, somebody else's file would
			// be seen.
			if (reached && change.added() && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
				boolean emptied = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) && holdsOnly(path, removed);
				if (!emptied) {
					throw refused(change, "the host has something of that name that is ignored there");
				}
			}
		}
	}

	private static Path parent(Path path) {
		Path parent = path.getParent();
		if (parent == null) {
			throw new IllegalStateException("A path above the root");
		}
		return parent;
	}

	private static boolean holdsOnly(Path directory, Set<Path> files) throws IOException {
		try (Stream<Path> below = Files.walk(directory)) {
			return below.allMatch((path) -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) || files.contains(path));
		}
	}

	private void stage(List<TreeChange> changes) throws IOException {
		ObjectStore.deleteTree(this.staging);
		Files.createDirectories(this.staging);
		List<String> blobs = new ArrayList<>();
		List<String> links = new ArrayList<>();
		for (TreeChange change : changes) {
			if (change.newMode().equals(TreeChange.SYMLINK)) {
				links.add(TreeChange.SYMLINK + " " + change.newId() + "\t" + blobs.size());
			}
			if (!change.deleted()) {
				blobs.add(change.newId());
			}
		}
		this.store.read(blobs, (index, content) -> Files.copy(content, this.staging.resolve(String.valueOf(index))));
		stageLinks(links);
	}

	// A Path leaves out slashes that a link's target may have, so git makes the links.
	private void stageLinks(List<String> links) throws IOException {
		if (!links.isEmpty()) {
			Path index = this.store.directory().resolve("links-index");
			Files.deleteIfExists(index);
			this.store.git("update-index", "-z", "--index-info")
				.with("GIT_INDEX_FILE", index)
				.input(NulList.format(links))
				.run();
			this.store.git("checkout-index", "--all", "--force", "--quiet")
				.in(this.staging)
				.with("GIT_INDEX_FILE", index)
				.with("GIT_WORK_TREE", this.staging)
				.run();
			Files.deleteIfExists(index);
		}
	}

	// Deletions first: a file may become a directory, and a directory a file.
	private void write(List<TreeChange> changes, boolean again) throws IOException {
		Set<Path> emptied = new TreeSet<>((one, other) -> other.compareTo(one));
		for (TreeChange change : changes) {
			if (change.deleted()) {
				Path path = this.host.path(change.path());
				if (is(path, change.oldMode(), change.oldId())) {
					Files.delete(path);
				}
				else if (!again && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
					throw changed(change);
				}
				emptied.add(parent(path));
			}
		}
		for (Path directory : emptied) {
			prune(directory);
		}
		int index = 0;
		for (TreeChange change : changes) {
			if (!change.deleted()) {
				write(change, this.staging.resolve(String.valueOf(index++)), again);
			}
		}
	}

	private static SandboxException changed(TreeChange change) {
		return new SandboxException(ErrorCode.SANDBOX_BUSY, "'" + change.shownPath()
				+ "' was changed on the host during the sync. It stays; the next sync ends what was begun.");
	}

	private void prune(Path directory) throws IOException {
		for (Path path = directory; !path.equals(this.host.root()); path = parent(path)) {
			if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
				try (Stream<Path> content = Files.list(path)) {
					if (content.findAny().isPresent()) {
						return;
					}
				}
				Files.delete(path);
			}
		}
	}

	private void write(TreeChange change, Path staged, boolean again) throws IOException {
		Path path = this.host.path(change.path());
		boolean exists = Files.exists(path, LinkOption.NOFOLLOW_LINKS);
		if (exists && !is(path, change.oldMode(), change.oldId())) {
			if (again) {
				return;
			}
			if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
				throw changed(change);
			}
			removeEmptyDirectories(path);
			exists = false;
		}
		Path parent = parent(path);
		createDirectories(parent);
		Path written = staged;
		if (!change.newMode().equals(TreeChange.SYMLINK)) {
			setMode(staged, change, exists ? path : null);
		}
		own(written, exists ? path : parent);
		FileStore here = Files.getFileStore(parent);
		if (!here.equals(Files.getFileStore(this.staging))) {
			Path beside = parent.resolve(".sandbox4j-" + this.store.session().substring(0, 8) + ".tmp");
			Files.deleteIfExists(beside);
			Files.copy(written, beside, LinkOption.NOFOLLOW_LINKS, StandardCopyOption.COPY_ATTRIBUTES);
			written = beside;
		}
		Files.move(written, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
	}

	private static void removeEmptyDirectories(Path directory) throws IOException {
		List<Path> below;
		try (Stream<Path> walk = Files.walk(directory)) {
			below = walk.sorted((one, other) -> other.compareTo(one)).toList();
		}
		for (Path path : below) {
			// Fails for one that is not empty.
			if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
				Files.delete(path);
			}
		}
	}

	private void createDirectories(Path directory) throws IOException {
		if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
			Path parent = parent(directory);
			createDirectories(parent);
			Files.createDirectory(directory);
			own(directory, parent);
		}
	}

	private static void setMode(Path staged, TreeChange change, @Nullable Path old) throws IOException {
		Set<PosixFilePermission> mode = EnumSet.noneOf(PosixFilePermission.class);
		mode.addAll(Files.getPosixFilePermissions((old != null && !Files.isSymbolicLink(old)) ? old : staged));
		if (change.newMode().equals(TreeChange.EXECUTABLE)) {
			mode.add(PosixFilePermission.OWNER_EXECUTE);
			if (mode.contains(PosixFilePermission.GROUP_READ)) {
				mode.add(PosixFilePermission.GROUP_EXECUTE);
			}
			if (mode.contains(PosixFilePermission.OTHERS_READ)) {
				mode.add(PosixFilePermission.OTHERS_EXECUTE);
			}
		}
		else {
			mode.removeAll(Set.of(PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.GROUP_EXECUTE,
					PosixFilePermission.OTHERS_EXECUTE));
		}
		Files.setPosixFilePermissions(staged, mode);
	}

	// Root writes for whoever owns what is there.
	private static void own(Path path, Path like) throws IOException {
		PosixFileAttributes wanted = Files.readAttributes(like, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
		PosixFileAttributes given = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
		if (!wanted.owner().equals(given.owner())) {
			PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class,
					LinkOption.NOFOLLOW_LINKS);
			view.setGroup(wanted.group());
			view.setOwner(wanted.owner());
		}
	}

	private boolean is(Path path, String mode, String id) throws IOException {
		if (Files.isSymbolicLink(path)) {
			return mode.equals(TreeChange.SYMLINK)
					&& Files.readSymbolicLink(path).equals(HostTree.target(this.store.blob(id)));
		}
		if (mode.equals(TreeChange.SYMLINK) || !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
			return false;
		}
		boolean executable = Files.getPosixFilePermissions(path).contains(PosixFilePermission.OWNER_EXECUTE);
		return executable == mode.equals(TreeChange.EXECUTABLE) && id.equals(idOf(path, id.length()));
	}

	private static String idOf(Path file, int length) throws IOException {
		MessageDigest digest = digest(Files.size(file), length);
		byte[] buffer = new byte[BUFFER];
		try (InputStream input = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
			for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
				digest.update(buffer, 0, count);
			}
		}
		return HexFormat.of().formatHex(digest.digest());
	}

	// A blob's id is the digest of "blob SIZE NUL" and its content; 64 digits are
	// SHA-256.
	private static MessageDigest digest(long size, int length) {
		try {
			MessageDigest digest = MessageDigest.getInstance((length == 64) ? "SHA-256" : "SHA-1");
			digest.update(("blob " + size + "\0").getBytes(StandardCharsets.US_ASCII));
			return digest;
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
