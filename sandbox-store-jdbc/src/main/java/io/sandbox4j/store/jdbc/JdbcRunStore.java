package io.sandbox4j.store.jdbc;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.function.Function;

import javax.sql.DataSource;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.run.AbstractRunStore;
import io.sandbox4j.run.RunTransaction;
import io.sandbox4j.run.RunView;
import org.jspecify.annotations.Nullable;

/**
 * Keeps durable runs in a database. All tables begin with {@code sandbox4j_}, so that a
 * database may have others too.
 * <p>
 * With SQLite one process writes at a time, of whatever sandbox; with PostgreSQL one
 * process writes of a sandbox at a time. In both cases reads wait for no writer.
 * <p>
 * Besides the failures of every store, {@link ErrorCode#SANDBOX_STATE_MISMATCH} says that
 * what is stored is damaged or of another version.
 *
 * @since 0.1.0
 */
public final class JdbcRunStore extends AbstractRunStore {

	private final Database database;

	JdbcRunStore(Database database) {
		this.database = database;
	}

	/**
	 * Begins a store in a file of its own, with SQLite.
	 * @param file the file, which is made if it is not there; on a local file system
	 * @return a builder
	 */
	public static JdbcRunStoreBuilder sqlite(Path file) {
		return new JdbcRunStoreBuilder(file, null);
	}

	/**
	 * Begins a store in a PostgreSQL database of the application, in the schema that is
	 * current for its connections.
	 * @param dataSource gives connections, at best from a pool; it stays the
	 * application's and is not closed
	 * @return a builder
	 */
	public static JdbcRunStoreBuilder dataSource(DataSource dataSource) {
		return new JdbcRunStoreBuilder(null, dataSource);
	}

	/**
	 * Writes of one sandbox, and whatever else belongs to the same transaction. If the
	 * work throws, nothing is written.
	 * @param <T> the type of the result
	 * @param sandbox the sandbox's key
	 * @param work writes
	 * @return what the work returns
	 * @throws SandboxException as {@link #write}, and for an {@link SQLException} of the
	 * work, which is its cause
	 */
	public <T extends @Nullable Object> T transaction(String sandbox, CompanionWork<T> work) {
		return change(sandbox, (checked, stored) -> {
			CompanionConnection companion = new CompanionConnection(
					((JdbcRunTransaction) stored).statements().connection());
			try {
				return work.apply(checked, companion.proxy());
			}
			catch (SQLException ex) {
				throw this.database.dialect().companionFailure(ex);
			}
			finally {
				companion.end();
			}
		});
	}

	/**
	 * Looks whether what is stored is whole. With SQLite it reads the whole file.
	 * @throws SandboxException {@link ErrorCode#SANDBOX_STATE_MISMATCH} if it is not,
	 * {@link ErrorCode#SANDBOX_UNAVAILABLE} if it cannot be reached
	 */
	public void check() {
		read((view) -> view.sandboxes("", 1));
		this.database.check();
	}

	@Override
	protected <T extends @Nullable Object> T readStored(Function<? super RunView, T> work) {
		return this.database
			.read((connection) -> work.apply(new JdbcRunView(new Statements(connection, this.database.dialect()))));
	}

	@Override
	protected <T extends @Nullable Object> T writeStored(String sandbox, Function<? super RunTransaction, T> work) {
		return this.database.write(sandbox, (connection) -> work
			.apply(new JdbcRunTransaction(new Statements(connection, this.database.dialect()), sandbox)));
	}

	@Override
	protected void closeStored() {
		this.database.close();
	}

}
