package io.sandbox4j.store.jdbc;

import java.nio.file.Path;

import org.junit.jupiter.api.io.TempDir;

class SqliteProcessTests implements ProcessFacts {

	@TempDir
	private Path directory;

	@Override
	public TestDatabase database() {
		return new SqliteTestDatabase(this.directory.resolve("runs.db"));
	}

	@Override
	public Path temporary() {
		return this.directory;
	}

}
