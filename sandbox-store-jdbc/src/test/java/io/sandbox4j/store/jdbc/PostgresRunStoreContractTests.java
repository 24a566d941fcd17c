package io.sandbox4j.store.jdbc;

import io.sandbox4j.run.RunStore;
import io.sandbox4j.test.DurableRunStoreContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresRunStoreContractTests extends DurableRunStoreContract {

	@RegisterExtension
	private final PostgresServer server = PostgresServer.shared();

	@Override
	protected RunStore openStore() {
		return this.server.database().builder().build();
	}

}
