package io.sandbox4j.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicReference;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Statements of the application's own in a transaction of the store.
 */
interface CompanionFacts {

	TestDatabase database();

	private JdbcRunStore open() throws SQLException {
		database().execute("CREATE TABLE note (id INTEGER PRIMARY KEY, text VARCHAR(100))");
		return database().builder().build();
	}

	private static void note(Connection connection, int id) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement("INSERT INTO note VALUES (?, 'x')")) {
			statement.setInt(1, id);
			statement.executeUpdate();
		}
	}

	private static void assertRefused(ThrowingCallable call) {
		assertThatExceptionOfType(SQLException.class).isThrownBy(call);
	}

	@Test
	default void bothAreWritten() throws Exception {
		try (JdbcRunStore store = open()) {
			String result = store.transaction("s", (transaction, connection) -> {
				Samples.append(transaction, "with a note");
				note(connection, 1);
				return "result";
			});
			assertThat(result).isEqualTo("result");
			assertThat(Samples.events(store, "s")).hasSize(1);
			assertThat(database().query("SELECT id FROM note")).containsExactly("1");
		}
	}

	@Test
	default void ifTheWorkThrowsNeitherIsWritten() throws Exception {
		try (JdbcRunStore store = open()) {
			assertThatIllegalStateException().isThrownBy(() -> store.transaction("s", (transaction, connection) -> {
				Samples.append(transaction, "undone");
				note(connection, 1);
				throw new IllegalStateException("from the work");
			})).withMessage("from the work");
			assertThat(Samples.events(store, "s")).isEmpty();
			assertThat(database().query("SELECT id FROM note")).isEmpty();
		}
	}

	@Test
	default void ifItsOwnStatementFailsNeitherIsWritten() throws Exception {
		try (JdbcRunStore store = open()) {
			SandboxException failure = Samples.failure(() -> store.transaction("s", (transaction, connection) -> {
				Samples.append(transaction, "undone");
				note(connection, 1);
				note(connection, 1);
				return null;
			}));
			assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_INVALID);
			assertThat(failure).hasMessageContaining("beside the store's own").hasCauseInstanceOf(SQLException.class);
			assertThat(Samples.events(store, "s")).isEmpty();
			assertThat(database().query("SELECT id FROM note")).isEmpty();
			store.transaction("s", (transaction, connection) -> Samples.append(transaction, "afterwards"));
		}
	}

	@Test
	default void ifARecordDoesNotFitNeitherIsWritten() throws Exception {
		try (JdbcRunStore store = open()) {
			assertThat(Samples.code(() -> store.transaction("s", (transaction, connection) -> {
				note(connection, 1);
				try {
					transaction.save(Samples.operation("s", "o", 0));
				}
				catch (SandboxException ex) {
					// As if nothing had happened.
				}
				return null;
			}))).isEqualTo(ErrorCode.SANDBOX_INVALID);
			assertThat(database().query("SELECT id FROM note")).isEmpty();
		}
	}

	@Test
	default void itSeesWhatTheStoreWroteAndTheOtherWayRound() throws Exception {
		try (JdbcRunStore store = open()) {
			store.transaction("s", (transaction, connection) -> {
				Samples.append(transaction, "first");
				try (Statement statement = connection.createStatement();
						ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM sandbox4j_event")) {
					assertThat(rows.next()).isTrue();
					assertThat(rows.getInt(1)).isEqualTo(1);
				}
				return null;
			});
		}
	}

	@Test
	default void theTransactionCannotBeEnded() throws Exception {
		try (JdbcRunStore store = open()) {
			store.transaction("s", (transaction, connection) -> {
				Samples.append(transaction, "kept");
				assertRefused(connection::commit);
				assertRefused(connection::rollback);
				assertRefused(connection::close);
				assertRefused(() -> connection.abort(Runnable::run));
				assertRefused(() -> connection.setAutoCommit(true));
				assertRefused(() -> connection.unwrap(Connection.class));
				return null;
			});
			assertThat(Samples.events(store, "s")).hasSize(1);
		}
	}

	@Test
	default void whatTheConnectionGivesLeadsBackToIt() throws Exception {
		try (JdbcRunStore store = open()) {
			store.transaction("s", (transaction, connection) -> {
				try (Statement statement = connection.createStatement();
						PreparedStatement prepared = connection.prepareStatement("SELECT 1");
						ResultSet rows = prepared.executeQuery()) {
					assertThat(statement.getConnection()).isSameAs(connection);
					assertThat(prepared.getConnection()).isSameAs(connection);
					assertThat(rows.getStatement().getConnection()).isSameAs(connection);
					assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
					assertRefused(() -> statement.unwrap(Statement.class));
				}
				return null;
			});
		}
	}

	@Test
	default void aSavepointMayBeGoneBackTo() throws Exception {
		try (JdbcRunStore store = open()) {
			store.transaction("s", (transaction, connection) -> {
				note(connection, 1);
				Savepoint savepoint = connection.setSavepoint("before");
				note(connection, 2);
				connection.rollback(savepoint);
				return Samples.append(transaction, "kept");
			});
			assertThat(database().query("SELECT id FROM note")).containsExactly("1");
			assertThat(Samples.events(store, "s")).hasSize(1);
		}
	}

	@Test
	default void nothingIsOfUseAfterTheTransaction() throws Exception {
		try (JdbcRunStore store = open()) {
			AtomicReference<Connection> kept = new AtomicReference<>();
			AtomicReference<PreparedStatement> statement = new AtomicReference<>();
			store.transaction("s", (transaction, connection) -> {
				kept.set(connection);
				statement.set(connection.prepareStatement("INSERT INTO note VALUES (7, 'late')"));
				return null;
			});
			assertRefused(() -> kept.get().createStatement());
			assertRefused(() -> statement.get().executeUpdate());
			statement.get().close();
			assertThat(database().query("SELECT id FROM note")).isEmpty();
		}
	}

}
