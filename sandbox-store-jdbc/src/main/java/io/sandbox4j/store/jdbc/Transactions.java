package io.sandbox4j.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

/**
 * How transactions of both databases begin and end.
 */
final class Transactions {

	private Transactions() {
	}

	/**
	 * Gets a connection.
	 * @param source gives it; a pool may say that it has none without telling SQL's way
	 * @return the connection
	 * @throws SQLException if there is none
	 */
	static Connection connection(DataSource source) throws SQLException {
		try {
			return source.getConnection();
		}
		catch (RuntimeException ex) {
			throw new SQLException("The data source gave no connection.", "08001", ex);
		}
	}

	static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	/**
	 * Closes a connection after a failure, which is what is to be told.
	 * @param connection the connection
	 * @param failure the failure
	 */
	static void closeAfter(Connection connection, Throwable failure) {
		try {
			connection.close();
		}
		catch (SQLException ex) {
			failure.addSuppressed(ex);
		}
	}

}
