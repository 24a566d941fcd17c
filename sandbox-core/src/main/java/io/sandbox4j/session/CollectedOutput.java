package io.sandbox4j.session;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;

/**
 * Keeps the first bytes of both streams, up to one limit for both together, and counts
 * the rest. It never waits, so the pipes are drained however much comes.
 */
final class CollectedOutput implements CommandOutput {

	private final long limit;

	private final Runnable onOverflow;

	private final ByteArrayOutputStream stdout = new ByteArrayOutputStream(0);

	private final ByteArrayOutputStream stderr = new ByteArrayOutputStream(0);

	private long kept;

	private long omittedStdout;

	private long omittedStderr;

	private boolean overflowed;

	CollectedOutput(long limit, Runnable onOverflow) {
		this.limit = limit;
		this.onOverflow = onOverflow;
	}

	@Override
	public void stdout(byte[] buffer, int offset, int length) {
		boolean first;
		synchronized (this) {
			int taken = take(this.stdout, buffer, offset, length);
			this.omittedStdout += length - taken;
			first = overflow(taken < length);
		}
		if (first) {
			this.onOverflow.run();
		}
	}

	@Override
	public void stderr(byte[] buffer, int offset, int length) {
		boolean first;
		synchronized (this) {
			int taken = take(this.stderr, buffer, offset, length);
			this.omittedStderr += length - taken;
			first = overflow(taken < length);
		}
		if (first) {
			this.onOverflow.run();
		}
	}

	private int take(ByteArrayOutputStream target, byte[] buffer, int offset, int length) {
		int taken = (int) Math.min(length, this.limit - this.kept);
		target.write(buffer, offset, taken);
		this.kept += taken;
		return taken;
	}

	private boolean overflow(boolean now) {
		boolean first = now && !this.overflowed;
		this.overflowed |= now;
		return first;
	}

	@Override
	public void release() {
	}

	@Override
	public void finish() {
	}

	@Override
	public synchronized byte[] stdoutBytes() {
		return this.stdout.toByteArray();
	}

	@Override
	public synchronized byte[] stderrBytes() {
		return this.stderr.toByteArray();
	}

	@Override
	public synchronized long omittedStdout() {
		return this.omittedStdout;
	}

	@Override
	public synchronized long omittedStderr() {
		return this.omittedStderr;
	}

	@Override
	public InputStream stdout() {
		return new ByteArrayInputStream(stdoutBytes());
	}

	@Override
	public InputStream stderr() {
		return new ByteArrayInputStream(stderrBytes());
	}

}
