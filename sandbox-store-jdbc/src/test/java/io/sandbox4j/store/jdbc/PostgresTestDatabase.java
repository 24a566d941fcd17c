package io.sandbox4j.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A schema of its own in the tests' server.
 */
record PostgresTestDatabase(int port, String schema) implements TestDatabase {

	PostgresTestDatabase create() throws SQLException {
		try (Connection connection = dataSource(this.port, null).getConnection()) {
			Transactions.execute(connection, "CREATE SCHEMA " + this.schema);
		}
		return this;
	}

	void drop() throws SQLException {
		execute("DROP SCHEMA " + this.schema + " CASCADE");
	}

	PGSimpleDataSource dataSource() {
		return dataSource(this.port, this.schema);
	}

	static PGSimpleDataSource dataSource(int port, String schema) {
		PGSimpleDataSource source = new PGSimpleDataSource();
		source.setServerNames(new String[] { "localhost" });
		source.setPortNumbers(new int[] { port });
		source.setDatabaseName("postgres");
		source.setUser("postgres");
		source.setCurrentSchema(schema);
		return source;
	}

	JdbcRunStoreBuilder builder(DataSource source) {
		return JdbcRunStore.dataSource(source);
	}

	@Override
	public JdbcRunStoreBuilder builder() {
		return builder(dataSource());
	}

	@Override
	public JdbcRunStoreBuilder applicationBuilder() {
		HikariConfig config = new HikariConfig();
		config.setDataSource(dataSource());
		config.setMaximumPoolSize(4);
		return builder(new HikariDataSource(config));
	}

	@Override
	public Database open() {
		return new PostgresDatabase(dataSource(), Duration.ofSeconds(30), Duration.ofSeconds(1));
	}

	@Override
	public Connection connect() throws SQLException {
		return dataSource().getConnection();
	}

	@Override
	public String address() {
		return "localhost";
	}

	@Override
	public String yes() {
		return "TRUE";
	}

	@Override
	public boolean hasTable(String name) throws SQLException {
		return !query("SELECT 1 WHERE to_regclass('" + name + "') IS NOT NULL").isEmpty();
	}

	@Override
	public List<String> arguments() {
		return List.of("postgresql", Integer.toString(this.port), this.schema);
	}

}
