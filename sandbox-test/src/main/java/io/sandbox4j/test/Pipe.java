package io.sandbox4j.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A program's standard input: 64 KiB, as a kernel's pipe. It breaks when the program
 * ends.
 */
final class Pipe {

	private static final int CAPACITY = 64 * 1024;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final byte[] buffer = new byte[CAPACITY];

	private int start;

	private int held;

	private boolean closed;

	private boolean broken;

	OutputStream writer() {
		return new Writer();
	}

	InputStream reader() {
		return new Reader();
	}

	/**
	 * Nobody reads any more: writes fail from now on.
	 */
	void breakOff() {
		update(() -> this.broken = true);
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

	private void await() throws InterruptedIOException {
		try {
			this.changed.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("Interrupted at the program's input");
		}
	}

	private int put(byte[] source, int offset, int length) throws IOException {
		this.lock.lock();
		try {
			while (this.held == CAPACITY && !this.broken && !this.closed) {
				await();
			}
			if (this.broken || this.closed) {
				throw new IOException(this.closed ? "Stream closed" : "Broken pipe");
			}
			int end = (this.start + this.held) % CAPACITY;
			int count = Math.min(length, Math.min(CAPACITY - this.held, CAPACITY - end));
			System.arraycopy(source, offset, this.buffer, end, count);
			this.held += count;
			this.changed.signalAll();
			return count;
		}
		finally {
			this.lock.unlock();
		}
	}

	private int take(byte[] target, int offset, int length) throws IOException {
		this.lock.lock();
		try {
			while (this.held == 0 && !this.closed && !this.broken) {
				await();
			}
			if (this.broken) {
				throw new IOException("Stream closed");
			}
			if (this.held == 0) {
				return -1;
			}
			int count = Math.min(length, Math.min(this.held, CAPACITY - this.start));
			System.arraycopy(this.buffer, this.start, target, offset, count);
			this.start = (this.start + count) % CAPACITY;
			this.held -= count;
			this.changed.signalAll();
			return count;
		}
		finally {
			this.lock.unlock();
		}
	}

	private final class Writer extends OutputStream {

		@Override
		public void write(int value) throws IOException {
			write(new byte[] { (byte) value }, 0, 1);
		}

		@Override
		public void write(byte[] source, int offset, int length) throws IOException {
			Objects.checkFromIndexSize(offset, length, source.length);
			int written = 0;
			while (written < length) {
				written += put(source, offset + written, length - written);
			}
		}

		@Override
		public void close() {
			update(() -> Pipe.this.closed = true);
		}

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
			return (length != 0) ? take(target, offset, length) : 0;
		}

		@Override
		public void close() {
			breakOff();
		}

	}

}
