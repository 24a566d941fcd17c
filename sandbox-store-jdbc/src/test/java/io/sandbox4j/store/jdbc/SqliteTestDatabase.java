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
	public JdbcRunStoreBuilder applicationBuilder() {
		return builder();
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
	public String address() {
		return this.file.getFileName().toString();
	}

	@Override
	public String yes() {
		return "1";
	}

	@Override
	public boolean hasTable(String name) throws SQLException {
		return !query("SELECT 1 FROM sqlite_master WHERE name = '" + name + "'").isEmpty();
	}

	@Override
	public List<String> arguments() {
		return List.of("sqlite", this.file.toString());
	}

}
