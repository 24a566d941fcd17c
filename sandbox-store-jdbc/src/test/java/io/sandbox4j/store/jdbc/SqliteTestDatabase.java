package io.sandbox4j.store.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

import io.sandbox4j.storage.Durability;

/**
 * A file in a test's directory.
 */
record SqliteTestDatabase(Path file) implements TestDatabase {

	@Override
	public JdbcRunStoreBuilder builder() {
		return JdbcRunStore.sqlite(this.file).durability(Durability.PROCESS);
	}

	@Override
	public Database open() {
		return new SqliteDatabase(this.file, Durability.PROCESS, 1);
	}

	@Override
	public Connection connect() throws SQLException {
		return DriverManager.getConnection("jdbc:sqlite:" + this.file);
	}

	@Override
	public List<String> arguments() {
		return List.of("sqlite", this.file.toString());
	}

}
