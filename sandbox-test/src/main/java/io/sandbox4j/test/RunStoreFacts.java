package io.sandbox4j.test;

import io.sandbox4j.run.RunStore;

/**
 * What the parts of {@link RunStoreContract} have in common.
 */
interface RunStoreFacts {

	RunStoreFixture stores();

	default RunStore store() {
		return stores().store();
	}

}
