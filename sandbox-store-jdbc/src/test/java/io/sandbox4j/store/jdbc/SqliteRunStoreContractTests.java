package io.sandbox4j.store.jdbc;

import java.nio.file.Path;

import io.sandbox4j.run.RunStore;
import io.sandbox4j.test.DurableRunStoreContract;
import org.junit.jupiter.api.io.TempDir;

class SqliteRunStoreContractTests extends DurableRunStoreContract {

	@TempDir
	private Path directory;

	@Override
	protected RunStore openStore() {
		return new SqliteTestDatabase(this.directory.resolve("runs.db")).builder().build();
	}

}
