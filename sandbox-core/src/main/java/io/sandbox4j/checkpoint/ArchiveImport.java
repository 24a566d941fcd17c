package io.sandbox4j.checkpoint;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.checkpoint.CheckpointDocument.Documents;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.jspecify.annotations.Nullable;

/**
 * Reads an archive that anybody may have made. Nothing is written but pieces of content
 * into a pack, so no name leads anywhere; and what a restore would write is refused here
 * unless every name lies in a directory of the archive. Used once.
 */
final class ArchiveImport {

	// Long names, extended headers and maps of holes are read into memory.
	private static final int MAX_HEADERS = 8 << 20;

	private final CheckpointLimits limits;

	private final PackWriter pack;

	private final Map<String, Entry> entries = new HashMap<>();

	ArchiveImport(CheckpointLimits limits, PackWriter pack) {
		this.limits = limits;
		this.pack = pack;
	}

	/**
	 * Reads an archive.
	 * @param archive the archive, as it was exported; not closed
	 * @return what it says of itself, proven to be so but for the key and the time
	 */
	ArchiveHead read(InputStream archive) {
		try {
			BoundedHeaders bounded = new BoundedHeaders(Zstandard.decompress(archive));
			TarInput tar = new TarInput(bounded, TarConstants.DEFAULT_RCDSIZE, bounded::taken);
			ArchiveHead head = head(bounded, tar);
			TarPieces pieces = new TarPieces(tar, this.pack, this.limits, 0);
			for (TarArchiveEntry entry = bounded.next(tar); entry != null; entry = bounded.next(tar)) {
				bounded.inContent();
				add(entry, isRegular(entry) ? pieces.read(entry) : List.of());
			}
			// Up to its checksum.
			bounded.transferTo(OutputStream.nullOutputStream());
			return head;
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"The archive cannot be read: it is cut off, damaged, or none. Nothing was imported.", ex);
		}
	}

	// In the order in which they are kept.
	List<Entry> entries(ArchiveHead head) {
		if (!this.entries.containsKey("") || this.entries.size() != head.entries()) {
			throw Failures.invalid("The archive is not whole. Nothing was imported.");
		}
		return this.entries.values().stream().sorted(Comparator.comparing(Entry::path)).toList();
	}

	private ArchiveHead head(BoundedHeaders bounded, TarInput tar) throws IOException {
		TarArchiveEntry first = bounded.next(tar);
		if (first == null || !first.getName().equals(ArchiveHead.NAME) || !isRegular(first)
				|| first.getSize() > ArchiveHead.MAX) {
			throw Failures.invalid("The archive is no exported checkpoint: it does not start with '" + ArchiveHead.NAME
					+ "'. Nothing was imported.");
		}
		bounded.inContent();
		ArchiveHead head = Documents.read(tar.readNBytes(ArchiveHead.MAX), ArchiveHead.FORMAT, ArchiveHead.class,
				"The archive");
		if (head.key() == null || head.created() == null || head.tree() == null) {
			throw Failures.invalid("'" + ArchiveHead.NAME + "' of the archive is not whole. Nothing was imported.");
		}
		Digest.parse(head.tree());
		return head;
	}

	private void add(TarArchiveEntry read, List<Extent> extents) {
		if (this.entries.size() > this.limits.maxFiles()) {
			throw Failures.limit("The archive has more than the " + this.limits.maxFiles()
					+ " files of 'maxFiles'. Nothing was imported.");
		}
		String path = path(read.getName());
		int mode = read.getMode() & 07777;
		Instant modified = SparseHeader.modified(read);
		Entry entry = entry(read, path, mode, modified, extents);
		Entry parent = path.isEmpty() ? null : this.entries.get(parent(path));
		if (!path.isEmpty() && (parent == null || parent.type() != Entry.Type.DIRECTORY)) {
			throw refused(path, "does not lie in a directory of the archive");
		}
		if (this.entries.put(path, entry) != null) {
			throw refused(path, "is there twice");
		}
	}

	private Entry entry(TarArchiveEntry read, String path, int mode, Instant modified, List<Extent> extents) {
		if (read.getLinkFlag() == TarConstants.LF_DIR) {
			return Entry.directory(path, mode, modified);
		}
		if (path.isEmpty()) {
			throw refused(read.getName(), "is no directory");
		}
		if (read.getLinkFlag() == TarConstants.LF_SYMLINK) {
			if (read.getLinkName().isEmpty() || read.getLinkName().length() > Entry.MAX_PATH
					|| read.getLinkName().indexOf('\0') >= 0) {
				throw refused(path, "is a link to what is no path");
			}
			return Entry.link(path, 0777, modified, read.getLinkName());
		}
		if (read.getLinkFlag() == TarConstants.LF_LINK) {
			String target = path(read.getLinkName());
			Entry file = this.entries.get(target);
			if (file == null || file.type() != Entry.Type.FILE) {
				throw refused(path, "is a hard link to no file of the archive");
			}
			return Entry.hardLink(path, mode, modified, target);
		}
		if (!isRegular(read)) {
			throw refused(path, "is neither a file, a directory nor a link");
		}
		if (read.getRealSize() < 0) {
			throw refused(path, "has an impossible size");
		}
		return Entry.file(path, mode, modified, read.getRealSize(), extents);
	}

	private static boolean isRegular(TarArchiveEntry entry) {
		return entry.getLinkFlag() == TarConstants.LF_NORMAL || entry.getLinkFlag() == TarConstants.LF_OLDNORM
				|| entry.getLinkFlag() == TarConstants.LF_GNUTYPE_SPARSE;
	}

	private static String path(String name) {
		String plain = (name.endsWith("/")) ? name.substring(0, name.length() - 1) : name;
		if (plain.equals(ArchiveHead.WORKSPACE)) {
			return "";
		}
		if (!plain.startsWith(ArchiveHead.WORKSPACE + "/")) {
			throw refused(name, "does not lie in '" + ArchiveHead.WORKSPACE + "'");
		}
		String path = plain.substring(ArchiveHead.WORKSPACE.length() + 1);
		if (path.isEmpty()) {
			throw refused(name, "has no name");
		}
		Entry.requirePath(path);
		return path;
	}

	private static String parent(String path) {
		int slash = path.lastIndexOf('/');
		return (slash >= 0) ? path.substring(0, slash) : "";
	}

	private static SandboxException refused(String path, String why) {
		String shown = Entry.shown(path.substring(0, Math.min(200, path.length())));
		return new SandboxException(ErrorCode.SANDBOX_PATH,
				"The archive was refused: '" + shown + "' " + why + ". Nothing was imported.");
	}

	/**
	 * Lets no header be larger than it may be.
	 */
	private static final class BoundedHeaders extends FilterInputStream {

		private long left = MAX_HEADERS;

		private long taken;

		BoundedHeaders(InputStream input) {
			super(input);
		}

		@Nullable TarArchiveEntry next(TarInput tar) throws IOException {
			this.left = MAX_HEADERS;
			return tar.getNextEntry();
		}

		void inContent() {
			this.left = Long.MAX_VALUE;
		}

		@Override
		public int read() throws IOException {
			int value = super.read();
			count((value >= 0) ? 1 : 0);
			return value;
		}

		@Override
		public int read(byte[] bytes, int offset, int length) throws IOException {
			int count = super.read(bytes, offset, length);
			count(Math.max(count, 0));
			return count;
		}

		@Override
		public long skip(long count) throws IOException {
			long skipped = super.skip(count);
			count(skipped);
			return skipped;
		}

		long taken() {
			return this.taken;
		}

		private void count(long bytes) throws IOException {
			this.left -= bytes;
			this.taken += bytes;
			if (this.left < 0) {
				throw new IOException("A header of the archive is too large");
			}
		}

	}

}
