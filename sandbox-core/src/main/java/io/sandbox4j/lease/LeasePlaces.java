package io.sandbox4j.lease;

/**
 * The places for sandboxes that run.
 *
 * @param count how many there are
 * @param name how messages call their limit
 * @param makingRoom whether the sandbox that is idle the longest is stopped for one that
 * needs a place
 */
record LeasePlaces(int count, String name, boolean makingRoom) {

	LeasePlaces withCount(int count, String name) {
		return new LeasePlaces(count, name, this.makingRoom);
	}

	LeasePlaces withMakingRoom(boolean makingRoom) {
		return new LeasePlaces(this.count, this.name, makingRoom);
	}

}
