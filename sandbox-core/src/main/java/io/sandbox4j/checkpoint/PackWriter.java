package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Writes the blobs that a store does not have yet, into one pack. Not thread-safe.
 */
final class PackWriter implements AutoCloseable {

	private final SnapshotStore store;

	private final Blobs blobs;

	private final String name;

	private final Set<String> condemned;

	private final Map<Digest, Location> written = new LinkedHashMap<>();

	private @Nullable SnapshotUpload upload;

	private long bytes;

	/**
	 * Creates a writer.
	 * @param store the store
	 * @param blobs what it has
	 * @param name the pack's name, which nobody else uses
	 * @param condemned packs that are about to be removed, and whose blobs do not count
	 */
	PackWriter(SnapshotStore store, Blobs blobs, String name, Set<String> condemned) {
		this.store = store;
		this.blobs = blobs;
		this.name = name;
		this.condemned = condemned;
	}

	boolean has(Digest digest) {
		if (this.written.containsKey(digest)) {
			return true;
		}
		Location location = this.blobs.find(digest);
		return location != null && !this.condemned.contains(location.pack());
	}

	Digest add(byte[] content, int length) {
		Digest digest = Digest.of(content, 0, length);
		if (!has(digest)) {
			put(digest, content, length);
		}
		return digest;
	}

	void put(Digest digest, byte[] content, int length) {
		try {
			SnapshotUpload pack = this.upload;
			if (pack == null) {
				pack = this.store.create(PackIndex.name(this.name));
				this.upload = pack;
			}
			pack.write(content, 0, length);
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
		this.written.put(digest, new Location(this.name, this.bytes, length));
		this.bytes += length;
	}

	// New bytes, without the index.
	long bytes() {
		return this.bytes;
	}

	/**
	 * Makes the blobs last. Writes nothing if none is new.
	 */
	void commit() {
		SnapshotUpload pack = this.upload;
		if (pack == null) {
			return;
		}
		try {
			pack.write(PackIndex.encode(this.written));
			if (!pack.commit()) {
				throw Failures.damaged("a random name is taken");
			}
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
	}

	@Override
	public void close() {
		SnapshotUpload pack = this.upload;
		if (pack != null) {
			try {
				pack.close();
			}
			catch (IOException ex) {
				throw Failures.store(ex);
			}
		}
	}

}
