package io.sandbox4j.checkpoint;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a checkpoint as one archive.
 */
final class ArchiveExport {

	private final Blobs blobs;

	private final CheckpointDocument document;

	private final List<Entry> entries;

	ArchiveExport(Blobs blobs, CheckpointDocument document, List<Entry> entries) {
		this.blobs = blobs;
		this.document = document;
		this.entries = entries;
	}

	void write(OutputStream output) {
		ArchiveHead head = new ArchiveHead(ArchiveHead.FORMAT, this.document.key(), this.document.created(),
				this.document.tree(), this.entries.size(), this.document.bytes());
		try (OutputStream compressed = new BufferedOutputStream(Zstandard.compress(output), 65_536)) {
			TarWriter tar = new TarWriter(compressed, this.blobs, ArchiveHead.WORKSPACE, true);
			tar.addText(ArchiveHead.NAME, JsonMapper.shared().writeValueAsBytes(head));
			for (Entry entry : this.entries) {
				tar.add(entry);
			}
			tar.finish();
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"The archive could not be written. Make room, and export again.", ex);
		}
	}

}
