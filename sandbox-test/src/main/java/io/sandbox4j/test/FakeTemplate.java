package io.sandbox4j.test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.WorkspacePath;

/**
 * A stored template.
 *
 * @param backend the name of the backend that it belongs to
 * @param key its key, over the backend's name, its name, its paths and its content
 * @param files its files
 */
record FakeTemplate(String backend, String key, FakeWorkspace files) {

	static FakeTemplate of(String backend, SandboxTemplate template) {
		FakeWorkspace files = new FakeWorkspace();
		Path directory = template.directory();
		if (directory != null) {
			copy(directory, files);
		}
		template.files()
			.forEach((path, content) -> files.put(WorkspacePath.parse(path), content.bytes(), content.executable()));
		MessageDigest digest = sha256();
		update(digest, backend.getBytes(StandardCharsets.UTF_8));
		update(digest, template.name().getBytes(StandardCharsets.UTF_8));
		digest(digest, files, WorkspacePath.parse("."));
		return new FakeTemplate(backend, HexFormat.of().formatHex(digest.digest()), files);
	}

	private static void copy(Path directory, FakeWorkspace files) {
		try (Stream<Path> tree = Files.walk(directory)) {
			for (Path entry : (Iterable<Path>) tree.filter((path) -> !path.equals(directory))::iterator) {
				WorkspacePath path = WorkspacePath.parse(directory.relativize(entry).toString());
				if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
					files.put(path, Files.readAllBytes(entry), Files.isExecutable(entry));
				}
				else if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
					files.createDirectories(path);
				}
				else {
					throw new SandboxException(ErrorCode.SANDBOX_INVALID, "The template directory has '"
							+ path.relative() + "', which is no file or directory; the fake has nothing else.");
				}
			}
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"The template directory '" + directory + "' cannot be read.", ex);
		}
	}

	private static void digest(MessageDigest digest, FakeWorkspace files, WorkspacePath directory) {
		List<FileEntry> entries = files.list(directory, Integer.MAX_VALUE);
		for (FileEntry entry : entries) {
			update(digest, entry.path().relative().getBytes(StandardCharsets.UTF_8));
			if (entry.type() == FileType.FILE) {
				digest.update((byte) (entry.executable() ? 'x' : 'f'));
				update(digest, read(files, entry.path()));
			}
			else {
				digest.update((byte) 'd');
				digest(digest, files, entry.path());
			}
		}
	}

	private static byte[] read(FakeWorkspace files, WorkspacePath path) {
		try {
			return files.open(path).readAllBytes();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	// The length first, so that no two lists of values read alike.
	private static void update(MessageDigest digest, byte[] value) {
		digest.update((value.length + ":").getBytes(StandardCharsets.US_ASCII));
		digest.update(value);
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
