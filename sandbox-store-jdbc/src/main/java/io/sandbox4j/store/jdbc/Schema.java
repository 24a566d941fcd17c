package io.sandbox4j.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;

/**
 * The tables, and which version of them is there. Flyway makes them, with a history of
 * its own, so that an application's own migrations know nothing of it.
 */
final class Schema {

	static final int VERSION = 2;

	private static final String HISTORY = "sandbox4j_schema_history";

	/**
	 * Two processes that begin at once get into each other's way: Flyway makes its own
	 * table without a lock, and has none at all with SQLite. A migration is one
	 * transaction, so that each is done once.
	 */
	static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final int ATTEMPTS = 6;

	private static final long PAUSE_MILLIS = 50;

	/**
	 * What no number of ours is.
	 */
	private static final int UNKNOWN = Integer.MAX_VALUE;

	private final Database database;

	private final InstantSource clock;

	private final Duration patience;

	Schema(Database database, InstantSource clock, Duration patience) {
		this.database = database;
		this.clock = clock;
		this.patience = patience;
	}

	void require(boolean initialize) {
		int version = version();
		if (version > VERSION) {
			String found = (version != UNKNOWN) ? "the schema's version " + version : "a schema of its own";
			throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
					"The store of runs has " + found + ", and this program knows version " + VERSION
							+ ". Use the program that made it, or a later one.");
		}
		if (version < VERSION && !initialize) {
			throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
					"The store of runs has " + ((version == 0) ? "no tables" : "the schema's version " + version)
							+ ", version " + VERSION + " is needed, and 'initialize' is off. Open it once with it on.");
		}
		long end = System.nanoTime() + this.patience.toNanos();
		for (int attempt = 1; version < VERSION; attempt++) {
			version = migrated(end, attempt >= ATTEMPTS);
		}
	}

	// Whoever is in the way is waited for; anything else is over soon or never. A pool
	// that gives no connection has waited already.
	private int migrated(long end, boolean last) {
		try {
			migrate(VERSION);
		}
		catch (FlywayException ex) {
			SQLException cause = cause(ex);
			SandboxException failure = failure(ex, cause);
			boolean waits = failure.code() == ErrorCode.SANDBOX_BUSY || (!last && !isUnconnected(cause));
			if (!waits || System.nanoTime() > end || !pause()) {
				throw failure;
			}
		}
		return version();
	}

	private static @Nullable SQLException cause(FlywayException failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException sql) {
				return sql;
			}
		}
		return null;
	}

	private static boolean isUnconnected(@Nullable SQLException failure) {
		return failure instanceof SQLTransientConnectionException
				|| (failure != null && Dialect.state(failure).startsWith("08"));
	}

	private static boolean pause() {
		try {
			Thread.sleep(PAUSE_MILLIS);
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	void migrate(int target) {
		Flyway.configure(Schema.class.getClassLoader())
			.dataSource(NamelessSource.of(this.database.schemaSource()))
			.locations("classpath:io/sandbox4j/store/jdbc/" + this.database.dialect().location())
			.table(HISTORY)
			.baselineOnMigrate(true)
			.baselineVersion("0")
			.target(Integer.toString(target))
			.placeholders(Map.of("now", Rows.time(this.clock.instant())))
			.load()
			.migrate();
	}

	private SandboxException failure(FlywayException failure, @Nullable SQLException cause) {
		if (isUnconnected(cause)) {
			return new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"The data source gave no connection to make the tables of the store of runs with, which takes "
							+ "two at once. Let the pool have more, and see that the server runs.",
					failure);
		}
		return (cause != null) ? this.database.dialect().failure(cause)
				: new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
						"The tables of the store of runs could not be made. The cause says why.", failure);
	}

	int version() {
		Dialect dialect = this.database.dialect();
		try (Connection connection = Transactions.connection(this.database.schemaSource())) {
			Statements statements = new Statements(connection, dialect);
			if (statements.list(dialect.historyQuery(), (row) -> row.getInt(1)).isEmpty()) {
				return 0;
			}
			List<String> versions = statements.list(
					"SELECT \"version\" FROM " + HISTORY + " WHERE \"success\" AND \"version\" IS NOT NULL",
					(row) -> row.getString(1));
			return versions.stream().mapToInt(Schema::number).max().orElse(0);
		}
		catch (SQLException ex) {
			throw dialect.failure(ex);
		}
	}

	// A version that is none of ours is one we know nothing of.
	private static int number(@Nullable String version) {
		try {
			return Integer.parseInt((version != null) ? version : "");
		}
		catch (NumberFormatException ex) {
			return UNKNOWN;
		}
	}

}
