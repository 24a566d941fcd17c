package io.sandbox4j.session;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A pipe between two threads that holds 64 to 128 KiB: the writer waits while more is
 * unread. Unlike {@code PipedInputStream} it does not care which threads are alive.
 */
final class BoundedPipe {

	static final int CAPACITY = 64 * 1024;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Deque<byte[]> chunks = new ArrayDeque<>();

	private int headOffset;

	private long held;

	private boolean released;

	private boolean finished;

	private boolean readerClosed;

	void write(byte[] buffer, int offset, int length) {
		int written = 0;
		this.lock.lock();
		try {
			while (written < length && !this.readerClosed) {
				if (this.held >= CAPACITY && !this.released) {
					this.changed.awaitUninterruptibly();
					continue;
				}
				// At most so much at once, however much a driver brings.
				int count = Math.min(length - written, CAPACITY);
				byte[] chunk = new byte[count];
				System.arraycopy(buffer, offset + written, chunk, 0, count);
				this.chunks.add(chunk);
				this.held += count;
				written += count;
				this.changed.signalAll();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	void release() {
		update(() -> this.released = true);
	}

	void finish() {
		update(() -> this.finished = true);
	}

	private void update(Runnable change) {
		this.lock.lock();
		try {
			change.run();
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	InputStream reader() {
		return new Reader();
	}

	private final class Reader extends InputStream {

		@Override
		public int read() throws IOException {
			byte[] one = new byte[1];
			return (read(one, 0, 1) < 0) ? -1 : (one[0] & 0xff);
		}

		@Override
		public int read(byte[] target, int offset, int length) throws IOException {
			Objects.checkFromIndexSize(offset, length, target.length);
			if (length == 0) {
				return 0;
			}
			BoundedPipe.this.lock.lock();
			try {
				while (BoundedPipe.this.held == 0) {
					if (BoundedPipe.this.readerClosed) {
						throw new IOException("Stream closed");
					}
					if (BoundedPipe.this.finished) {
						return -1;
					}
					BoundedPipe.this.changed.await();
				}
				return take(target, offset, length);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new InterruptedIOException("Interrupted while waiting for output");
			}
			finally {
				BoundedPipe.this.lock.unlock();
			}
		}

		private int take(byte[] target, int offset, int length) {
			byte[] head = BoundedPipe.this.chunks.element();
			int count = Math.min(length, head.length - BoundedPipe.this.headOffset);
			System.arraycopy(head, BoundedPipe.this.headOffset, target, offset, count);
			BoundedPipe.this.headOffset += count;
			if (BoundedPipe.this.headOffset == head.length) {
				BoundedPipe.this.chunks.remove();
				BoundedPipe.this.headOffset = 0;
			}
			BoundedPipe.this.held -= count;
			BoundedPipe.this.changed.signalAll();
			return count;
		}

		@Override
		public int available() {
			BoundedPipe.this.lock.lock();
			try {
				return (int) Math.min(Integer.MAX_VALUE, BoundedPipe.this.held);
			}
			finally {
				BoundedPipe.this.lock.unlock();
			}
		}

		@Override
		public void close() {
			update(() -> {
				BoundedPipe.this.readerClosed = true;
				BoundedPipe.this.chunks.clear();
				BoundedPipe.this.headOffset = 0;
				BoundedPipe.this.held = 0;
			});
		}

	}

}
