package io.sandbox4j.checkpoint;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import io.sandbox4j.checkpoint.CheckpointDocument.Documents;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and changes lineages. Each change is one conditional write, tried again when
 * somebody else came first.
 */
final class Lineages {

	private static final String REFS = "lineages";

	private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,127}");

	private static final int ATTEMPTS = 1000;

	private final SnapshotStore store;

	private final InstantSource clock;

	Lineages(SnapshotStore store, InstantSource clock) {
		this.store = store;
		this.clock = clock;
	}

	static String requireName(String lineage) {
		if (!NAME.matcher(lineage).matches()) {
			throw Failures.invalid("'lineage' must have at most 128 small letters, digits, '.', '-' and '_', "
					+ "and start with a letter or a digit.");
		}
		return lineage;
	}

	Lineage read(String name) {
		SnapshotRef ref = this.store.ref(refName(name));
		return (ref != null) ? decode(name, ref) : Lineage.empty(name);
	}

	List<Lineage> all() {
		return this.store.refs(REFS).stream().map((ref) -> read(ref.substring(REFS.length() + 1))).toList();
	}

	private static String refName(String name) {
		return REFS + "/" + requireName(name);
	}

	private static Lineage decode(String name, SnapshotRef ref) {
		return Documents.read(ref.content(), Lineage.FORMAT, Lineage.class, "The lineage '" + name + "'");
	}

	Lineage.Running begin(String name, String session) {
		Lineage.Running capture = new Lineage.Running(StoreNames.random(), session, this.clock.instant().toString());
		change(name, (lineage) -> lineage.runs(capture.token()) ? lineage : lineage.begun(capture));
		return capture;
	}

	/**
	 * Makes a checkpoint count.
	 * @param name the lineage
	 * @param capture the capture that made it
	 * @param id the checkpoint
	 * @param created when it was made
	 * @param known what the next capture may rely on
	 */
	void publish(String name, Lineage.Running capture, String id, Instant created, Lineage.@Nullable Known known) {
		change(name, (lineage) -> {
			if (lineage.has(id)) {
				return lineage;
			}
			if (!lineage.runs(capture.token())) {
				throw Failures.busy("The capture took so long that it was given up, or one that began later was "
						+ "published meanwhile. Nothing was published; capture again.");
			}
			return lineage.published(capture, new Lineage.Kept(id, created.toString(), null), known);
		});
	}

	void fail(String name, Predicate<Lineage.Running> captures) {
		change(name, (lineage) -> lineage.failed(captures));
	}

	void fallBehind(String name) {
		change(name, Lineage::fallenBehind);
	}

	/**
	 * Changes a lineage.
	 * @param name its name
	 * @param change the change, which may be asked several times; what is equal is not
	 * written
	 * @return the lineage afterwards
	 */
	Lineage change(String name, UnaryOperator<Lineage> change) {
		String ref = refName(name);
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			SnapshotRef current = this.store.ref(ref);
			Lineage before = (current != null) ? decode(name, current) : Lineage.empty(name);
			Lineage after = change.apply(before);
			if (after.equals(before)) {
				return before;
			}
			String version = (current != null) ? current.version() : null;
			if (this.store.compareAndSet(ref, version, JsonMapper.shared().writeValueAsBytes(after))) {
				return after;
			}
		}
		throw Failures.busy("Others changed the lineage '" + name + "' all the time. " + "Try again later.");
	}

}
