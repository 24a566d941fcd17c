package io.sandbox4j.tools;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * Some lines of a text. A line ends with LF, or with CR and LF; the last may lack its
 * end. After the last end no line begins, so an empty text has none.
 *
 * @param lines the lines, at least one unless the window is beyond the end
 * @param truncated whether more follows than the lines show to their ends
 * @param nextLine the number of the line after these
 * @param nextOffset the byte at which the next line starts, or {@link #UNKNOWN} if the
 * last line goes on for too long
 * @param totalLines how many lines the text has, or {@link #UNKNOWN} if its end was not
 * reached
 * @param newlines how the lines end that were shown or passed
 * @param finalNewline whether the end was reached and the last line has its end
 * @param bom whether the text starts with a byte order mark, which belongs to no line
 */
record LineWindow(List<Line> lines, boolean truncated, long nextLine, long nextOffset, long totalLines,
		Newlines newlines, boolean finalNewline, boolean bom) {

	/**
	 * Stands for a number that would take too much reading to know.
	 */
	static final long UNKNOWN = -1;

	LineWindow {
		lines = List.copyOf(lines);
	}

	/**
	 * Reads lines. Whatever the text, no more of it is held than is shown. The first line
	 * of a window is shown even if it must be clipped to {@code maxBytes}.
	 * @param in the stream, at its start
	 * @param firstLine the number of the first line, from one
	 * @param maxLines how many lines to show
	 * @param maxBytes how many bytes the lines may take, with one between two
	 * @param maxLineBytes how many bytes of a line to show
	 * @param maxScanBytes how many bytes to read that are not shown: at most so many from
	 * the start to the first line, and as many again of clipped lines
	 * @return the lines
	 * @throws IOException if the stream fails
	 * @throws NotTextException if a line that is shown is not UTF-8, or has a NUL, in
	 * what was read of it
	 * @throws ScanLimitException if the first line is too far from the start
	 */
	static LineWindow read(InputStream in, long firstLine, int maxLines, int maxBytes, int maxLineBytes,
			long maxScanBytes) throws IOException, NotTextException, ScanLimitException {
		if (firstLine <= 0 || maxLines <= 0 || maxBytes <= 0 || maxLineBytes <= 0 || maxScanBytes < 0) {
			throw new IllegalArgumentException("'firstLine' and the limits must be positive");
		}
		LineScan scan = new LineScan(in, maxScanBytes);
		scan.skipTo(firstLine);
		return scan.window(maxLines, maxBytes, maxLineBytes);
	}

	/**
	 * Whether the first line that was asked for is after the last.
	 * @return {@code true} if there are no lines to show
	 */
	boolean beyondEnd() {
		return this.lines.isEmpty();
	}

	/**
	 * A line, without its end.
	 *
	 * @param number its number, from one
	 * @param text its characters, or the first of them
	 * @param omittedBytes how many bytes of it are not in the text, or {@link #UNKNOWN}
	 * if there are some and the end of the line is too far away to count them
	 */
	record Line(long number, String text, long omittedBytes) {

	}

	/**
	 * How lines end.
	 */
	enum Newlines {

		/**
		 * With LF.
		 */
		LF,

		/**
		 * With CR and LF.
		 */
		CRLF,

		/**
		 * Some with LF, some with CR and LF.
		 */
		MIXED,

		/**
		 * No end of a line was seen.
		 */
		NONE

	}

}
