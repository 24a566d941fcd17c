package io.sandbox4j.test;

import io.sandbox4j.checkpoint.SnapshotStore;

class InMemorySnapshotStoreTests extends SnapshotStoreContract {

	private final SnapshotStore store = new InMemorySnapshotStore();

	@Override
	protected SnapshotStore openStore() {
		return this.store;
	}

}
