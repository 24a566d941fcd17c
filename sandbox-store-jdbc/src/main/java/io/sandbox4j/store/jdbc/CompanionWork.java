package io.sandbox4j.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import io.sandbox4j.run.RunTransaction;
import org.jspecify.annotations.Nullable;

/**
 * What is written together with a sandbox's records: statements of the application's own,
 * on tables of its own in the same database.
 *
 * @param <T> the type of the result
 * @since 0.1.0
 */
@FunctionalInterface
public interface CompanionWork<T extends @Nullable Object> {

	/**
	 * Writes.
	 * @param transaction writes of the sandbox
	 * @param connection of the same transaction; it cannot be committed, rolled back or
	 * closed, and is of no use afterwards. Tables whose names start with
	 * {@code sandbox4j_} are not to be touched
	 * @return the result of the call
	 * @throws SQLException if a statement fails; nothing is written then
	 */
	T apply(RunTransaction transaction, Connection connection) throws SQLException;

}
