package io.sandbox4j.agentsandbox;

import java.util.List;
import java.util.Objects;

import io.sandbox4j.ErrorCode;
import org.springaicommunity.sandbox.FileEntry;
import org.springaicommunity.sandbox.FileSpec;
import org.springaicommunity.sandbox.FileType;
import org.springaicommunity.sandbox.Sandbox;
import org.springaicommunity.sandbox.SandboxException;
import org.springaicommunity.sandbox.SandboxFiles;

/**
 * The files of a session. Paths and links are judged by the session alone.
 */
final class SessionSandboxFiles implements SandboxFiles {

	private final Sandbox sandbox;

	private final io.sandbox4j.SandboxFiles files;

	SessionSandboxFiles(Sandbox sandbox, io.sandbox4j.SandboxFiles files) {
		this.sandbox = sandbox;
		this.files = files;
	}

	@Override
	public SandboxFiles create(String relativePath, String content) {
		Objects.requireNonNull(content, "'content' must not be null");
		Failures.translated(() -> this.files.writeText(spelled(relativePath), content));
		return this;
	}

	@Override
	public SandboxFiles createDirectory(String relativePath) {
		Failures.translated(() -> this.files.createDirectories(spelled(relativePath)));
		return this;
	}

	@Override
	public SandboxFiles setup(List<FileSpec> files) {
		files.forEach((file) -> create(file.path(), file.content()));
		return this;
	}

	@Override
	public String read(String relativePath) {
		return Failures.translated(() -> this.files.readText(spelled(relativePath)));
	}

	@Override
	public boolean exists(String relativePath) {
		return Failures.translated(() -> {
			try {
				return this.files.exists(spelled(relativePath));
			}
			catch (io.sandbox4j.SandboxException ex) {
				// The interface knows yes and no only, and what lies outside, behind a
				// link or below a file is nothing that a session has.
				if (ex.code() == ErrorCode.SANDBOX_PATH) {
					return false;
				}
				throw ex;
			}
		});
	}

	@Override
	public List<FileEntry> list(String relativePath) {
		return list(relativePath, 1);
	}

	@Override
	public List<FileEntry> list(String relativePath, int maxDepth) {
		return Failures.translated(() -> this.files.walk(spelled(relativePath), maxDepth)
			.stream()
			.map(SessionSandboxFiles::translated)
			.toList());
	}

	@Override
	public SandboxFiles delete(String relativePath) {
		return delete(relativePath, false);
	}

	@Override
	public SandboxFiles delete(String relativePath, boolean recursive) {
		Failures.translated(() -> {
			String path = spelled(relativePath);
			io.sandbox4j.FileEntry entry = this.files.stat(path);
			// A session removes directories whole: a command that fills this one between
			// the two calls loses what it put there. The root is refused by the session.
			if (!recursive && !entry.path().isRoot() && entry.type() == io.sandbox4j.FileType.DIRECTORY
					&& !this.files.list(path).isEmpty()) {
				throw new SandboxException(
						"'" + entry.path() + "' is a directory that is not empty. Delete it recursively.");
			}
			if (!this.files.remove(path)) {
				throw new SandboxException("'" + entry.path() + "' does not exist: something else removed it.");
			}
		});
		return this;
	}

	@Override
	public Sandbox and() {
		return this.sandbox;
	}

	/**
	 * Takes away the {@code ./} and the trailing slashes that callers of this interface
	 * may write and that a session, which knows one spelling, refuses. What is left is
	 * for the session to judge.
	 * @param path what the caller wrote
	 * @return the path without them
	 */
	private static String spelled(String path) {
		String spelled = Objects.requireNonNull(path, "'relativePath' must not be null");
		// Not before a slash: what is left would be an absolute path, and another file.
		while (spelled.startsWith("./") && spelled.length() > 2 && spelled.charAt(2) != '/') {
			spelled = spelled.substring(2);
		}
		while (spelled.endsWith("/") && spelled.length() > 1) {
			spelled = spelled.substring(0, spelled.length() - 1);
		}
		return spelled;
	}

	// A link, a pipe, a socket and a device are files here: the interface has no other
	// word, and they must not look like something to descend into.
	private static FileEntry translated(io.sandbox4j.FileEntry entry) {
		List<String> segments = entry.path().segments();
		FileType type = (entry.type() == io.sandbox4j.FileType.DIRECTORY) ? FileType.DIRECTORY : FileType.FILE;
		return new FileEntry(segments.get(segments.size() - 1), type, entry.path().relative(), entry.size(),
				entry.modified());
	}

}
