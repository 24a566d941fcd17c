package io.sandbox4j.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Statements on one connection, whose failures are ours.
 */
final class Statements {

	private final Connection connection;

	private final Dialect dialect;

	Statements(Connection connection, Dialect dialect) {
		this.connection = connection;
		this.dialect = dialect;
	}

	Connection connection() {
		return this.connection;
	}

	<T> List<T> list(String sql, Row<T> row, @Nullable Object... arguments) {
		try (PreparedStatement statement = prepare(sql, arguments); ResultSet result = statement.executeQuery()) {
			List<T> rows = new ArrayList<>();
			while (result.next()) {
				rows.add(read(row, result));
			}
			return List.copyOf(rows);
		}
		catch (SQLException ex) {
			throw this.dialect.failure(ex);
		}
	}

	// A time, a name of a constant or a blank that nobody here wrote.
	private <T> T read(Row<T> row, ResultSet result) throws SQLException {
		try {
			return row.read(result);
		}
		catch (DateTimeException | IllegalArgumentException | NullPointerException ex) {
			throw Dialect.damaged(ex);
		}
	}

	<T> @Nullable T one(String sql, Row<T> row, @Nullable Object... arguments) {
		List<T> rows = list(sql, row, arguments);
		return rows.isEmpty() ? null : rows.get(0);
	}

	boolean exists(String sql, @Nullable Object... arguments) {
		return !list(sql, (row) -> row.getInt(1), arguments).isEmpty();
	}

	void update(String sql, @Nullable Object... arguments) {
		try (PreparedStatement statement = prepare(sql, arguments)) {
			statement.executeUpdate();
		}
		catch (SQLException ex) {
			throw this.dialect.failure(ex);
		}
	}

	private PreparedStatement prepare(String sql, @Nullable Object... arguments) throws SQLException {
		PreparedStatement statement = this.connection.prepareStatement(sql);
		try {
			for (int i = 0; i < arguments.length; i++) {
				bind(statement, i + 1, arguments[i]);
			}
			return statement;
		}
		catch (SQLException | RuntimeException ex) {
			statement.close();
			throw ex;
		}
	}

	private static void bind(PreparedStatement statement, int place, @Nullable Object argument) throws SQLException {
		if (argument == null) {
			statement.setNull(place, Types.VARCHAR);
		}
		else if (argument instanceof byte[] bytes) {
			statement.setBytes(place, bytes);
		}
		else if (argument instanceof Long number) {
			statement.setLong(place, number);
		}
		else if (argument instanceof Integer number) {
			statement.setInt(place, number);
		}
		else {
			statement.setString(place, (String) argument);
		}
	}

	/**
	 * Reads the row that a result is at.
	 *
	 * @param <T> what the row is read as
	 */
	@FunctionalInterface
	interface Row<T> {

		T read(ResultSet result) throws SQLException;

	}

}
