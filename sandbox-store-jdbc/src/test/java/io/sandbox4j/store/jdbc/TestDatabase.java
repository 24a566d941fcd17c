package io.sandbox4j.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * A database of one test, empty at first.
 */
interface TestDatabase {

	JdbcRunStoreBuilder builder();

	/**
	 * The store as an application opens it.
	 * @return a builder, whose pool ends with the process
	 */
	JdbcRunStoreBuilder applicationBuilder();

	Database open();

	Connection connect() throws SQLException;

	/**
	 * How a child process opens the same database.
	 * @return its arguments
	 */
	List<String> arguments();

	/**
	 * What must not be told of where it is.
	 * @return a part of its address
	 */
	String address();

	/**
	 * How it says that something is true.
	 * @return in SQL
	 */
	String yes();

	boolean hasTable(String name) throws SQLException;

	default void execute(String... statements) throws SQLException {
		try (Connection connection = connect(); Statement statement = connection.createStatement()) {
			for (String sql : statements) {
				statement.execute(sql);
			}
		}
	}

	default List<String> query(String sql) throws SQLException {
		try (Connection connection = connect()) {
			return new Statements(connection, Dialect.SQLITE).list(sql, (row) -> row.getString(1));
		}
	}

}
