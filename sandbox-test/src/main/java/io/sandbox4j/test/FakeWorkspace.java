package io.sandbox4j.test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * A workspace in memory: files and directories, no links. Thread-safe.
 */
final class FakeWorkspace implements SandboxDriver.Files {

	private final Directory root;

	FakeWorkspace() {
		this(new Directory());
	}

	private FakeWorkspace(Directory root) {
		this.root = root;
	}

	synchronized FakeWorkspace copy() {
		return new FakeWorkspace(copy(this.root));
	}

	private static Directory copy(Directory directory) {
		Directory copy = new Directory();
		directory.children
			.forEach((name, node) -> copy.children.put(name, (node instanceof Directory child) ? copy(child) : node));
		return copy;
	}

	synchronized void put(WorkspacePath path, byte[] bytes, boolean executable) {
		parent(path, true).put(path, new Content(bytes, executable, Instant.now()));
	}

	@Override
	public synchronized InputStream open(WorkspacePath path) {
		return new ByteArrayInputStream(content(path).bytes());
	}

	@Override
	public void write(WorkspacePath path, InputStream content, long maxBytes) {
		byte[] bytes = readAll(path, content, maxBytes);
		synchronized (this) {
			Node replaced = parent(path, true).get(path);
			put(path, bytes, replaced instanceof Content old && old.executable());
		}
	}

	@Override
	public void create(WorkspacePath path, InputStream content, long maxBytes) {
		byte[] bytes = readAll(path, content, maxBytes);
		synchronized (this) {
			if (parent(path, true).get(path) != null) {
				throw refused(path, "exists already; it is not replaced");
			}
			put(path, bytes, false);
		}
	}

	private static byte[] readAll(WorkspacePath path, InputStream content, long maxBytes) {
		try {
			int most = (int) Math.min(maxBytes, Integer.MAX_VALUE - 16) + 1;
			byte[] bytes = content.readNBytes(most);
			if (bytes.length == most) {
				throw new SandboxException(ErrorCode.SANDBOX_LIMIT,
						"The content for '" + path + "' is larger than " + maxBytes + " bytes. Nothing was changed.");
			}
			return bytes;
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"The content for '" + path + "' could not be read. Nothing was changed.", ex);
		}
	}

	@Override
	public synchronized void createDirectories(WorkspacePath path) {
		directory(path, path.segments(), true);
	}

	@Override
	public synchronized void setExecutable(WorkspacePath path, boolean executable) {
		Content old = content(path);
		parent(path, false).put(path, new Content(old.bytes(), executable, old.modified()));
	}

	@Override
	public synchronized boolean remove(WorkspacePath path) {
		try {
			return parent(path, false).children.remove(name(path)) != null;
		}
		catch (SandboxException ex) {
			if (ex.code() == ErrorCode.SANDBOX_NOT_FOUND) {
				return false;
			}
			throw ex;
		}
	}

	@Override
	public synchronized void move(WorkspacePath source, WorkspacePath target) {
		int depth = source.segments().size();
		if (depth <= target.segments().size() && target.segments().subList(0, depth).equals(source.segments())) {
			throw refused(target, "is '" + source + "' or lies in it; nothing can be moved into itself");
		}
		Node moved = find(source);
		Node replaced = parent(target, true).get(target);
		if (replaced instanceof Directory) {
			throw refused(target, "is a directory; it is not replaced");
		}
		if (replaced != null && moved instanceof Directory) {
			throw refused(target, "is not a directory; a directory does not replace it");
		}
		parent(source, false).children.remove(name(source));
		parent(target, false).children.put(name(target), moved);
	}

	@Override
	public synchronized FileEntry stat(WorkspacePath path) {
		return entry(path, find(path));
	}

	@Override
	public synchronized List<FileEntry> list(WorkspacePath path, int limit) {
		Directory directory = directory(path, path.segments(), false);
		if (directory.children.size() > limit) {
			throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "'" + path + "' has more than " + limit
					+ " entries. List a smaller directory, or raise the entry limit.");
		}
		List<FileEntry> entries = new ArrayList<>();
		directory.children.forEach((name, node) -> entries.add(entry(path.child(name), node)));
		return entries;
	}

	private static FileEntry entry(WorkspacePath path, Node node) {
		return (node instanceof Content file)
				? new FileEntry(path, FileType.FILE, file.bytes().length, file.modified(), file.executable())
				: new FileEntry(path, FileType.DIRECTORY, 0, node.modified(), false);
	}

	private Node find(WorkspacePath path) {
		if (path.isRoot()) {
			return this.root;
		}
		Node node = parent(path, false).get(path);
		if (node == null) {
			throw notFound(path);
		}
		return node;
	}

	private Content content(WorkspacePath path) {
		if (find(path) instanceof Content file) {
			return file;
		}
		throw refused(path, "is a directory, not a regular file");
	}

	private Directory parent(WorkspacePath path, boolean make) {
		return directory(path, path.segments().subList(0, path.segments().size() - 1), make);
	}

	private Directory directory(WorkspacePath path, List<String> segments, boolean make) {
		Directory directory = this.root;
		for (String segment : segments) {
			Node child = directory.children.get(segment);
			if (child == null && !make) {
				throw notFound(path);
			}
			if (child instanceof Content) {
				throw refused(path, "is, or lies below, a regular file, which is not a directory");
			}
			directory = (child instanceof Directory found) ? found : directory.make(segment);
		}
		return directory;
	}

	private static String name(WorkspacePath path) {
		return path.segments().get(path.segments().size() - 1);
	}

	private static SandboxException notFound(WorkspacePath path) {
		return new SandboxException(ErrorCode.SANDBOX_NOT_FOUND,
				"'" + path + "' does not exist. List its directory to see what does.");
	}

	private static SandboxException refused(WorkspacePath path, String why) {
		return new SandboxException(ErrorCode.SANDBOX_PATH, "'" + path + "' " + why + ".");
	}

	private sealed interface Node {

		Instant modified();

	}

	private record Content(byte[] bytes, boolean executable, Instant modified) implements Node {

	}

	private static final class Directory implements Node {

		private final TreeMap<String, Node> children = new TreeMap<>();

		private final Instant modified = Instant.now();

		@Override
		public Instant modified() {
			return this.modified;
		}

		@Nullable Node get(WorkspacePath path) {
			return this.children.get(name(path));
		}

		void put(WorkspacePath path, Content content) {
			if (get(path) instanceof Directory) {
				throw refused(path, "is a directory, not a regular file");
			}
			this.children.put(name(path), content);
		}

		Directory make(String name) {
			Directory directory = new Directory();
			this.children.put(name, directory);
			return directory;
		}

	}

}
