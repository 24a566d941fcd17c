package io.sandbox4j.session;

import java.io.InputStream;

/**
 * Hands both streams to a reader, with back-pressure.
 */
final class StreamedOutput implements CommandOutput {

	private final BoundedPipe stdout = new BoundedPipe();

	private final BoundedPipe stderr = new BoundedPipe();

	@Override
	public void stdout(byte[] buffer, int offset, int length) {
		this.stdout.write(buffer, offset, length);
	}

	@Override
	public void stderr(byte[] buffer, int offset, int length) {
		this.stderr.write(buffer, offset, length);
	}

	@Override
	public void release() {
		this.stdout.release();
		this.stderr.release();
	}

	@Override
	public void finish() {
		this.stdout.finish();
		this.stderr.finish();
	}

	@Override
	public byte[] stdoutBytes() {
		return new byte[0];
	}

	@Override
	public byte[] stderrBytes() {
		return new byte[0];
	}

	@Override
	public long omittedStdout() {
		return 0;
	}

	@Override
	public long omittedStderr() {
		return 0;
	}

	@Override
	public InputStream stdout() {
		return this.stdout.reader();
	}

	@Override
	public InputStream stderr() {
		return this.stderr.reader();
	}

}
