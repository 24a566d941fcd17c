package io.sandbox4j.test;

import io.sandbox4j.install.InstallStore;

class InMemoryInstallStoreTests extends InstallStoreContract {

	private final InstallStore store = InstallStore.inMemory();

	@Override
	protected InstallStore openStore() {
		return this.store;
	}

}
