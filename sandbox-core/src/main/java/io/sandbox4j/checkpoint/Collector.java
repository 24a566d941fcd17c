package io.sandbox4j.checkpoint;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.sandbox4j.SandboxException;
import io.sandbox4j.checkpoint.Condemned.Awaited;
import org.jspecify.annotations.Nullable;

/**
 * Removes what no checkpoint needs, beside captures and other collections.
 * <p>
 * What is to go is condemned first: captures that begin afterwards do not rely on it.
 * Those that go on meanwhile may; it is awaited that they end, or one that was abandoned
 * is barred from publishing. Then it is looked again what is needed, and the rest
 * removed. A collection that is cut off is finished by the next.
 */
final class Collector {

	private static final int ATTEMPTS = 100;

	private final SnapshotStore store;

	private final Lineages lineages;

	private final Blobs blobs;

	private final InstantSource clock;

	private final Duration abandonedAfter;

	private int removedPacks;

	private long removedBytes;

	private long rewrittenBytes;

	private int deferred;

	Collector(SnapshotStore store, Lineages lineages, Blobs blobs, InstantSource clock, Duration abandonedAfter) {
		this.store = store;
		this.lineages = lineages;
		this.blobs = blobs;
		this.clock = clock;
		this.abandonedAfter = abandonedAfter;
	}

	CollectionResult run() {
		Instant before = this.clock.instant().minus(this.abandonedAfter);
		this.store.sweep(before);
		barAbandoned(before);
		Condemned.runs(this.store).forEach((run) -> again(() -> finish(run)));
		again(this::condemn);
		return new CollectionResult(this.removedPacks, this.removedBytes, this.rewrittenBytes, this.deferred);
	}

	// What is missing may belong to a checkpoint that was dropped since it was read, and
	// whose content another collection removed. Each step may be done twice.
	private void again(Runnable step) {
		for (int attempt = 1;; attempt++) {
			List<Lineage> before = this.lineages.all();
			try {
				step.run();
				return;
			}
			catch (SandboxException ex) {
				if (attempt == ATTEMPTS || this.lineages.all().equals(before)) {
					throw ex;
				}
			}
		}
	}

	private void barAbandoned(Instant before) {
		for (Lineage lineage : this.lineages.all()) {
			if (lineage.captures().stream().anyMatch((capture) -> Liveness.isAbandoned(capture, before))) {
				this.lineages.fail(lineage.name(), (capture) -> Liveness.isAbandoned(capture, before));
			}
		}
	}

	// What is listed before the lineages are read belongs to a checkpoint or a capture
	// that is read there, or to nobody.
	private void condemn() {
		this.blobs.refresh();
		Map<String, Map<Digest, Location>> packs = this.blobs.packs();
		List<String> documents = this.store.list(CheckpointDocument.NAMES);
		Liveness live = Liveness.read(this.store, this.lineages, this.blobs);
		rewrite(packs, live);
		Map<String, Long> needed = live.needed(this.blobs);
		List<String> useless = Stream.concat(packs.keySet().stream(), this.blobs.damagedPacks().stream())
			.filter((pack) -> !needed.containsKey(pack) && !live.tokens().contains(pack))
			.toList();
		List<String> unknown = documents.stream()
			.map((name) -> name.substring(CheckpointDocument.NAMES.length() + 1))
			.filter((id) -> !live.counts(id))
			.toList();
		if (!useless.isEmpty() || !unknown.isEmpty()) {
			String run = StoreNames.random();
			new Condemned(Condemned.FORMAT, useless, unknown).write(this.store, run);
			finish(run);
		}
	}

	/**
	 * Removes what was condemned, if nobody can rely on it any more.
	 * @param run the collection that condemned it
	 */
	private void finish(String run) {
		Condemned condemned = Condemned.read(this.store, run);
		if (condemned == null) {
			return;
		}
		Awaited awaited = Awaited.read(this.store, run);
		Liveness live = Liveness.read(this.store, this.lineages, this.blobs);
		Set<String> tokens = live.tokens();
		boolean waits = (awaited != null) ? !Collections.disjoint(awaited.tokens(), tokens) : !tokens.isEmpty();
		if (waits) {
			if (awaited == null) {
				Awaited.of(tokens).write(this.store, run);
			}
			this.deferred += condemned.packs().size();
			return;
		}
		Map<String, Long> needed = live.needed(this.blobs);
		for (String pack : condemned.packs()) {
			if (!needed.containsKey(pack)) {
				remove(pack);
			}
		}
		for (String id : condemned.checkpoints()) {
			if (!live.counts(id)) {
				this.store.delete(CheckpointDocument.name(id));
			}
		}
		Awaited.remove(this.store, run);
		Condemned.remove(this.store, run);
	}

	private void remove(String pack) {
		Map<Digest, Location> index = this.blobs.packs().get(pack);
		if (this.store.delete(PackIndex.name(pack))) {
			this.removedPacks++;
			if (index != null) {
				this.removedBytes += bytes(index);
			}
		}
	}

	// Packs of which less than half is needed: what is needed goes into one that comes
	// after all others, and whose copies are therefore those that count.
	private void rewrite(Map<String, Map<Digest, Location>> packs, Liveness live) {
		Map<String, Long> needed = live.needed(this.blobs);
		List<String> sparse = new ArrayList<>();
		Map<String, Long> sizes = new HashMap<>();
		packs.forEach((pack, index) -> sizes.put(pack, bytes(index)));
		packs.forEach((pack, index) -> {
			Long part = needed.get(pack);
			if (part != null && 2 * part < sizes.getOrDefault(pack, 0L) && !live.tokens().contains(pack)) {
				sparse.add(pack);
			}
		});
		if (sparse.isEmpty()) {
			return;
		}
		try (PackWriter writer = new PackWriter(this.store, this.blobs, nextGeneration(packs), Set.of())) {
			for (String pack : sparse) {
				for (Digest digest : packs.getOrDefault(pack, Map.of()).keySet()) {
					Location location = this.blobs.find(digest);
					if (live.needs(digest) && location != null && location.pack().equals(pack)) {
						byte[] content = this.blobs.read(digest);
						writer.put(digest, content, content.length);
					}
				}
			}
			writer.commit();
			this.rewrittenBytes += writer.bytes();
		}
		this.blobs.refresh();
	}

	private static String nextGeneration(Map<String, ?> packs) {
		@Nullable String last = null;
		for (String pack : packs.keySet()) {
			last = pack;
		}
		long generation = (last != null && last.startsWith("g")) ? Long.parseLong(last.substring(1, 11)) + 1 : 1;
		return String.format("g%010d-", generation) + StoreNames.random();
	}

	private static long bytes(Map<Digest, Location> index) {
		return index.values().stream().mapToLong(Location::length).sum();
	}

}
