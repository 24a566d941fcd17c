package io.sandbox4j.git;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.WorkspacePath;

/**
 * The directory of a handoff in the workspace, which the contract's files contain.
 */
final class SandboxSide implements HandoffSide {

	private final SandboxFiles files;

	private final WorkspacePath directory;

	SandboxSide(SandboxFiles files, WorkspacePath directory) {
		this.files = files;
		this.directory = directory;
	}

	void create() {
		this.files.createDirectories(this.directory.toString());
	}

	@Override
	public Map<String, Entry> list(int most) {
		NavigableMap<String, Entry> entries = new TreeMap<>();
		int prefix = this.directory.toString().length() + 1;
		try {
			for (FileEntry entry : this.files.walk(this.directory.toString(), most)) {
				entries.put(entry.path().toString().substring(prefix), new Entry(entry.type(), entry.size()));
			}
			requireReadable(entries);
			return entries;
		}
		catch (SandboxException ex) {
			if (ex.code() == ErrorCode.SANDBOX_NOT_FOUND) {
				return Map.of();
			}
			throw ex;
		}
	}

	// A walk leaves out what is below a directory that it cannot read, and that is not
	// the same as an empty one.
	private void requireReadable(NavigableMap<String, Entry> entries) {
		entries.forEach((path, entry) -> {
			String below = entries.higherKey(path + "/");
			boolean childless = below == null || !below.startsWith(path + "/");
			if (entry.type() == FileType.DIRECTORY && childless) {
				requireReadable(path);
			}
		});
	}

	private void requireReadable(String path) {
		try {
			this.files.list(this.directory + "/" + path);
		}
		catch (SandboxException ex) {
			if (ex.code() != ErrorCode.SANDBOX_NOT_FOUND) {
				throw ex;
			}
		}
	}

	@Override
	public byte[] read(String path, int most) throws IOException {
		try (InputStream content = this.files.open(this.directory + "/" + path)) {
			return content.readNBytes(most);
		}
	}

	@Override
	public void write(String path, byte[] content) {
		this.files.write(this.directory + "/" + path, new ByteArrayInputStream(content));
	}

}
