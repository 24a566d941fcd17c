package io.sandbox4j.store.jdbc;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

import javax.sql.DataSource;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.storage.Durability;
import org.jspecify.annotations.Nullable;

/**
 * Opens a {@link JdbcRunStore}.
 *
 * @since 0.1.0
 */
public final class JdbcRunStoreBuilder {

	/**
	 * A larger file would make the start wait; it can be looked at with
	 * {@link JdbcRunStore#check()}.
	 */
	private static final long MAX_CHECKED_BYTES = 64 << 20;

	private final @Nullable Path file;

	private final @Nullable DataSource dataSource;

	private boolean initialize = true;

	private Durability durability = Durability.POWER_LOSS;

	private int maxReaders = 4;

	private Duration statementTimeout = Duration.ofSeconds(30);

	private Duration lockTimeout = Duration.ofSeconds(1);

	private InstantSource clock = InstantSource.system();

	JdbcRunStoreBuilder(@Nullable Path file, @Nullable DataSource dataSource) {
		this.file = file;
		this.dataSource = dataSource;
		if (file == null) {
			Objects.requireNonNull(dataSource, "'dataSource' must not be null");
		}
	}

	/**
	 * Sets whether missing tables are made and old ones are migrated. By default they
	 * are; otherwise the store only opens if they are as it needs them.
	 * @param initialize whether to make and to migrate
	 * @return this builder
	 */
	public JdbcRunStoreBuilder initialize(boolean initialize) {
		this.initialize = initialize;
		return this;
	}

	/**
	 * Sets what a write survives with SQLite, by default a power loss. What PostgreSQL
	 * survives is set at the server.
	 * @param durability what it survives
	 * @return this builder
	 */
	public JdbcRunStoreBuilder durability(Durability durability) {
		this.durability = Objects.requireNonNull(durability, "'durability' must not be null");
		return this;
	}

	/**
	 * Sets how many reads are done at once with SQLite, by default 4. With PostgreSQL the
	 * data source decides.
	 * @param maxReaders how many, 1 to 64
	 * @return this builder
	 */
	public JdbcRunStoreBuilder maxReaders(int maxReaders) {
		require(maxReaders >= 1 && maxReaders <= 64, "'maxReaders' must be between 1 and 64.");
		this.maxReaders = maxReaders;
		return this;
	}

	/**
	 * Sets how long PostgreSQL may work on one statement, by default 30 seconds.
	 * @param statementTimeout how long, 1 millisecond to 1 hour
	 * @return this builder
	 */
	public JdbcRunStoreBuilder statementTimeout(Duration statementTimeout) {
		this.statementTimeout = requireTime("statementTimeout", statementTimeout);
		return this;
	}

	/**
	 * Sets how long a statement waits for a lock of PostgreSQL that others hold, such as
	 * an administrator's on a whole table, by default one second.
	 * @param lockTimeout how long, 1 millisecond to 1 hour
	 * @return this builder
	 */
	public JdbcRunStoreBuilder lockTimeout(Duration lockTimeout) {
		this.lockTimeout = requireTime("lockTimeout", lockTimeout);
		return this;
	}

	/**
	 * Sets the clock that dates a migration.
	 * @param clock the clock
	 * @return this builder
	 */
	public JdbcRunStoreBuilder clock(InstantSource clock) {
		this.clock = Objects.requireNonNull(clock, "'clock' must not be null");
		return this;
	}

	private static Duration requireTime(String name, Duration time) {
		require(time.compareTo(Duration.ofMillis(1)) >= 0 && time.compareTo(Duration.ofHours(1)) <= 0,
				"'" + name + "' must be between 1 ms and 1 h.");
		return time;
	}

	private static void require(boolean valid, String message) {
		if (!valid) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, message);
		}
	}

	/**
	 * Opens the store, and makes or migrates its tables if it may.
	 * @return the store
	 * @throws SandboxException {@link ErrorCode#SANDBOX_UNAVAILABLE} if the database
	 * cannot be reached, {@link ErrorCode#SANDBOX_STATE_MISMATCH} if its tables are not
	 * as needed or it is damaged, {@link ErrorCode#SANDBOX_INVALID} if it is one that the
	 * store does not know
	 */
	public JdbcRunStore build() {
		Database database = open();
		try {
			if (this.file != null && this.file.toFile().length() <= MAX_CHECKED_BYTES) {
				database.check();
			}
			new Schema(database, this.clock, Schema.PATIENCE).require(this.initialize);
			return new JdbcRunStore(database);
		}
		catch (RuntimeException ex) {
			try {
				database.close();
			}
			catch (RuntimeException closing) {
				ex.addSuppressed(closing);
			}
			throw ex;
		}
	}

	private Database open() {
		if (this.file != null) {
			if (!this.initialize && !Files.exists(this.file)) {
				throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH, "The store's file " + this.file
						+ " is not there, and 'initialize' is off. Open it once with it on.");
			}
			return new SqliteDatabase(this.file, this.durability, this.maxReaders);
		}
		DataSource source = Objects.requireNonNull(this.dataSource);
		requirePostgres(source);
		return new PostgresDatabase(source, this.statementTimeout, this.lockTimeout);
	}

	private static void requirePostgres(DataSource source) {
		try (Connection connection = Transactions.connection(source)) {
			String product = connection.getMetaData().getDatabaseProductName();
			require(product.equals("PostgreSQL"), "The data source is of " + product
					+ ". The store knows PostgreSQL, and SQLite in a file of its own: use JdbcRunStore.sqlite(file).");
			String encoding = new Statements(connection, Dialect.POSTGRESQL).one("SHOW server_encoding",
					(row) -> row.getString(1));
			require("UTF8".equals(encoding),
					"The database's encoding is " + encoding + ", and UTF8 is needed. Create another database.");
		}
		catch (SQLException ex) {
			throw Dialect.POSTGRESQL.failure(ex);
		}
	}

}
