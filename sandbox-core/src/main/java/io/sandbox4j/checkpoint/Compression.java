package io.sandbox4j.checkpoint;

import java.io.BufferedInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * Compresses archives, and finds out how one is compressed.
 */
final class Compression {

	private static final int ZSTD_MAGIC = 0xFD2FB528;

	private static final int BUFFER = 1 << 16;

	private Compression() {
	}

	// Closing what is returned leaves the output open.
	static OutputStream compress(OutputStream output, ArchiveCompression compression) throws IOException {
		OutputStream open = new FilterOutputStream(output) {

			@Override
			public void write(byte[] bytes, int offset, int length) throws IOException {
				this.out.write(bytes, offset, length);
			}

			@Override
			public void close() throws IOException {
				flush();
			}

		};
		return switch (compression) {
			case ZSTD -> Zstandard.compress(open);
			case GZIP -> new GZIPOutputStream(open, BUFFER);
			case NONE -> open;
		};
	}

	static InputStream decompress(InputStream input) throws IOException {
		BufferedInputStream buffered = new BufferedInputStream(input, BUFFER);
		buffered.mark(4);
		byte[] start = buffered.readNBytes(4);
		buffered.reset();
		int magic = 0;
		for (int i = start.length - 1; i >= 0; i--) {
			magic = magic << 8 | start[i] & 0xFF;
		}
		if (magic == ZSTD_MAGIC) {
			return Zstandard.decompress(buffered);
		}
		return ((magic & 0xFFFF) == GZIPInputStream.GZIP_MAGIC) ? new GZIPInputStream(buffered, BUFFER) : buffered;
	}

	/**
	 * Zstandard is an option, and so is its native part.
	 */
	private static final class Zstandard {

		static OutputStream compress(OutputStream output) throws IOException {
			try {
				return new ZstdOutputStream(output);
			}
			catch (LinkageError ex) {
				throw missing(ex);
			}
		}

		static InputStream decompress(InputStream input) throws IOException {
			try {
				return new ZstdInputStream(input);
			}
			catch (LinkageError ex) {
				throw missing(ex);
			}
		}

		private static SandboxException missing(LinkageError cause) {
			return new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"Zstandard is missing. Add 'com.github.luben:zstd-jni' to the class path, or use GZIP or NONE.",
					cause);
		}

	}

}
