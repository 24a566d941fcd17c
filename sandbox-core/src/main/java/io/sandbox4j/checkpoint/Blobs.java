package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * All blobs of a store: found by digest, and verified whenever they are read.
 * Thread-safe.
 */
final class Blobs {

	// Pieces and nodes are much smaller; the record of a file with many pieces may not
	// be.
	static final int MAX_BLOB = 64 << 20;

	private final SnapshotStore store;

	// Sorted, so that of two copies the one in the last pack is found by everybody.
	private final Map<String, Map<Digest, Location>> packs = new TreeMap<>();

	private Map<Digest, Location> table = new HashMap<>();

	// What cannot be read has nothing: what needs it is refused, the rest goes on.
	private final Set<String> damaged = new TreeSet<>();

	Blobs(SnapshotStore store) {
		this.store = store;
	}

	// Reads the packs that are new, and forgets those that are gone.
	synchronized void refresh() {
		Set<String> listed = new HashSet<>();
		boolean gone = false;
		for (String name : this.store.list(PackIndex.PACKS)) {
			String pack = name.substring(PackIndex.PACKS.length() + 1);
			listed.add(pack);
			if (!this.packs.containsKey(pack) && !this.damaged.contains(pack)) {
				Map<Digest, Location> index = readIfThere(pack);
				if (index != null) {
					this.packs.put(pack, index);
					index.forEach(this::prefer);
				}
			}
		}
		gone |= this.packs.keySet().retainAll(listed);
		if (gone) {
			this.table = new HashMap<>();
			this.packs.values().forEach(this.table::putAll);
		}
	}

	private void prefer(Digest digest, Location location) {
		this.table.merge(digest, location, (one, other) -> (one.pack().compareTo(other.pack()) > 0) ? one : other);
	}

	private @Nullable Map<Digest, Location> readIfThere(String pack) {
		try {
			return PackIndex.read(this.store, pack);
		}
		catch (SandboxException ex) {
			if (ex.code() == ErrorCode.SANDBOX_INVALID) {
				this.damaged.add(pack);
				return null;
			}
			if (ex.code() == ErrorCode.SANDBOX_NOT_FOUND) {
				return null;
			}
			throw ex;
		}
	}

	synchronized List<String> damagedPacks() {
		return List.copyOf(this.damaged);
	}

	// For a message.
	synchronized SandboxException missing(String what) {
		return Failures.damaged(what + " is missing" + (!this.damaged.isEmpty()
				? ", and the pack '" + this.damaged.iterator().next() + "' cannot be read" : ""));
	}

	synchronized @Nullable Location find(Digest digest) {
		return this.table.get(digest);
	}

	synchronized Map<String, Map<Digest, Location>> packs() {
		return new TreeMap<>(this.packs);
	}

	/**
	 * Reads a blob and proves that it is the one.
	 * @param digest the blob's digest
	 * @return its bytes
	 */
	byte[] read(Digest digest) {
		Location location = find(digest);
		try {
			if (location != null) {
				return read(digest, location);
			}
		}
		catch (SandboxException ex) {
			if (ex.code() != ErrorCode.SANDBOX_NOT_FOUND) {
				throw ex;
			}
		}
		// A collection may have moved it.
		refresh();
		location = find(digest);
		if (location == null) {
			throw missing("the content '" + digest + "'");
		}
		try {
			return read(digest, location);
		}
		catch (SandboxException ex) {
			throw (ex.code() == ErrorCode.SANDBOX_NOT_FOUND)
					? Failures.damaged("the pack '" + location.pack() + "' is missing") : ex;
		}
	}

	private byte[] read(Digest digest, Location location) {
		if (location.length() < 0 || location.length() > MAX_BLOB) {
			throw Failures.damaged("the content '" + digest + "' has an impossible size");
		}
		try (InputStream input = this.store.open(PackIndex.name(location.pack()), location.offset(),
				location.length())) {
			byte[] bytes = input.readNBytes(location.length());
			if (!Digest.of(bytes).equals(digest)) {
				throw Failures.damaged("the content '" + digest + "' is not what was written");
			}
			return bytes;
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
	}

	List<Digest> missing(Set<Digest> wanted) {
		return wanted.stream().filter((digest) -> find(digest) == null).toList();
	}

}
