package io.sandbox4j.store.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

import javax.sql.DataSource;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.storage.Durability;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * SQLite with a write-ahead log: one connection that writes, under a fair lock, and a few
 * that read, each from one snapshot that no writer disturbs.
 * <p>
 * A writer of another process is not waited for. A reader waits, since all that makes it
 * wait is a recovery or a last close, which take moments.
 */
final class SqliteDatabase implements Database {

	private static final Duration MOMENTS = Duration.ofSeconds(10);

	private static final Duration SHORT = Duration.ofSeconds(1);

	private static final Duration PAUSE = Duration.ofMillis(5);

	private final SQLiteDataSource opening;

	private final SQLiteDataSource reading;

	private final ReentrantLock writing = new ReentrantLock(true);

	private final Semaphore readers;

	private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

	private @Nullable Connection writer;

	SqliteDatabase(Path file, Durability durability, int maxReaders) {
		String url = "jdbc:sqlite:" + SqliteFile.prepare(file);
		this.opening = source(url, durability, SHORT, false);
		this.reading = source(url, durability, MOMENTS, true);
		this.readers = new Semaphore(maxReaders, true);
	}

	private static SQLiteDataSource source(String url, Durability durability, Duration patience, boolean readOnly) {
		SQLiteConfig config = new SQLiteConfig();
		config.setBusyTimeout((int) patience.toMillis());
		config.enforceForeignKeys(true);
		config.setSynchronous((durability == Durability.POWER_LOSS) ? SQLiteConfig.SynchronousMode.FULL
				: SQLiteConfig.SynchronousMode.NORMAL);
		if (!readOnly) {
			config.setJournalMode(SQLiteConfig.JournalMode.WAL);
		}
		SQLiteDataSource source = new SQLiteDataSource(config);
		source.setUrl(url);
		return source;
	}

	@Override
	public Dialect dialect() {
		return Dialect.SQLITE;
	}

	@Override
	public DataSource schemaSource() {
		return this.opening;
	}

	@Override
	public <T extends @Nullable Object> T read(Function<? super Connection, T> work) {
		this.readers.acquireUninterruptibly();
		try {
			Connection known = this.idle.poll();
			Connection connection = (known != null) ? known : connect(this.reading, "PRAGMA query_only = 1");
			return transaction(connection, "BEGIN", work, this.idle::push);
		}
		catch (SQLException ex) {
			throw Dialect.SQLITE.failure(ex);
		}
		finally {
			this.readers.release();
		}
	}

	@Override
	public <T extends @Nullable Object> T write(String sandbox, Function<? super Connection, T> work) {
		this.writing.lock();
		try {
			Connection connection = writer();
			this.writer = null;
			return transaction(connection, "BEGIN IMMEDIATE", work, (kept) -> this.writer = kept);
		}
		catch (SQLException ex) {
			throw Dialect.SQLITE.failure(ex);
		}
		finally {
			this.writing.unlock();
		}
	}

	private Connection writer() throws SQLException {
		Connection known = this.writer;
		return (known != null) ? known : connect(this.opening, "PRAGMA busy_timeout = 0");
	}

	// Some file systems have none, and then readers would wait for writers.
	private void requireLog() {
		if (!"wal".equals(journalMode())) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"The store's file can have no write-ahead log. Put it on a local file system.");
		}
	}

	// Of those that open a new file at once, each gives it the log, and SQLite lets none
	// of them wait for another: the busy timeout is not for that.
	private @Nullable String journalMode() {
		long end = System.nanoTime() + SHORT.toNanos();
		while (true) {
			try (Connection connection = this.opening.getConnection()) {
				return new Statements(connection, Dialect.SQLITE).one("PRAGMA journal_mode", (row) -> row.getString(1));
			}
			catch (SQLException ex) {
				if (Dialect.SQLITE.code(ex) != ErrorCode.SANDBOX_BUSY || System.nanoTime() > end) {
					throw Dialect.SQLITE.failure(ex);
				}
				LockSupport.parkNanos(PAUSE.toNanos());
			}
		}
	}

	private static Connection connect(DataSource source, String setting) throws SQLException {
		Connection connection = source.getConnection();
		try {
			Transactions.execute(connection, setting);
			return connection;
		}
		catch (SQLException ex) {
			Transactions.closeAfter(connection, ex);
			throw ex;
		}
	}

	// A connection whose transaction could not be undone is closed, which undoes it.
	private static <T extends @Nullable Object> T transaction(Connection connection, String begin,
			Function<? super Connection, T> work, Consumer<Connection> keep) throws SQLException {
		begin(connection, begin, keep);
		T result;
		try {
			result = work.apply(connection);
			Transactions.execute(connection, "COMMIT");
		}
		catch (SQLException | RuntimeException | Error ex) {
			undo(connection, keep, ex);
			throw ex;
		}
		keep.accept(connection);
		return result;
	}

	private static void begin(Connection connection, String begin, Consumer<Connection> keep) throws SQLException {
		try {
			Transactions.execute(connection, begin);
		}
		catch (SQLException ex) {
			if (Dialect.SQLITE.code(ex) == ErrorCode.SANDBOX_BUSY) {
				keep.accept(connection);
			}
			else {
				Transactions.closeAfter(connection, ex);
			}
			throw ex;
		}
	}

	private static void undo(Connection connection, Consumer<Connection> keep, Throwable failure) {
		try {
			Transactions.execute(connection, "ROLLBACK");
			keep.accept(connection);
		}
		catch (SQLException ex) {
			// SQLite undoes some failures by itself, such as a full disk.
			Transactions.closeAfter(connection, failure);
		}
	}

	@Override
	public void check() {
		String found = read((connection) -> new Statements(connection, Dialect.SQLITE).one("PRAGMA quick_check(1)",
				(row) -> row.getString(1)));
		if (!"ok".equals(found)) {
			throw Dialect.damaged(null);
		}
		requireLog();
	}

	@Override
	public void close() {
		SQLException failure = null;
		// The last one that closes takes the log into the file, and only the writer may.
		for (Connection connection = this.idle.poll(); connection != null; connection = this.idle.poll()) {
			failure = closed(connection, failure);
		}
		if (this.writer != null) {
			failure = closed(this.writer, failure);
			this.writer = null;
		}
		if (failure != null) {
			throw Dialect.SQLITE.failure(failure);
		}
	}

	private static @Nullable SQLException closed(Connection connection, @Nullable SQLException failure) {
		try {
			connection.close();
			return failure;
		}
		catch (SQLException ex) {
			if (failure != null) {
				ex.addSuppressed(failure);
			}
			return ex;
		}
	}

}
