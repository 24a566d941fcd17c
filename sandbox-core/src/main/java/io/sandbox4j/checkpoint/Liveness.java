package io.sandbox4j.checkpoint;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.sandbox4j.checkpoint.Lineage.Known;
import io.sandbox4j.checkpoint.Lineage.Running;

/**
 * What a store's checkpoints need, and which captures go on: as it was when the lineages
 * were read.
 */
final class Liveness {

	private final Set<String> checkpoints = new HashSet<>();

	private final Set<String> tokens = new HashSet<>();

	private final Set<Digest> digests = new HashSet<>();

	private Liveness() {
	}

	static Liveness read(SnapshotStore store, Lineages lineages, Blobs blobs) {
		List<Lineage> all = lineages.all();
		Liveness live = new Liveness();
		for (Lineage lineage : all) {
			lineage.captures().stream().map(Running::token).forEach(live.tokens::add);
			lineage.checkpoints().forEach((kept) -> live.checkpoints.add(kept.id()));
		}
		blobs.refresh();
		for (String id : live.checkpoints) {
			live.addTree(blobs, CheckpointDocument.read(store, id).tree());
		}
		for (Lineage lineage : all) {
			Known known = lineage.known();
			if (known != null) {
				live.addTree(blobs, known.tree());
				Tree.read(blobs, Digest.parse(known.stats()), live.digests::add, (record) -> {
				});
			}
		}
		return live;
	}

	private void addTree(Blobs blobs, String tree) {
		Tree.read(blobs, Digest.parse(tree), this.digests::add,
				(record) -> EntryCodec.decode(record).extents().forEach((extent) -> this.digests.add(extent.digest())));
	}

	static boolean isAbandoned(Running capture, Instant before) {
		return Instant.parse(capture.started()).isBefore(before);
	}

	boolean counts(String checkpoint) {
		return this.checkpoints.contains(checkpoint);
	}

	Set<String> tokens() {
		return this.tokens;
	}

	/**
	 * Returns how much of each pack is needed. Of several copies of a blob the one in the
	 * last pack is, for everybody.
	 * @param blobs where they are
	 * @return the needed bytes by pack
	 */
	Map<String, Long> needed(Blobs blobs) {
		Map<String, Long> needed = new HashMap<>();
		for (Digest digest : this.digests) {
			Location location = blobs.find(digest);
			if (location == null) {
				throw Failures.damaged("the content '" + digest + "' is missing, so that nothing was removed");
			}
			needed.merge(location.pack(), (long) location.length(), Long::sum);
		}
		return needed;
	}

	boolean needs(Digest digest) {
		return this.digests.contains(digest);
	}

}
