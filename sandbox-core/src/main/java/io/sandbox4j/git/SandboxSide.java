package io.sandbox4j.git;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
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
		Map<String, Entry> entries = new TreeMap<>();
		int prefix = this.directory.toString().length() + 1;
		try {
			for (FileEntry entry : this.files.walk(this.directory.toString(), most)) {
				entries.put(entry.path().toString().substring(prefix), new Entry(entry.type(), entry.size()));
			}
			return entries;
		}
		catch (SandboxException ex) {
			if (ex.code() == ErrorCode.SANDBOX_NOT_FOUND) {
				return Map.of();
			}
			throw ex;
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
