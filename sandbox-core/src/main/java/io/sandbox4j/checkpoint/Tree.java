package io.sandbox4j.checkpoint;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.zip.CRC32;

/**
 * A list of records as a tree of blobs. Where a blob ends depends on what it holds, not
 * on its place, so that a change of one record changes one blob of each level.
 */
final class Tree {

	private static final byte LEAF = 'L';

	private static final byte NODE = 'N';

	// About 16 records a leaf and 32 children a node: a change costs little more than the
	// digests on its way to the root.
	private static final int LEAF_MASK = 15;

	private static final int NODE_MASK = 31;

	private static final int MAX_RECORDS = 1024;

	private static final int MAX_DEPTH = 32;

	private final PackWriter pack;

	private final List<Digest> leaves = new ArrayList<>();

	private final ByteArrayOutputStream leaf = new ByteArrayOutputStream();

	private int records;

	Tree(PackWriter pack) {
		this.pack = pack;
		this.leaf.write(LEAF);
	}

	static boolean endsLeaf(byte[] key) {
		CRC32 crc = new CRC32();
		crc.update(key);
		return (crc.getValue() & LEAF_MASK) == 0;
	}

	/**
	 * Adds a record.
	 * @param record its bytes
	 * @param ends whether a blob ends with it, as its key says
	 */
	void add(byte[] record, boolean ends) {
		this.leaf.writeBytes(ByteBuffer.allocate(4).putInt(record.length).array());
		this.leaf.writeBytes(record);
		this.records++;
		if (ends || this.records == MAX_RECORDS) {
			endLeaf();
		}
	}

	private void endLeaf() {
		this.leaves.add(store(this.leaf.toByteArray()));
		this.leaf.reset();
		this.leaf.write(LEAF);
		this.records = 0;
	}

	Digest finish() {
		if (this.records > 0 || this.leaves.isEmpty()) {
			endLeaf();
		}
		List<Digest> level = this.leaves;
		while (level.size() > 1) {
			level = parents(level);
		}
		return level.get(0);
	}

	private List<Digest> parents(List<Digest> level) {
		List<Digest> parents = new ArrayList<>();
		ByteArrayOutputStream node = new ByteArrayOutputStream();
		int children = 0;
		for (Digest child : level) {
			if (children == 0) {
				node.write(NODE);
			}
			node.writeBytes(child.bytes());
			children++;
			// Two at least, or levels would not end.
			if (children > 1 && ((child.d() & NODE_MASK) == 0 || children == MAX_RECORDS)) {
				parents.add(store(node.toByteArray()));
				node.reset();
				children = 0;
			}
		}
		if (children > 0) {
			parents.add(store(node.toByteArray()));
		}
		return parents;
	}

	private Digest store(byte[] blob) {
		if (blob.length > Blobs.MAX_BLOB) {
			throw Failures.limit("A file has too many pieces for one checkpoint. Remove or split it.");
		}
		return this.pack.add(blob, blob.length);
	}

	/**
	 * Reads a tree.
	 * @param blobs where it is
	 * @param root its digest
	 * @param wanted whether a blob is to be read
	 * @param records takes the records in order
	 */
	static void read(Blobs blobs, Digest root, Predicate<Digest> wanted, Consumer<ByteBuffer> records) {
		read(blobs, root, wanted, records, 0);
	}

	private static void read(Blobs blobs, Digest root, Predicate<Digest> wanted, Consumer<ByteBuffer> records,
			int depth) {
		if (!wanted.test(root)) {
			return;
		}
		ByteBuffer blob = ByteBuffer.wrap(blobs.read(root));
		byte kind = blob.hasRemaining() ? blob.get() : 0;
		if (kind == NODE && blob.remaining() % Digest.BYTES == 0 && depth < MAX_DEPTH) {
			while (blob.hasRemaining()) {
				read(blobs, Digest.read(blob), wanted, records, depth + 1);
			}
		}
		else if (kind == LEAF) {
			readLeaf(blob, records);
		}
		else {
			throw Failures.damaged("'" + root + "' is no part of a list of files");
		}
	}

	private static void readLeaf(ByteBuffer blob, Consumer<ByteBuffer> records) {
		while (blob.hasRemaining()) {
			int length = (blob.remaining() >= 4) ? blob.getInt() : -1;
			if (length < 0 || length > blob.remaining()) {
				throw Failures.damaged("a list of files cannot be read");
			}
			records.accept(blob.slice(blob.position(), length));
			blob.position(blob.position() + length);
		}
	}

}
