package io.sandbox4j.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The checkpoints of one workspace, oldest first, and the captures that go on. It is one
 * reference of the store: a checkpoint counts from the write that names it here.
 *
 * @param format {@link #FORMAT}
 * @param name the lineage's name
 * @param behind whether a capture failed since the last checkpoint
 * @param checkpoints those that count
 * @param captures those that go on, or were cut off
 * @param known what the last capture saw of the files
 */
record Lineage(int format, String name, boolean behind, List<Kept> checkpoints, List<Running> captures,
		@Nullable Known known) {

	static final int FORMAT = 1;

	Lineage {
		checkpoints = List.copyOf(checkpoints);
		captures = List.copyOf(captures);
	}

	static Lineage empty(String name) {
		return new Lineage(FORMAT, name, false, List.of(), List.of(), null);
	}

	boolean has(String id) {
		return this.checkpoints.stream().anyMatch((kept) -> kept.id().equals(id));
	}

	boolean runs(String token) {
		return this.captures.stream().anyMatch((running) -> running.token().equals(token));
	}

	@Nullable String last() {
		return this.checkpoints.isEmpty() ? null : this.checkpoints.get(this.checkpoints.size() - 1).id();
	}

	Lineage begun(Running capture) {
		return new Lineage(this.format, this.name, this.behind, this.checkpoints, with(this.captures, capture),
				this.known);
	}

	// Who began later saw more: what began before must not follow it, and counts no more
	// if it was cut off.
	Lineage published(Running capture, Kept checkpoint, @Nullable Known known) {
		List<Running> later = this.captures.subList(this.captures.indexOf(capture) + 1, this.captures.size());
		return new Lineage(this.format, this.name, false, with(this.checkpoints, checkpoint), later,
				(known != null) ? known : this.known);
	}

	// What was captured before is older than what the caller saw. An import or a fork
	// that failed lost nothing.
	Lineage failed(Predicate<Running> captures) {
		boolean lost = this.captures.stream().anyMatch(captures.and(Running::ofSession));
		return new Lineage(this.format, this.name, this.behind || lost, this.checkpoints,
				without(this.captures, captures), this.known);
	}

	Lineage fallenBehind() {
		return new Lineage(this.format, this.name, true, this.checkpoints, this.captures, this.known);
	}

	// What is known keeps content alive, so it goes with the last checkpoint.
	Lineage keeping(List<Kept> checkpoints) {
		return new Lineage(this.format, this.name, this.behind, checkpoints, this.captures,
				checkpoints.isEmpty() ? null : this.known);
	}

	private static <T> List<T> with(List<T> list, T one) {
		List<T> longer = new ArrayList<>(list);
		longer.add(one);
		return longer;
	}

	private static <T> List<T> without(List<T> list, Predicate<T> some) {
		return list.stream().filter(some.negate()).toList();
	}

	/**
	 * A checkpoint that counts.
	 *
	 * @param id its id
	 * @param created when it was made
	 * @param pin the name that it is kept under, or {@code null}
	 */
	record Kept(String id, String created, @Nullable String pin) {

	}

	/**
	 * A capture that goes on. Whoever finds it gone must not publish.
	 *
	 * @param token names the capture and its pack
	 * @param session the session, or empty for an import or a fork
	 * @param started when it was begun, by the clock of its host
	 */
	record Running(String token, String session, String started) {

		boolean ofSession() {
			return !this.session.isEmpty();
		}

	}

	/**
	 * What lets the next capture read changed files only.
	 *
	 * @param session whose files they are
	 * @param tree the list of entries
	 * @param stats what the kernel said of each, in the same order
	 */
	record Known(String session, String tree, String stats) {

	}

}
