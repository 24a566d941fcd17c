package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A store that is cut off as if its process had been killed: after so many calls none
 * does anything any more.
 */
final class InterruptedStore implements SnapshotStore {

	private final SnapshotStore store;

	private int left;

	InterruptedStore(SnapshotStore store, int calls) {
		this.store = store;
		this.left = calls;
	}

	private void call() {
		this.left--;
		if (this.left < 0) {
			throw new KilledError();
		}
	}

	@Override
	public SnapshotUpload create(String name) {
		call();
		return new Upload(this.store.create(name));
	}

	@Override
	public InputStream open(String name, long offset, long length) {
		return this.store.open(name, offset, length);
	}

	@Override
	public long size(String name) {
		return this.store.size(name);
	}

	@Override
	public List<String> list(String prefix) {
		return this.store.list(prefix);
	}

	@Override
	public boolean delete(String name) {
		call();
		return this.store.delete(name);
	}

	@Override
	public @Nullable SnapshotRef ref(String name) {
		return this.store.ref(name);
	}

	@Override
	public boolean compareAndSet(String name, @Nullable String expected, byte[] content) {
		call();
		return this.store.compareAndSet(name, expected, content);
	}

	@Override
	public List<String> refs(String prefix) {
		return this.store.refs(prefix);
	}

	@Override
	public void sweep(Instant before) {
		call();
		this.store.sweep(before);
	}

	/**
	 * What nothing catches.
	 */
	static final class KilledError extends Error {

		private static final long serialVersionUID = 1;

	}

	private final class Upload extends SnapshotUpload {

		private final SnapshotUpload upload;

		Upload(SnapshotUpload upload) {
			this.upload = upload;
		}

		@Override
		public void write(int b) throws IOException {
			this.upload.write(b);
		}

		@Override
		public void write(byte[] bytes, int offset, int length) throws IOException {
			this.upload.write(bytes, offset, length);
		}

		@Override
		public boolean commit() throws IOException {
			call();
			return this.upload.commit();
		}

		// A killed process closes nothing.
		@Override
		public void close() throws IOException {
			if (InterruptedStore.this.left >= 0) {
				this.upload.close();
			}
		}

	}

}
