package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import io.sandbox4j.SandboxException;

/**
 * Which blobs a pack holds. It is the end of the pack itself, so that a pack that is
 * there can be used, and one that was cut off never was.
 */
final class PackIndex {

	static final String PACKS = "packs";

	private static final int MAGIC = 0x53344A31;

	private static final int HEADER = 8;

	private static final int RECORD = Digest.BYTES + 12;

	private static final int TRAILER = Digest.BYTES + 8;

	private PackIndex() {
	}

	static String name(String pack) {
		return PACKS + "/" + pack;
	}

	static byte[] encode(Map<Digest, Location> blobs) {
		int end = HEADER + blobs.size() * RECORD;
		ByteBuffer buffer = ByteBuffer.allocate(end + TRAILER);
		buffer.putInt(MAGIC).putInt(blobs.size());
		blobs.forEach(
				(digest, location) -> buffer.put(digest.bytes()).putLong(location.offset()).putInt(location.length()));
		return buffer.put(Digest.of(buffer.array(), 0, end).bytes()).putLong(end).array();
	}

	static Map<Digest, Location> read(SnapshotStore store, String pack) {
		long size = store.size(name(pack));
		ByteBuffer trailer = part(store, pack, Math.max(0, size - TRAILER), TRAILER);
		byte[] digest = new byte[Digest.BYTES];
		if (trailer.remaining() < TRAILER) {
			throw damaged(pack);
		}
		trailer.get(digest);
		long length = trailer.getLong();
		if (length < HEADER || length > Math.min(size - TRAILER, Integer.MAX_VALUE - 8)
				|| (length - HEADER) % RECORD != 0) {
			throw damaged(pack);
		}
		ByteBuffer index = part(store, pack, size - TRAILER - length, (int) length);
		if (index.remaining() != length || !Arrays.equals(Digest.of(index.array()).bytes(), digest)) {
			throw damaged(pack);
		}
		if (index.getInt() != MAGIC) {
			throw Failures.newer("The pack '" + pack + "'");
		}
		Map<Digest, Location> blobs = new LinkedHashMap<>(2 * index.getInt());
		while (index.hasRemaining()) {
			blobs.put(Digest.read(index), new Location(pack, index.getLong(), index.getInt()));
		}
		return blobs;
	}

	private static ByteBuffer part(SnapshotStore store, String pack, long offset, int length) {
		try (InputStream input = store.open(name(pack), offset, length)) {
			return ByteBuffer.wrap(input.readNBytes(length));
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
	}

	private static SandboxException damaged(String pack) {
		return Failures.damaged("the pack '" + pack + "' is not what was written");
	}

}
