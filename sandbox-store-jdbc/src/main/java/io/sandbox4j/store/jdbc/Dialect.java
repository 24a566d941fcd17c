package io.sandbox4j.store.jdbc;

import java.sql.SQLException;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.run.RunTransaction;
import org.jspecify.annotations.Nullable;

/**
 * What differs between the databases, besides how a transaction begins. Messages are
 * ours: what a driver says may hold values and addresses, and stays in the cause.
 */
enum Dialect {

	SQLITE("sqlite", "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'sandbox4j_schema_history'") {

		@Override
		ErrorCode code(SQLException failure) {
			// The upper bytes tell more of the same.
			return switch (failure.getErrorCode() & 0xff) {
				case 5, 6 -> ErrorCode.SANDBOX_BUSY;
				case 13 -> ErrorCode.SANDBOX_LIMIT;
				case 11, 26 -> ErrorCode.SANDBOX_STATE_MISMATCH;
				case 19 -> ErrorCode.SANDBOX_INVALID;
				default -> ErrorCode.SANDBOX_UNAVAILABLE;
			};
		}

	},

	POSTGRESQL("postgresql", "SELECT 1 WHERE to_regclass('sandbox4j_schema_history') IS NOT NULL") {

		@Override
		ErrorCode code(SQLException failure) {
			String state = state(failure);
			return switch (state) {
				case "55P03", "40001", "40P01" -> ErrorCode.SANDBOX_BUSY;
				case "53100" -> ErrorCode.SANDBOX_LIMIT;
				case "XX001", "XX002" -> ErrorCode.SANDBOX_STATE_MISMATCH;
				default -> state.startsWith("23") ? ErrorCode.SANDBOX_INVALID : ErrorCode.SANDBOX_UNAVAILABLE;
			};
		}

	};

	private final String location;

	private final String historyQuery;

	Dialect(String location, String historyQuery) {
		this.location = location;
		this.historyQuery = historyQuery;
	}

	String location() {
		return this.location;
	}

	String historyQuery() {
		return this.historyQuery;
	}

	abstract ErrorCode code(SQLException failure);

	static String state(SQLException failure) {
		String state = failure.getSQLState();
		return (state != null) ? state : "";
	}

	SandboxException failure(SQLException failure) {
		return failure(failure, RunTransaction.UNFIT);
	}

	/**
	 * Returns the failure of a statement that is not the store's.
	 * @param failure what the driver said
	 * @return the failure
	 */
	SandboxException companionFailure(SQLException failure) {
		return failure(failure, "A statement beside the store's own was refused. The cause says why.");
	}

	private SandboxException failure(SQLException failure, String unfit) {
		ErrorCode code = code(failure);
		if (code == ErrorCode.SANDBOX_STATE_MISMATCH) {
			return damaged(failure);
		}
		String message = switch (code) {
			case SANDBOX_BUSY -> "Another process writes to the store of runs. Try again.";
			case SANDBOX_LIMIT -> "The store of runs has no room: its disk is full, or it may not grow. Make room.";
			case SANDBOX_INVALID -> unfit;
			default -> "The database of the store of runs failed. The cause says how.";
		};
		return new SandboxException(code, message, failure);
	}

	static SandboxException damaged(@Nullable Exception cause) {
		return new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
				"The store of runs is damaged. Stop the application, and restore the database from a backup.", cause);
	}

}
