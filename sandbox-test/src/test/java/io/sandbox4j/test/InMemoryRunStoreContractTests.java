package io.sandbox4j.test;

import io.sandbox4j.run.RunStore;

class InMemoryRunStoreContractTests extends RunStoreContract {

	@Override
	protected RunStore openStore() {
		return RunStore.inMemory();
	}

}
