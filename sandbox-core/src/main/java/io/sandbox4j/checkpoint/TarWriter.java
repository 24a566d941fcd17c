package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * Writes entries as a tar stream that GNU tar reads: names as their bytes, times to the
 * nanosecond, holes as holes.
 */
final class TarWriter {

	private static final int BLOCK = 512;

	private final OutputStream output;

	private final TarArchiveOutputStream tar;

	private final Blobs blobs;

	private final String prefix;

	private final boolean archive;

	/**
	 * Creates a writer.
	 * @param output where the stream goes
	 * @param blobs where the content is
	 * @param prefix the name of the workspace in the archive
	 * @param archive whether the stream is one that an import reads
	 */
	TarWriter(OutputStream output, Blobs blobs, String prefix, boolean archive) {
		this.output = output;
		this.tar = new TarArchiveOutputStream(output, StandardCharsets.ISO_8859_1.name());
		this.tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
		this.tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_STAR);
		this.blobs = blobs;
		this.prefix = prefix;
		this.archive = archive;
	}

	void add(Entry entry) throws IOException {
		switch (entry.type()) {
			case DIRECTORY -> write(entry, header(entry, TarConstants.LF_DIR, name(entry.path()) + "/"));
			case LINK -> {
				TarArchiveEntry header = header(entry, TarConstants.LF_SYMLINK, name(entry.path()));
				header.setLinkName(entry.target());
				write(entry, header);
			}
			case HARD_LINK -> {
				TarArchiveEntry header = header(entry, TarConstants.LF_LINK, name(entry.path()));
				header.setLinkName(name(entry.target()));
				write(entry, header);
			}
			case FILE -> addFile(entry);
		}
	}

	void addText(String name, byte[] content) throws IOException {
		addText(name, TarConstants.LF_NORMAL, content);
	}

	private void addText(String name, byte type, byte[] content) throws IOException {
		TarArchiveEntry header = new TarArchiveEntry(name, type);
		header.setSize(content.length);
		this.tar.putArchiveEntry(header);
		this.tar.write(content);
		this.tar.closeArchiveEntry();
	}

	private String name(String path) {
		return path.isEmpty() ? this.prefix : this.prefix + "/" + path;
	}

	private static TarArchiveEntry header(Entry entry, byte type, String name) {
		TarArchiveEntry header = new TarArchiveEntry(name, type, true);
		header.setMode(entry.mode());
		header.setIds(0, 0);
		header.setLastModifiedTime(FileTime.from(entry.modified().getEpochSecond(), TimeUnit.SECONDS));
		return header;
	}

	private void write(Entry entry, TarArchiveEntry header) throws IOException {
		writeTime(entry);
		this.tar.putArchiveEntry(header);
		if (entry.type() != Entry.Type.FILE) {
			this.tar.closeArchiveEntry();
		}
	}

	private void writeTime(Entry entry) throws IOException {
		String records = time(entry);
		if (!records.isEmpty()) {
			addText("PaxHeaders/entry", TarConstants.LF_PAX_EXTENDED_HEADER_LC,
					records.getBytes(StandardCharsets.ISO_8859_1));
		}
	}

	private static String time(Entry entry) {
		long seconds = entry.modified().getEpochSecond();
		int nanos = entry.modified().getNano();
		if (nanos == 0) {
			return "";
		}
		boolean before = seconds < 0;
		long whole = before ? -(seconds + 1) : seconds;
		int rest = before ? 1_000_000_000 - nanos : nanos;
		return record("mtime", (before ? "-" : "") + whole + String.format(".%09d", rest));
	}

	// The length counts its own digits.
	private static String record(String key, String value) {
		int rest = key.length() + value.length() + 3;
		int length = rest + String.valueOf(rest).length();
		if (String.valueOf(length).length() > String.valueOf(rest).length()) {
			length++;
		}
		return length + " " + key + "=" + value + "\n";
	}

	private void addFile(Entry entry) throws IOException {
		TarArchiveEntry header = header(entry, TarConstants.LF_NORMAL, name(entry.path()));
		if (entry.bytes() != entry.size()) {
			addSparse(entry, header);
			return;
		}
		header.setSize(entry.size());
		write(entry, header);
		for (Extent extent : entry.extents()) {
			this.tar.write(content(entry, extent));
		}
		this.tar.closeArchiveEntry();
	}

	// The library reads holes and writes none. Between two entries nothing is in its
	// buffers. It reads a file with holes wrong behind an extended header; so the
	// fraction
	// of a second is elsewhere, where GNU tar does not find it.
	private void addSparse(Entry entry, TarArchiveEntry header) throws IOException {
		if (!this.archive) {
			writeTime(entry);
		}
		byte[] name = header.getName().getBytes(StandardCharsets.ISO_8859_1);
		if (name.length >= TarConstants.NAMELEN) {
			addText(TarConstants.GNU_LONGLINK, TarConstants.LF_GNUTYPE_LONGNAME, Arrays.copyOf(name, name.length + 1));
		}
		header.setSize(entry.bytes());
		this.tar.flush();
		this.output.write(SparseHeader.encode(header, entry));
		for (Extent extent : entry.extents()) {
			this.output.write(content(entry, extent));
		}
		this.output.write(new byte[(int) ((BLOCK - entry.bytes() % BLOCK) % BLOCK)]);
	}

	private byte[] content(Entry entry, Extent extent) {
		byte[] content = this.blobs.read(extent.digest());
		if (content.length != extent.length()) {
			throw Failures.damaged("a piece of '" + Entry.shown(entry.path()) + "' has another length");
		}
		return content;
	}

	void finish() throws IOException {
		this.tar.finish();
		this.tar.flush();
	}

}
