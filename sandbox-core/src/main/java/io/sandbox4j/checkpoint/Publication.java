package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import io.sandbox4j.checkpoint.Lineage.Known;
import io.sandbox4j.checkpoint.Lineage.Running;
import org.jspecify.annotations.Nullable;

/**
 * The making of one checkpoint: announced in its lineage first, so that the lineage tells
 * of one that was cut off and no collection removes what it relies on, and made to count
 * last, by one conditional write. Not thread-safe.
 */
final class Publication implements AutoCloseable {

	private final SnapshotStore store;

	private final Lineages lineages;

	private final String lineage;

	private final Instant created;

	private final Running capture;

	private final PackWriter pack;

	private @Nullable Known known;

	private boolean published;

	Publication(SnapshotStore store, Blobs blobs, Lineages lineages, String lineage, String session, Instant created) {
		this.store = store;
		this.lineages = lineages;
		this.lineage = lineage;
		this.created = created;
		// Announced before it is read what is about to be removed: a collection reads the
		// announcements after it wrote that. So one of both sees the other.
		this.capture = lineages.begin(lineage, session);
		try {
			Set<String> condemned = Condemned.packs(store);
			blobs.refresh();
			this.pack = new PackWriter(store, blobs, this.capture.token(), condemned);
		}
		catch (RuntimeException ex) {
			giveUp(ex);
			throw ex;
		}
	}

	PackWriter pack() {
		return this.pack;
	}

	/**
	 * Makes a checkpoint of what was seen count.
	 * @param key what the workspace was started from
	 * @param seen what was seen
	 * @param leftOut what is not in it
	 * @param parent the checkpoint before it
	 * @return the checkpoint
	 */
	Checkpoint publish(String key, Seen seen, List<String> leftOut, @Nullable String parent) {
		Digest tree = Manifest.write(this.pack, seen.entries());
		this.known = new Known(this.capture.session(), tree.toString(),
				Manifest.writeStats(this.pack, seen.entries(), seen.stats()).toString());
		return publish(key, tree, seen.entries(), leftOut, parent);
	}

	/**
	 * Makes a checkpoint that was not captured here count.
	 * @param key what the workspace was started from
	 * @param entries the entries, sorted
	 * @param leftOut what is not in it
	 * @param parent the checkpoint before it
	 * @return the checkpoint
	 */
	Checkpoint publish(String key, List<Entry> entries, List<String> leftOut, @Nullable String parent) {
		return publish(key, Manifest.write(this.pack, entries), entries, leftOut, parent);
	}

	// What the next capture may rely on, or null.
	@Nullable Known known() {
		return this.known;
	}

	private Checkpoint publish(String key, Digest tree, List<Entry> entries, List<String> leftOut,
			@Nullable String parent) {
		this.pack.commit();
		long bytes = entries.stream().mapToLong(Entry::bytes).sum();
		CheckpointDocument document = new CheckpointDocument(CheckpointDocument.FORMAT, this.capture.token(),
				this.lineage, key, this.created.toString(), tree.toString(), entries.size() - 1L, bytes,
				this.pack.bytes(), parent, leftOut.subList(0, Math.min(100, leftOut.size())), leftOut.size());
		byte[] content = document.encode();
		String id = Digest.of(content).toString();
		try (SnapshotUpload upload = this.store.create(CheckpointDocument.name(id))) {
			upload.write(content);
			upload.commit();
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
		this.lineages.publish(this.lineage, this.capture, id, this.created, this.known);
		this.published = true;
		return document.checkpoint(id);
	}

	private void giveUp(RuntimeException cause) {
		try {
			this.lineages.fail(this.lineage, (running) -> running.token().equals(this.capture.token()));
		}
		catch (RuntimeException ex) {
			cause.addSuppressed(ex);
		}
	}

	// What a pack holds that is whole may be relied on by others: a collection removes
	// it.
	@Override
	public void close() {
		if (!this.published) {
			try {
				this.pack.close();
			}
			finally {
				this.lineages.fail(this.lineage, (running) -> running.token().equals(this.capture.token()));
			}
		}
	}

}
