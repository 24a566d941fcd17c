package io.sandbox4j.gateway;

import java.io.IOException;
import java.io.InputStream;

import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.io.HttpTransportMetrics;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.util.CharArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * HttpCore's parser with two more rules: it bounds a line and the count of lines, not the
 * head, and it takes the end of the connection for the end of the head.
 */
final class ResponseHeadParser extends DefaultHttpResponseParser {

	private final int maxBytes;

	private @Nullable SessionInputBuffer buffer;

	ResponseHeadParser(Http1Config config, int maxBytes) {
		super(config);
		this.maxBytes = maxBytes;
	}

	@Override
	public ClassicHttpResponse parse(SessionInputBuffer buffer, InputStream in) throws IOException, HttpException {
		this.buffer = buffer;
		return super.parse(new Head(buffer), in);
	}

	/**
	 * Returns how many bytes were taken from the connection and not yet read, after the
	 * first head.
	 * @return the bytes
	 */
	int buffered() {
		return (this.buffer != null) ? this.buffer.length() : 0;
	}

	/**
	 * The input while a head is read.
	 */
	private final class Head implements SessionInputBuffer {

		private final SessionInputBuffer delegate;

		private int bytes;

		Head(SessionInputBuffer delegate) {
			this.delegate = delegate;
		}

		@Override
		public int readLine(CharArrayBuffer line, InputStream in) throws IOException {
			int before = line.length();
			int count = this.delegate.readLine(line, in);
			if (count < 0 && this.bytes > 0) {
				throw new ConnectionClosedException("The connection ended within the head of an answer.");
			}
			this.bytes += line.length() - before + 2;
			if (this.bytes > ResponseHeadParser.this.maxBytes) {
				throw new MessageConstraintException("The head of an answer is too large.");
			}
			return count;
		}

		@Override
		public int length() {
			return this.delegate.length();
		}

		@Override
		public int capacity() {
			return this.delegate.capacity();
		}

		@Override
		public int available() {
			return this.delegate.available();
		}

		@Override
		public int read(byte[] bytes, int offset, int length, InputStream in) throws IOException {
			return this.delegate.read(bytes, offset, length, in);
		}

		@Override
		public int read(byte[] bytes, InputStream in) throws IOException {
			return this.delegate.read(bytes, in);
		}

		@Override
		public int read(InputStream in) throws IOException {
			return this.delegate.read(in);
		}

		@Override
		public HttpTransportMetrics getMetrics() {
			return this.delegate.getMetrics();
		}

	}

}
