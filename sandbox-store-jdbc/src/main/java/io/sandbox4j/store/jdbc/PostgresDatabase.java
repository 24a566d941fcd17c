package io.sandbox4j.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;

import javax.sql.DataSource;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL through the application's data source: a connection for each call, given
 * back as it was. A writer takes an advisory lock of its sandbox, which ends with its
 * transaction however that ends, and does not wait for it.
 */
final class PostgresDatabase implements Database {

	/**
	 * A pool may have several connections to a server that was restarted.
	 */
	private static final int ATTEMPTS = 8;

	private static final String TRY_LOCK = "SELECT pg_try_advisory_xact_lock("
			+ "hashtextextended('sandbox4j/' || ?, 'sandbox4j_sandbox'::regclass::oid::bigint))";

	private static final String TOUCH = "INSERT INTO sandbox4j_writer (sandbox, writes) VALUES (?, 1) "
			+ "ON CONFLICT (sandbox) DO UPDATE SET writes = sandbox4j_writer.writes + 1";

	private final DataSource dataSource;

	private final String settings;

	PostgresDatabase(DataSource dataSource, Duration statementTimeout, Duration lockTimeout) {
		this.dataSource = dataSource;
		this.settings = "; SET LOCAL statement_timeout = " + statementTimeout.toMillis() + "; SET LOCAL lock_timeout = "
				+ lockTimeout.toMillis();
	}

	@Override
	public Dialect dialect() {
		return Dialect.POSTGRESQL;
	}

	@Override
	public DataSource schemaSource() {
		return this.dataSource;
	}

	@Override
	public <T extends @Nullable Object> T read(Function<? super Connection, T> work) {
		return finished(begun("READ ONLY", null), work);
	}

	@Override
	public <T extends @Nullable Object> T write(String sandbox, Function<? super Connection, T> work) {
		return finished(begun("READ WRITE", sandbox), work);
	}

	// Nothing was done yet, so a connection that turns out to be dead is one to do
	// without. A pool that gives none has waited already.
	private Borrowed begun(String access, @Nullable String sandbox) {
		for (int attempt = 1;; attempt++) {
			Borrowed borrowed = borrow();
			try {
				begin(borrowed, access, sandbox);
				return borrowed;
			}
			catch (SQLException ex) {
				borrowed.undo(ex);
				if (attempt == ATTEMPTS || !passes(ex)) {
					throw Dialect.POSTGRESQL.failure(ex);
				}
			}
			catch (RuntimeException | Error ex) {
				borrowed.undo(ex);
				throw ex;
			}
		}
	}

	private void begin(Borrowed borrowed, String access, @Nullable String sandbox) throws SQLException {
		Connection connection = borrowed.connection();
		if (borrowed.autoCommit()) {
			connection.setAutoCommit(false);
		}
		else {
			connection.rollback();
		}
		Transactions.execute(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ " + access + this.settings);
		if (sandbox != null) {
			take(connection, sandbox);
		}
	}

	private static boolean passes(SQLException failure) {
		String state = Dialect.state(failure);
		return state.equals("40001") || isLost(state);
	}

	private static boolean isLost(String state) {
		return state.startsWith("08") || state.startsWith("57P");
	}

	// A pool would end the wait for a connection of a thread that was interrupted before
	// it came.
	private Borrowed borrow() {
		boolean interrupted = Thread.interrupted();
		try {
			Connection connection = Transactions.connection(this.dataSource);
			try {
				return new Borrowed(connection, connection.getAutoCommit());
			}
			catch (SQLException ex) {
				Transactions.closeAfter(connection, ex);
				throw ex;
			}
		}
		catch (SQLException ex) {
			throw Dialect.POSTGRESQL.failure(ex);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private static void take(Connection connection, String sandbox) throws SQLException {
		try (PreparedStatement lock = connection.prepareStatement(TRY_LOCK)) {
			lock.setString(1, sandbox);
			try (ResultSet result = lock.executeQuery()) {
				if (!result.next() || !result.getBoolean(1)) {
					throw new SandboxException(ErrorCode.SANDBOX_BUSY,
							"Another process writes of this sandbox. Try again.");
				}
			}
		}
		// The snapshot is from before the lock. If somebody wrote in between, this fails
		// with 40001.
		try (PreparedStatement touch = connection.prepareStatement(TOUCH)) {
			touch.setString(1, sandbox);
			touch.executeUpdate();
		}
	}

	private static <T extends @Nullable Object> T finished(Borrowed borrowed, Function<? super Connection, T> work) {
		T result;
		try {
			result = work.apply(borrowed.connection());
		}
		catch (RuntimeException | Error ex) {
			borrowed.undo(ex);
			throw ex;
		}
		try {
			borrowed.connection().commit();
		}
		catch (SQLException ex) {
			borrowed.undo(ex);
			if (isLost(Dialect.state(ex))) {
				throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
						"The connection was lost at the end of the call, so it is not known whether it was written. "
								+ "Read before you write again.",
						ex);
			}
			throw Dialect.POSTGRESQL.failure(ex);
		}
		try {
			borrowed.giveBack();
		}
		catch (SQLException ex) {
			// It is written; what a pool cannot take back it closes.
		}
		return result;
	}

	@Override
	public void check() {
		// A server looks after its own files.
		this.<@Nullable Object>read((connection) -> null);
	}

	@Override
	public void close() {
		// The data source is the application's.
	}

	/**
	 * A connection of the data source.
	 *
	 * @param connection the connection
	 * @param autoCommit how it was given
	 */
	private record Borrowed(Connection connection, boolean autoCommit) {

		void undo(Throwable failure) {
			try {
				this.connection.rollback();
				giveBack();
			}
			catch (SQLException ex) {
				failure.addSuppressed(ex);
				Transactions.closeAfter(this.connection, failure);
			}
		}

		void giveBack() throws SQLException {
			try (Connection closing = this.connection) {
				closing.setAutoCommit(this.autoCommit);
			}
		}

	}

}
