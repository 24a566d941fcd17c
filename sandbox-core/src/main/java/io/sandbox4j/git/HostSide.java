package io.sandbox4j.git;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

import io.sandbox4j.FileType;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;

/**
 * The directory of a handoff on the host.
 */
final class HostSide implements HandoffSide {

	private final Path directory;

	HostSide(Path directory) {
		this.directory = directory;
	}

	@Override
	public Map<String, Entry> list(int most) throws IOException {
		Map<String, Entry> entries = new TreeMap<>();
		if (Files.exists(this.directory, LinkOption.NOFOLLOW_LINKS)) {
			try (HostDirectory root = HostDirectory.open(this.directory)) {
				list(root, "", most, entries);
			}
		}
		return entries;
	}

	private static void list(HostDirectory directory, String prefix, int most, Map<String, Entry> entries)
			throws IOException {
		for (String name : directory.names()) {
			PosixFileAttributes attributes = directory.attributes(name);
			if (attributes == null || (prefix.isEmpty() && name.startsWith(HostDirectory.TEMPORARY))) {
				continue;
			}
			String path = prefix + HostTree.shown(name);
			entries.put(path, new Entry(type(name, attributes), attributes.size()));
			if (attributes.isDirectory() && most > 1) {
				try (HostDirectory child = directory.child(name)) {
					list(child, path + "/", most - 1, entries);
				}
			}
		}
	}

	private static FileType type(String name, PosixFileAttributes attributes) {
		if (!isCarried(name)) {
			return FileType.OTHER;
		}
		if (attributes.isDirectory()) {
			return FileType.DIRECTORY;
		}
		return attributes.isRegularFile() ? FileType.FILE
				: (attributes.isSymbolicLink() ? FileType.SYMLINK : FileType.OTHER);
	}

	private static boolean isCarried(String name) {
		try {
			byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
			WorkspacePath.parse("/workspace/handoff")
				.child(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
			return true;
		}
		catch (CharacterCodingException | SandboxException ex) {
			return false;
		}
	}

	@Override
	public byte[] read(String path, int most) throws IOException {
		String[] names = names(path);
		return in(names, false, (root, parent) -> parent.read(names[names.length - 1], most));
	}

	@Override
	public void write(String path, byte[] content) throws IOException {
		String[] names = names(path);
		in(names, true, (root, parent) -> {
			parent.write(root, names[names.length - 1], content);
			return content;
		});
	}

	// What a sync that was killed left behind. Nobody else may write meanwhile.
	void prepare() throws IOException {
		Files.createDirectories(this.directory);
		try (HostDirectory root = HostDirectory.open(this.directory)) {
			root.deleteTemporary();
		}
	}

	private static String[] names(String path) {
		return new String(path.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1).split("/");
	}

	private byte[] in(String[] names, boolean make, Action action) throws IOException {
		Deque<HostDirectory> open = new ArrayDeque<>();
		try {
			HostDirectory root = HostDirectory.open(this.directory);
			open.push(root);
			for (int i = 0; i < names.length - 1; i++) {
				HostDirectory parent = open.element();
				open.push(make ? parent.childOrNew(root, this.directory, names[i]) : parent.child(names[i]));
			}
			return action.on(root, open.element());
		}
		finally {
			for (HostDirectory directory : open) {
				directory.close();
			}
		}
	}

	/**
	 * What is done in a directory.
	 */
	private interface Action {

		byte[] on(HostDirectory root, HostDirectory parent) throws IOException;

	}

}
