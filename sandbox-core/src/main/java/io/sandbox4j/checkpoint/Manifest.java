package io.sandbox4j.checkpoint;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The list of a checkpoint's entries, sorted by path, as the store has it.
 */
final class Manifest {

	private Manifest() {
	}

	static Digest write(PackWriter pack, List<Entry> entries) {
		Tree tree = new Tree(pack);
		for (Entry entry : entries) {
			tree.add(EntryCodec.encode(entry), endsLeaf(entry.path()));
		}
		return tree.finish();
	}

	static List<Entry> read(Blobs blobs, Digest root) {
		List<Entry> entries = new ArrayList<>();
		Tree.read(blobs, root, (digest) -> true, (record) -> entries.add(EntryCodec.decode(record)));
		return entries;
	}

	/**
	 * Writes what the kernel said of each entry, in the same order.
	 * @param pack where it goes
	 * @param entries the entries
	 * @param stats what was said
	 * @return the digest of the list
	 */
	static Digest writeStats(PackWriter pack, List<Entry> entries, List<Stat> stats) {
		Tree tree = new Tree(pack);
		for (int i = 0; i < stats.size(); i++) {
			Stat stat = stats.get(i);
			byte[] record = ByteBuffer.allocate(Stat.BYTES)
				.putLong(stat.device())
				.putLong(stat.inode())
				.putLong(stat.changed())
				.array();
			tree.add(record, endsLeaf(entries.get(i).path()));
		}
		return tree.finish();
	}

	static List<Stat> readStats(Blobs blobs, Digest root) {
		List<Stat> stats = new ArrayList<>();
		Tree.read(blobs, root, (digest) -> true, (record) -> {
			if (record.remaining() != Stat.BYTES) {
				throw Failures.damaged("what was seen of a file cannot be read");
			}
			stats.add(new Stat(record.getLong(), record.getLong(), record.getLong()));
		});
		return stats;
	}

	private static boolean endsLeaf(String path) {
		return Tree.endsLeaf(path.getBytes(StandardCharsets.ISO_8859_1));
	}

	/**
	 * What tells a file that was not touched from one that was.
	 *
	 * @param device the device
	 * @param inode the inode
	 * @param changed when it was changed, in nanoseconds; 0 if that proves nothing
	 */
	record Stat(long device, long inode, long changed) {

		static final int BYTES = 24;

		static final Stat NONE = new Stat(0, 0, 0);

	}

}
