package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarUtils;
import org.apache.commons.compress.archivers.zip.ZipEncodingHelper;

/**
 * The header of a file with holes in GNU tar's own format. The library that reads it
 * writes none, and knows no more than 2 GiB in the later formats.
 */
final class SparseHeader {

	private static final int BLOCK = 512;

	private static final int CHECKSUM = 148;

	private static final int TYPE = 156;

	private static final int MAGIC = 257;

	private static final int ACCESSED = 345;

	private static final int PIECES = 386;

	private static final int PIECES_IN_HEADER = 4;

	private static final int MORE = 482;

	private static final int REAL_SIZE = 483;

	private static final int PIECES_IN_BLOCK = 21;

	private static final int MORE_IN_BLOCK = 504;

	private static final int NUMBER = 12;

	private SparseHeader() {
	}

	/**
	 * Tells when a file was modified. Nobody keeps when one was read, so that the place
	 * of that has the fraction.
	 * @param header a header that was read
	 * @return the time
	 */
	static Instant modified(TarArchiveEntry header) {
		Instant modified = header.getLastModifiedTime().toInstant();
		FileTime fraction = header.getLastAccessTime();
		return (header.isOldGNUSparse() && fraction != null)
				? modified.plusNanos(fraction.to(TimeUnit.SECONDS) % 1_000_000_000) : modified;
	}

	/**
	 * Encodes a header.
	 * @param header what the library knows to write
	 * @param entry the file
	 * @return the header and whatever blocks its pieces need
	 */
	static byte[] encode(TarArchiveEntry header, Entry entry) {
		List<Piece> pieces = pieces(entry);
		int blocks = (Math.max(0, pieces.size() - PIECES_IN_HEADER) + PIECES_IN_BLOCK - 1) / PIECES_IN_BLOCK;
		ByteBuffer bytes = ByteBuffer.allocate(BLOCK * (1 + blocks));
		byte[] first = new byte[BLOCK];
		try {
			header.writeEntryHeader(first, ZipEncodingHelper.getZipEncoding(StandardCharsets.ISO_8859_1), true);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		// What comes after this in a POSIX header is something else in GNU's.
		bytes.put(first, 0, MAGIC).put("ustar  \0".getBytes(StandardCharsets.US_ASCII));
		bytes.put(TYPE, (byte) 'S');
		number(bytes, ACCESSED, entry.modified().getNano());
		write(bytes, PIECES, pieces, 0, PIECES_IN_HEADER);
		bytes.put(MORE, (byte) ((blocks > 0) ? 1 : 0));
		number(bytes, REAL_SIZE, entry.size());
		for (int block = 0; block < blocks; block++) {
			int start = BLOCK * (1 + block);
			write(bytes, start, pieces, PIECES_IN_HEADER + block * PIECES_IN_BLOCK, PIECES_IN_BLOCK);
			bytes.put(start + MORE_IN_BLOCK, (byte) ((block < blocks - 1) ? 1 : 0));
		}
		byte[] encoded = bytes.array();
		sum(encoded);
		return encoded;
	}

	// Pieces that touch are one. An empty one at the end says that the file ends with a
	// hole.
	private static List<Piece> pieces(Entry entry) {
		List<Piece> pieces = new ArrayList<>();
		long start = 0;
		long end = 0;
		for (Extent extent : entry.extents()) {
			if (extent.offset() != end) {
				if (end > start) {
					pieces.add(new Piece(start, end - start));
				}
				start = extent.offset();
			}
			end = extent.end();
		}
		if (end > start) {
			pieces.add(new Piece(start, end - start));
		}
		if (end < entry.size()) {
			pieces.add(new Piece(entry.size(), 0));
		}
		return pieces;
	}

	private static void write(ByteBuffer bytes, int start, List<Piece> pieces, int from, int count) {
		int position = start;
		for (Piece piece : pieces.subList(from, Math.min(pieces.size(), from + count))) {
			number(bytes, position, piece.offset());
			number(bytes, position + NUMBER, piece.length());
			position += 2 * NUMBER;
		}
	}

	private static void number(ByteBuffer bytes, int position, long value) {
		TarUtils.formatLongOctalOrBinaryBytes(value, bytes.array(), position, NUMBER);
	}

	private static void sum(byte[] header) {
		for (int i = CHECKSUM; i < CHECKSUM + 8; i++) {
			header[i] = ' ';
		}
		long sum = 0;
		for (int i = 0; i < BLOCK; i++) {
			sum += header[i] & 0xFF;
		}
		TarUtils.formatCheckSumOctalBytes(sum, header, CHECKSUM, 8);
	}

	/**
	 * A part of the file that is no hole.
	 *
	 * @param offset where it starts
	 * @param length its bytes
	 */
	private record Piece(long offset, long length) {

	}

}
