package io.sandbox4j.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.util.List;
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

	private final TarArchiveOutputStream tar;

	private final Blobs blobs;

	private final String prefix;

	/**
	 * Creates a writer.
	 * @param output where the stream goes
	 * @param blobs where the content is
	 * @param prefix the name of the workspace in the archive
	 */
	TarWriter(OutputStream output, Blobs blobs, String prefix) {
		this.tar = new TarArchiveOutputStream(output, StandardCharsets.ISO_8859_1.name());
		this.tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
		this.tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_STAR);
		this.blobs = blobs;
		this.prefix = prefix;
	}

	void add(Entry entry) throws IOException {
		switch (entry.type()) {
			case DIRECTORY -> write(entry, header(entry, TarConstants.LF_DIR, name(entry.path()) + "/"), "");
			case LINK -> {
				TarArchiveEntry header = header(entry, TarConstants.LF_SYMLINK, name(entry.path()));
				header.setLinkName(entry.target());
				write(entry, header, "");
			}
			case HARD_LINK -> {
				TarArchiveEntry header = header(entry, TarConstants.LF_LINK, name(entry.path()));
				header.setLinkName(name(entry.target()));
				write(entry, header, "");
			}
			case FILE -> addFile(entry);
		}
	}

	void addText(String name, byte[] content) throws IOException {
		TarArchiveEntry header = new TarArchiveEntry(name);
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

	private void write(Entry entry, TarArchiveEntry header, String extended) throws IOException {
		String records = extended + time(entry);
		if (!records.isEmpty()) {
			byte[] bytes = records.getBytes(StandardCharsets.ISO_8859_1);
			TarArchiveEntry pax = new TarArchiveEntry("PaxHeaders/entry", TarConstants.LF_PAX_EXTENDED_HEADER_LC);
			pax.setSize(bytes.length);
			this.tar.putArchiveEntry(pax);
			this.tar.write(bytes);
			this.tar.closeArchiveEntry();
		}
		this.tar.putArchiveEntry(header);
		if (entry.type() != Entry.Type.FILE) {
			this.tar.closeArchiveEntry();
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
		if (entry.bytes() == entry.size()) {
			header.setSize(entry.size());
			write(entry, header, "");
		}
		else {
			byte[] map = map(entry);
			header.setSize(map.length + entry.bytes());
			write(entry, header, record("GNU.sparse.major", "1") + record("GNU.sparse.minor", "0")
					+ record("GNU.sparse.realsize", String.valueOf(entry.size())));
			this.tar.write(map);
		}
		for (Extent extent : entry.extents()) {
			byte[] content = this.blobs.read(extent.digest());
			if (content.length != extent.length()) {
				throw Failures.damaged("a piece of '" + Entry.shown(entry.path()) + "' has another length");
			}
			this.tar.write(content);
		}
		this.tar.closeArchiveEntry();
	}

	// An empty piece at the end says that the file ends with a hole.
	private static byte[] map(Entry entry) {
		List<Extent> extents = entry.extents();
		StringBuilder pieces = new StringBuilder();
		int count = 0;
		for (int i = 0; i < extents.size(); i++) {
			long start = extents.get(i).offset();
			long end = extents.get(i).end();
			while (i + 1 < extents.size() && extents.get(i + 1).offset() == end) {
				i++;
				end = extents.get(i).end();
			}
			pieces.append(start).append('\n').append(end - start).append('\n');
			count++;
		}
		if (extents.isEmpty() || extents.get(extents.size() - 1).end() < entry.size()) {
			pieces.append(entry.size()).append("\n0\n");
			count++;
		}
		ByteArrayOutputStream map = new ByteArrayOutputStream();
		map.writeBytes((count + "\n" + pieces).getBytes(StandardCharsets.ISO_8859_1));
		map.writeBytes(new byte[(BLOCK - map.size() % BLOCK) % BLOCK]);
		return map.toByteArray();
	}

	void finish() throws IOException {
		this.tar.finish();
		this.tar.flush();
	}

}
