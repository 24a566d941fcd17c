package io.sandbox4j.store.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.sandbox4j.run.RunStore;
import io.sandbox4j.test.DurableRunStoreContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class SqliteRunStoreContractTests extends DurableRunStoreContract {

	@TempDir
	private static Path made;

	@TempDir
	private Path directory;

	@BeforeAll
	static void makeTables() {
		new SqliteTestDatabase(made.resolve("runs.db")).builder().build().close();
	}

	// To make the tables for each test is half of its time.
	@Override
	protected RunStore openStore() {
		Path file = this.directory.resolve("runs.db");
		if (!Files.exists(file)) {
			copy(made.resolve("runs.db"), file);
		}
		return new SqliteTestDatabase(file).builder().build();
	}

	private static void copy(Path from, Path to) {
		try {
			Files.copy(from, to);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
