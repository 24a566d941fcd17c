package io.sandbox4j.tools;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.tools.LineWindow.Line;
import io.sandbox4j.tools.LineWindow.Newlines;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a text once, line by line, and keeps what is shown only.
 */
final class LineScan {

	private static final int CHUNK = 8 * 1024;

	private final InputStream in;

	private final long maxScanBytes;

	private final byte[] buffer = new byte[CHUNK];

	private int start;

	private int end;

	private boolean exhausted;

	private final boolean bom;

	private long offset;

	private long line = 1;

	private long lineStart;

	private int last = -1;

	private boolean lf;

	private boolean crlf;

	private long omitted;

	private int shownBytes;

	LineScan(InputStream in, long maxScanBytes) throws IOException {
		this.in = in;
		this.maxScanBytes = maxScanBytes;
		this.end = in.readNBytes(this.buffer, 0, Utf8.BOM_BYTES);
		this.bom = Utf8.startsWithBom(this.buffer, this.end);
		this.start = this.bom ? Utf8.BOM_BYTES : 0;
		this.offset = this.start;
		this.lineStart = this.start;
	}

	/**
	 * Goes to the start of a line, or to the end.
	 * @param number the number of the line
	 * @throws IOException if the stream fails
	 * @throws ScanLimitException if the line is too far away
	 */
	void skipTo(long number) throws IOException, ScanLimitException {
		while (this.line < number && !atEnd()) {
			if (this.offset >= this.maxScanBytes) {
				throw new ScanLimitException(this.line - 1, this.offset);
			}
			next();
		}
	}

	/**
	 * Reads the lines from here.
	 * @param maxLines how many lines to show
	 * @param maxBytes how many bytes the lines may take
	 * @param maxLineBytes how many bytes of a line to show
	 * @return the lines
	 * @throws IOException if the stream fails
	 * @throws NotTextException if a line that is shown is no text
	 */
	LineWindow window(int maxLines, int maxBytes, int maxLineBytes) throws IOException, NotTextException {
		List<Line> lines = new ArrayList<>();
		int room = maxBytes;
		boolean more = !atEnd();
		while (more && lines.size() < maxLines) {
			// The first line is clipped to what there is room for; another that has no
			// room is left to the next window.
			boolean clip = lines.isEmpty() || room >= maxLineBytes;
			Line line = (room >= 0) ? line(Math.min(room, maxLineBytes), clip) : null;
			if (line == null) {
				break;
			}
			lines.add(line);
			if (line.omittedBytes() == LineWindow.UNKNOWN) {
				return new LineWindow(lines, true, line.number() + 1, LineWindow.UNKNOWN, LineWindow.UNKNOWN,
						newlines(), false, this.bom);
			}
			room -= this.shownBytes + 1;
			more = !atEnd();
		}
		if (more) {
			return new LineWindow(lines, true, this.line, this.lineStart, LineWindow.UNKNOWN, newlines(), false,
					this.bom);
		}
		boolean open = this.offset > this.lineStart;
		long total = open ? this.line : this.line - 1;
		return new LineWindow(lines, false, total + 1, this.offset, total, newlines(), this.last == '\n', this.bom);
	}

	private @Nullable Line line(int limit, boolean clip) throws IOException, NotTextException {
		long number = this.line;
		LineText text = new LineText(this.offset, limit);
		boolean ended = false;
		while (!ended && !atEnd()) {
			if (text.isClipped() && this.omitted + text.excess() >= this.maxScanBytes && peek() != '\n') {
				return new Line(number, text.show(), LineWindow.UNKNOWN);
			}
			ended = text.add(next());
			if (text.isClipped() && !clip) {
				return null;
			}
		}
		text.end();
		if (text.isClipped() && !clip) {
			return null;
		}
		String shown = text.show();
		this.shownBytes = text.shownBytes();
		this.omitted += text.excess();
		return new Line(number, shown, text.omittedBytes());
	}

	// Once at the end, always at the end: a guest may append to the file meanwhile.
	private boolean atEnd() throws IOException {
		if (this.start == this.end && !this.exhausted) {
			this.start = 0;
			this.end = Math.max(0, this.in.read(this.buffer, 0, CHUNK));
			this.exhausted = this.end == 0;
		}
		return this.exhausted;
	}

	private int peek() {
		return this.buffer[this.start];
	}

	private int next() {
		int value = this.buffer[this.start++];
		this.offset++;
		if (value == '\n') {
			this.crlf |= this.last == '\r';
			this.lf |= this.last != '\r';
			this.line++;
			this.lineStart = this.offset;
		}
		this.last = value;
		return value;
	}

	private Newlines newlines() {
		if (this.lf && this.crlf) {
			return Newlines.MIXED;
		}
		if (this.crlf) {
			return Newlines.CRLF;
		}
		return this.lf ? Newlines.LF : Newlines.NONE;
	}

}
