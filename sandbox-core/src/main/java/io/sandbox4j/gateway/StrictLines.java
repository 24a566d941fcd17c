package io.sandbox4j.gateway;

import java.io.IOException;
import java.io.InputStream;

import org.apache.hc.core5.http.io.HttpTransportMetrics;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.util.CharArrayBuffer;

/**
 * What a parser reads of a guest, with the lines held to the letter of RFC 9112: a line
 * ends with CR LF and has no other control character, a field starts with its name and a
 * colon, and all lines together have a bound. HttpCore's own reader takes a bare LF,
 * folded lines and blanks where a request line has one, each of which some other parser
 * reads differently; that difference is how a request is smuggled.
 */
final class StrictLines implements SessionInputBuffer {

	private static final int MAX_CHUNK_DIGITS = 15;

	private final SessionInputBuffer buffer;

	private final Runnable onFirstByte;

	private final int bound;

	private int left;

	private Expected expected;

	private boolean started;

	/**
	 * Creates a reader.
	 * @param buffer what is read from
	 * @param expected what the next line is
	 * @param bound how many bytes the lines may have
	 * @param onFirstByte told when the first byte is there
	 */
	StrictLines(SessionInputBuffer buffer, Expected expected, int bound, Runnable onFirstByte) {
		this.buffer = buffer;
		this.expected = expected;
		this.bound = bound;
		this.left = bound;
		this.onFirstByte = onFirstByte;
	}

	@Override
	public int readLine(CharArrayBuffer line, InputStream in) throws IOException {
		int start = line.length();
		int c = this.buffer.read(in);
		if (c >= 0 && !this.started) {
			this.started = true;
			this.onFirstByte.run();
		}
		while (c >= 0 && c != '\r') {
			if (--this.left <= 0) {
				throw new RefusedException((this.expected == Expected.FIELD || this.expected == Expected.REQUEST)
						? Refusal.HEAD_TOO_LARGE : Refusal.MALFORMED_REQUEST,
						"The lines of a request are longer than allowed.");
			}
			if ((c < ' ' && c != '\t') || c == 0x7f) {
				throw malformed("has a control character in a line");
			}
			line.append((char) c);
			c = this.buffer.read(in);
		}
		if (c < 0) {
			if (line.length() > start) {
				throw malformed("ends within a line");
			}
			return -1;
		}
		if (this.buffer.read(in) != '\n') {
			throw malformed("has a CR without a LF");
		}
		this.left -= 2;
		check(line, start);
		return line.length() - start;
	}

	private void check(CharArrayBuffer line, int start) throws RefusedException {
		int length = line.length() - start;
		switch (this.expected) {
			case REQUEST -> {
				// One empty line before a request is to be skipped (RFC 9112 section
				// 2.2).
				if (length > 0) {
					checkRequest(line, start);
					this.expected = Expected.FIELD;
				}
			}
			case FIELD, TRAILER -> {
				if (length > 0) {
					checkField(line, start);
				}
			}
			case CHUNK_SIZE -> checkChunk(line, start);
			case CHUNK_END -> {
				if (length > 0) {
					throw malformed("has a chunk that is longer than it says");
				}
				// Any number of chunks: the bound is for what stands between them.
				this.left = this.bound;
				this.expected = Expected.CHUNK_SIZE;
			}
		}
	}

	private static void checkRequest(CharArrayBuffer line, int start) throws RefusedException {
		int first = line.indexOf(' ', start, line.length());
		int second = (first > start) ? line.indexOf(' ', first + 1, line.length()) : -1;
		boolean two = second > first + 1 && line.indexOf(' ', second + 1, line.length()) < 0;
		if (!two || line.indexOf('\t', start, line.length()) >= 0) {
			throw malformed("has a request line that is not three words with one blank between them");
		}
	}

	private static void checkField(CharArrayBuffer line, int start) throws RefusedException {
		int colon = line.indexOf(':', start, line.length());
		if (colon <= start) {
			throw malformed("has a field without a name, or a folded line");
		}
		for (int i = start; i < colon; i++) {
			if (!Grammar.isToken(line.charAt(i))) {
				throw malformed("has a field whose name is not a token");
			}
		}
	}

	// RFC 9112 section 7.1; extensions are allowed and mean nothing here.
	private void checkChunk(CharArrayBuffer line, int start) throws RefusedException {
		int end = start;
		boolean zero = true;
		while (end < line.length() && Character.digit(line.charAt(end), 16) >= 0 && line.charAt(end) < 0x80) {
			zero &= line.charAt(end) == '0';
			end++;
		}
		if (end == start || end - start > MAX_CHUNK_DIGITS || (end < line.length() && line.charAt(end) != ';')) {
			throw malformed("has a chunk whose size is not a hexadecimal number");
		}
		line.setLength(end);
		this.expected = zero ? Expected.TRAILER : Expected.CHUNK_END;
	}

	private static RefusedException malformed(String what) {
		return new RefusedException(Refusal.MALFORMED_REQUEST, "A request " + what + ".");
	}

	@Override
	public int length() {
		return this.buffer.length();
	}

	@Override
	public int capacity() {
		return this.buffer.capacity();
	}

	@Override
	public int available() {
		return this.buffer.available();
	}

	@Override
	public int read(byte[] target, int offset, int length, InputStream in) throws IOException {
		return this.buffer.read(target, offset, length, in);
	}

	@Override
	public int read(byte[] target, InputStream in) throws IOException {
		return this.buffer.read(target, in);
	}

	@Override
	public int read(InputStream in) throws IOException {
		return this.buffer.read(in);
	}

	@Override
	public HttpTransportMetrics getMetrics() {
		return this.buffer.getMetrics();
	}

	/**
	 * What the next line is.
	 */
	enum Expected {

		REQUEST, FIELD, CHUNK_SIZE, CHUNK_END, TRAILER

	}

}
