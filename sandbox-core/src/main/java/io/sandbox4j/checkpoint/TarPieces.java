package io.sandbox4j.checkpoint;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveStructSparse;

/**
 * Reads the content of files in a tar stream into a pack. Holes are skipped, not read.
 */
final class TarPieces {

	private final TarInput tar;

	private final PackWriter pack;

	private final CheckpointLimits limits;

	private final byte[] buffer = new byte[Extent.MAX];

	private long bytes;

	TarPieces(TarInput tar, PackWriter pack, CheckpointLimits limits, long bytes) {
		this.tar = tar;
		this.pack = pack;
		this.limits = limits;
		this.bytes = bytes;
	}

	List<Extent> read(TarArchiveEntry entry) throws IOException {
		List<Extent> extents = new ArrayList<>(1);
		if (!entry.isSparse()) {
			read(0, entry.getSize(), extents);
			return extents;
		}
		long position = 0;
		long start = 0;
		for (TarArchiveStructSparse piece : entry.getOrderedSparseHeaders()) {
			if (piece.getNumbytes() > 0) {
				if (piece.getOffset() < position || piece.getOffset() > entry.getRealSize() - piece.getNumbytes()) {
					throw new IOException("The pieces of a file overlap, or are beyond its end");
				}
				// Pieces that touch are one, so that the same file has the same pieces
				// always.
				if (piece.getOffset() > position) {
					read(start, position, extents);
					this.tar.skipNBytes(piece.getOffset() - position);
					start = piece.getOffset();
				}
				position = piece.getOffset() + piece.getNumbytes();
			}
		}
		read(start, position, extents);
		this.tar.skipNBytes(entry.getRealSize() - position);
		return extents;
	}

	private void read(long from, long end, List<Extent> extents) throws IOException {
		long position = from;
		while (position < end) {
			int length = (int) (Math.min(end, (position / Extent.MAX + 1) * Extent.MAX) - position);
			if (this.tar.readNBytes(this.buffer, 0, length) < length) {
				throw new EOFException("The archive ends within a file");
			}
			this.bytes += length;
			this.limits.requireBytes(this.bytes);
			extents.add(new Extent(position, length, this.pack.add(this.buffer, length)));
			position += length;
		}
	}

}
