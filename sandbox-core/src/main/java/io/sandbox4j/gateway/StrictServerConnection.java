package io.sandbox4j.gateway;

import java.io.IOException;
import java.io.InputStream;

import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ContentLengthStrategy;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.ChunkedInputStream;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnection;
import org.apache.hc.core5.http.impl.io.DefaultHttpRequestParser;
import org.apache.hc.core5.http.io.SessionInputBuffer;

/**
 * HttpCore's server side of a connection, reading strictly: {@link StrictLines} stands
 * between its buffer and its parsers.
 */
final class StrictServerConnection extends DefaultBHttpServerConnection {

	private static final int MAX_FIELDS = 200;

	private final Http1Config config;

	private final int headBytes;

	/**
	 * Creates a connection.
	 * @param headBytes how many bytes a head, or the lines of a chunked body, may have
	 * @param onFirstByte told when the first byte of a request is there
	 */
	StrictServerConnection(int headBytes, Runnable onFirstByte) {
		this(config(headBytes), headBytes, onFirstByte);
	}

	private StrictServerConnection(Http1Config config, int headBytes, Runnable onFirstByte) {
		super("http", config, null, null, null, null,
				(unused) -> new StrictRequestParser(config, headBytes, onFirstByte), null);
		this.config = config;
		this.headBytes = headBytes;
	}

	private static Http1Config config(int headBytes) {
		return Http1Config.custom()
			.setBufferSize(16 * 1024)
			.setChunkSizeHint(16 * 1024)
			.setMaxEmptyLineCount(2)
			.setMaxHeaderCount(MAX_FIELDS)
			.setMaxLineLength(headBytes)
			.build();
	}

	@Override
	protected InputStream createContentInputStream(long length, SessionInputBuffer buffer, InputStream in) {
		if (length != ContentLengthStrategy.CHUNKED) {
			return super.createContentInputStream(length, buffer, in);
		}
		return new ChunkedInputStream(new StrictLines(buffer, StrictLines.Expected.CHUNK_SIZE, this.headBytes, () -> {
		}), in, this.config);
	}

	private static final class StrictRequestParser extends DefaultHttpRequestParser {

		private final int headBytes;

		private final Runnable onFirstByte;

		StrictRequestParser(Http1Config config, int headBytes, Runnable onFirstByte) {
			super(config);
			this.headBytes = headBytes;
			this.onFirstByte = onFirstByte;
		}

		@Override
		public ClassicHttpRequest parse(SessionInputBuffer buffer, InputStream in) throws IOException, HttpException {
			return super.parse(new StrictLines(buffer, StrictLines.Expected.REQUEST, this.headBytes, this.onFirstByte),
					in);
		}

	}

}
