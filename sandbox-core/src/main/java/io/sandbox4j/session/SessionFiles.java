package io.sandbox4j.session;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileScan;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.WorkspacePath;

/**
 * The files of every backend: paths, limits, text and events over a driver's files.
 */
final class SessionFiles implements SandboxFiles {

	private static final char REPLACEMENT = '\uFFFD';

	private final String sessionId;

	private final SandboxDriver driver;

	private final SessionLimits limits;

	private final SessionResources resources;

	private final Admission admission;

	SessionFiles(String sessionId, SandboxDriver driver, SessionLimits limits, SessionResources resources,
			Admission admission) {
		this.sessionId = sessionId;
		this.driver = driver;
		this.limits = limits;
		this.resources = resources;
		this.admission = admission;
	}

	@Override
	public byte[] read(String path) {
		return operation("read", () -> readWhole(WorkspacePath.parse(path)));
	}

	@Override
	public String readText(String path) {
		return operation("read", () -> {
			WorkspacePath file = WorkspacePath.parse(path);
			byte[] bytes = readWhole(file);
			String text = new String(bytes, StandardCharsets.UTF_8);
			if (text.indexOf(REPLACEMENT) < 0) {
				return text;
			}
			// In the file itself, or in the place of what is not UTF-8.
			try {
				return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
			}
			catch (CharacterCodingException ex) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID,
						"'" + file + "' is not UTF-8 text. Read its bytes instead.", ex);
			}
		});
	}

	private byte[] readWhole(WorkspacePath file) {
		try (InputStream stream = opened(file)) {
			// One more than allowed tells too large from just fitting, whatever 'stat'
			// said.
			int most = (int) Math.min(this.limits.maxReadBytes(), Integer.MAX_VALUE - 16) + 1;
			byte[] bytes = stream.readNBytes(most);
			if (bytes.length == most) {
				throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "'" + file + "' is larger than "
						+ this.limits.maxReadBytes() + " bytes. Open it as a stream, or raise the read limit.");
			}
			return bytes;
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, "'" + file + "' could not be read.");
		}
	}

	@Override
	public InputStream open(String path) {
		return operation("open", () -> opened(WorkspacePath.parse(path)));
	}

	private InputStream opened(WorkspacePath file) {
		SandboxDriver.Files files = this.driver.files();
		return this.admission.undisturbed(() -> files.openUndisturbed(file), () -> files.open(file));
	}

	@Override
	public void write(String path, byte[] content) {
		Objects.requireNonNull(content, "'content' must not be null");
		change("write", () -> {
			WorkspacePath file = fileAt(path);
			requireWritable(file, content);
			this.driver.files().write(file, new ByteArrayInputStream(content), this.limits.maxWriteBytes());
			return file;
		});
	}

	@Override
	public void writeText(String path, String content) {
		try {
			ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(content));
			byte[] copy = new byte[bytes.remaining()];
			bytes.get(copy);
			write(path, copy);
		}
		catch (CharacterCodingException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "The content is not well-formed Unicode.", ex);
		}
	}

	@Override
	public void write(String path, InputStream content) {
		Objects.requireNonNull(content, "'content' must not be null");
		change("write", () -> {
			WorkspacePath file = fileAt(path);
			this.driver.files().write(file, content, this.limits.maxStreamBytes());
			return file;
		});
	}

	@Override
	public void create(String path, byte[] content) {
		Objects.requireNonNull(content, "'content' must not be null");
		change("create", () -> {
			WorkspacePath file = fileAt(path);
			requireWritable(file, content);
			this.driver.files().create(file, new ByteArrayInputStream(content), this.limits.maxWriteBytes());
			return file;
		});
	}

	private void requireWritable(WorkspacePath file, byte[] content) {
		if (content.length > this.limits.maxWriteBytes()) {
			throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "The content for '" + file + "' is larger than "
					+ this.limits.maxWriteBytes() + " bytes. Write it from a stream, or raise the write limit.");
		}
	}

	@Override
	public void createDirectories(String path) {
		change("mkdir", () -> {
			WorkspacePath directory = WorkspacePath.parse(path);
			this.driver.files().createDirectories(directory);
			return directory;
		});
	}

	@Override
	public void setExecutable(String path, boolean executable) {
		change("chmod", () -> {
			WorkspacePath file = fileAt(path);
			this.driver.files().setExecutable(file, executable);
			return file;
		});
	}

	@Override
	public boolean remove(String path) {
		return change("remove", () -> this.driver.files().remove(notRoot(path, "removed")));
	}

	@Override
	public void move(String source, String target) {
		change("move", () -> {
			WorkspacePath from = notRoot(source, "moved");
			this.driver.files().move(from, notRoot(target, "replaced"));
			return from;
		});
	}

	@Override
	public FileEntry stat(String path) {
		return operation("stat", () -> this.driver.files().stat(WorkspacePath.parse(path)));
	}

	@Override
	public boolean exists(String path) {
		try {
			stat(path);
			return true;
		}
		catch (SandboxException ex) {
			if (ex.code() == ErrorCode.SANDBOX_NOT_FOUND) {
				return false;
			}
			throw ex;
		}
	}

	@Override
	public List<FileEntry> list(String path) {
		return operation("list", () -> this.driver.files().list(WorkspacePath.parse(path), this.limits.maxEntries()));
	}

	@Override
	public List<FileEntry> walk(String path, int maxDepth) {
		if (maxDepth < 1) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'maxDepth' must be at least 1.");
		}
		return operation("walk", () -> {
			WorkspacePath root = WorkspacePath.parse(path);
			List<FileEntry> found = new ArrayList<>();
			collect(this.driver.files().list(root, this.limits.maxEntries()), maxDepth, found);
			return found;
		});
	}

	@Override
	public void scan(String path, FileScan<?> scan) {
		Objects.requireNonNull(scan, "'scan' must not be null");
		operation("scan", () -> {
			WorkspacePath root = WorkspacePath.parse(path);
			this.driver.files().scan(root, scan, this.limits.maxEntries());
			return root;
		});
	}

	private void collect(List<FileEntry> entries, int depth, List<FileEntry> found) {
		for (FileEntry entry : entries) {
			if (found.size() == this.limits.maxEntries()) {
				throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "There are more than " + this.limits.maxEntries()
						+ " entries. Walk a smaller directory, or raise the entry limit.");
			}
			found.add(entry);
			if (entry.type() == FileType.DIRECTORY && depth > 1) {
				collect(childrenOf(entry), depth - 1, found);
			}
		}
	}

	private List<FileEntry> childrenOf(FileEntry directory) {
		try {
			return this.driver.files().list(directory.path(), this.limits.maxEntries());
		}
		catch (SandboxException ex) {
			// The guest removed it, or put something else in its place, after it was
			// listed.
			if (ex.code() == ErrorCode.SANDBOX_NOT_FOUND || ex.code() == ErrorCode.SANDBOX_PATH) {
				return List.of();
			}
			throw ex;
		}
	}

	private static WorkspacePath fileAt(String path) {
		WorkspacePath parsed = WorkspacePath.parse(path);
		if (parsed.isRoot()) {
			throw new SandboxException(ErrorCode.SANDBOX_PATH,
					"The workspace root is a directory. Name a file such as 'src/app.py'.");
		}
		return parsed;
	}

	private static WorkspacePath notRoot(String path, String what) {
		WorkspacePath parsed = WorkspacePath.parse(path);
		if (parsed.isRoot()) {
			throw new SandboxException(ErrorCode.SANDBOX_PATH,
					"The workspace root cannot be " + what + ". Name an entry below it.");
		}
		return parsed;
	}

	private <T> T change(String name, Supplier<T> change) {
		return operation(name, () -> {
			this.driver.ensureOwned();
			return change.get();
		});
	}

	private <T> T operation(String name, Supplier<T> operation) {
		try {
			this.admission.awaitEnds();
			T value = operation.get();
			this.resources.publish(new SandboxEvent.FileOperation(this.sessionId, name, "success"));
			return value;
		}
		catch (SandboxException ex) {
			this.resources.publish(new SandboxEvent.FileOperation(this.sessionId, name, ex.code().name()));
			throw ex;
		}
	}

}
