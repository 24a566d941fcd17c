package io.sandbox4j.storage;

/**
 * What crashed processes had left behind and a start-up collection moved to the trash or
 * killed.
 *
 * @param templates template directories without a marker
 * @param building temporaries of processes that are gone
 * @param sessions session directories without a state that nobody owns
 * @param staging sessions that nobody owns, with half-written files
 * @param trash directories that waited in the trash, to be emptied in the background
 * @param processes processes of sandboxes that nobody owns
 * @since 0.1.0
 */
public record Leftovers(int templates, int building, int sessions, int staging, int trash, int processes) {

	/**
	 * Whether there was nothing.
	 * @return {@code true} if every count is zero
	 */
	public boolean isEmpty() {
		return this.templates == 0 && this.building == 0 && this.sessions == 0 && this.staging == 0 && this.trash == 0
				&& this.processes == 0;
	}

}
