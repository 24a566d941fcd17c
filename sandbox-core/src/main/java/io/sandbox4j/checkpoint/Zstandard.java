package io.sandbox4j.checkpoint;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * Zstandard, which is an option, as is its native part.
 */
final class Zstandard {

	private Zstandard() {
	}

	// Closing what is returned leaves the output open.
	static OutputStream compress(OutputStream output) throws IOException {
		try {
			return new ZstdOutputStream(new OpenOutput(output)).setChecksum(true);
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
				"Zstandard is missing. Add 'com.github.luben:zstd-jni' to the class path.", cause);
	}

	/**
	 * A stream of the caller's, which closes it.
	 */
	private static final class OpenOutput extends FilterOutputStream {

		OpenOutput(OutputStream output) {
			super(output);
		}

		@Override
		public void write(byte[] bytes, int offset, int length) throws IOException {
			this.out.write(bytes, offset, length);
		}

		@Override
		public void close() throws IOException {
			flush();
		}

	}

}
