package io.sandbox4j.store.jdbc;

import java.nio.file.Path;
import java.util.List;

/**
 * How a child process finds the database of its test.
 */
final class ChildDatabase {

	private ChildDatabase() {
	}

	static TestDatabase of(List<String> arguments) {
		return arguments.get(0).equals("sqlite") ? new SqliteTestDatabase(Path.of(arguments.get(1)))
				: new PostgresTestDatabase(Integer.parseInt(arguments.get(1)), arguments.get(2));
	}

}
