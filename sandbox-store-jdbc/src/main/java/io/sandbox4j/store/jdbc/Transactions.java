package io.sandbox4j.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * How transactions of both databases end.
 */
final class Transactions {

	private Transactions() {
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
