package io.sandbox4j.store.jdbc;

import java.lang.reflect.Field;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How the databases answer each query, so that it takes no longer the more is stored.
 */
class QueryPlanTests {

	// What they read has no bound but the sandbox's queue, or its checkouts, and is
	// sorted
	// by something else than it is found by.
	private static final List<String> SORTED = List.of("UNSETTLED_OPERATIONS", "UNSETTLED_CONVERSATIONS", "CHECKOUTS");

	@RegisterExtension
	private final PostgresServer server = new PostgresServer();

	@TempDir
	private Path directory;

	private static Map<String, String> queries() throws IllegalAccessException {
		Map<String, String> queries = new TreeMap<>();
		for (Field field : Queries.class.getDeclaredFields()) {
			queries.put(field.getName(), (String) field.get(null));
		}
		assertThat(queries).hasSizeGreaterThan(15);
		return queries;
	}

	private static List<String> plan(TestDatabase database, String explain, String sql, String column)
			throws Exception {
		try (Connection connection = database.connect();
				PreparedStatement statement = connection.prepareStatement(explain + sql)) {
			for (int i = 1; i <= statement.getParameterMetaData().getParameterCount(); i++) {
				String before = sql.split("\\?", -1)[i - 1];
				if (before.matches("(?s).*(LIMIT|number >|sequence >|place >=) $")) {
					statement.setInt(i, 10);
				}
				else {
					statement.setString(i, "s5");
				}
			}
			List<String> steps = new ArrayList<>();
			try (ResultSet rows = statement.executeQuery()) {
				while (rows.next()) {
					steps.add(rows.getString(column));
				}
			}
			return steps;
		}
	}

	@Test
	void sqliteSearchesAnIndexAndNeverScansATable() throws Exception {
		SqliteTestDatabase database = new SqliteTestDatabase(this.directory.resolve("runs.db"));
		database.builder().build().close();
		for (Map.Entry<String, String> query : queries().entrySet()) {
			List<String> plan = plan(database, "EXPLAIN QUERY PLAN ", query.getValue(), "detail");
			assertThat(plan).as(query.getKey()).isNotEmpty().noneMatch((step) -> step.startsWith("SCAN sandbox4j"));
			if (!SORTED.contains(query.getKey())) {
				assertThat(plan).as(query.getKey()).noneMatch((step) -> step.contains("TEMP B-TREE"));
			}
		}
	}

	@Test
	void sqliteReadsNoTextToFindWhatIsNext() throws Exception {
		SqliteTestDatabase database = new SqliteTestDatabase(this.directory.resolve("runs.db"));
		database.builder().build().close();
		String queue = " USING COVERING INDEX sandbox4j_operation_unsettled (sandbox=?";
		String runs = "SEARCH r USING COVERING INDEX sandbox4j_run_conversation (sandbox=? AND conversation=?)";
		assertThat(sqlitePlan(database, Queries.HAS_UNSETTLED))
			.containsExactly("SEARCH sandbox4j_operation" + queue + ")");
		assertThat(sqlitePlan(database, Queries.HAS_UNSETTLED_OF_RUN))
			.containsExactly("SEARCH sandbox4j_operation" + queue + " AND run=?)");
		assertThat(sqlitePlan(database, Queries.UNSETTLED_CONVERSATIONS)).startsWith("SEARCH o" + queue + ")");
		assertThat(sqlitePlan(database, Queries.NEXT_OPERATION)).contains(runs, "SEARCH o" + queue + " AND run=?)");
		assertThat(sqlitePlan(database, Queries.HAS_TURNS)).containsExactly(runs,
				"SEARCH o USING INDEX sandbox4j_operation_begun (sandbox=? AND run=?)");
	}

	private static List<String> sqlitePlan(TestDatabase database, String sql) throws Exception {
		return plan(database, "EXPLAIN QUERY PLAN ", sql, "detail");
	}

	@Test
	void postgresSearchesAnIndexAndNeverScansATable() throws Exception {
		PostgresTestDatabase database = this.server.database();
		database.builder().build().close();
		String time = "'2025-01-02T03:04:05.000000006Z'";
		database.execute(
				"INSERT INTO sandbox4j_sandbox SELECT 's' || s, NULL, NULL, NULL, 0, NULL, 100, " + time + ", " + time
						+ " FROM generate_series(0, 4999) s",
				"INSERT INTO sandbox4j_run SELECT 's' || s, 'r' || r, 'c' || r, NULL, '', 0, " + time
						+ " FROM generate_series(0, 99) s, generate_series(0, 99) r",
				"INSERT INTO sandbox4j_operation SELECT 's' || s, 'r' || r, 'o', r, '', 'DONE', NULL, '', 'x', " + time
						+ ", " + time + ", CASE WHEN r = 99 THEN 1 ELSE 0 END "
						+ "FROM generate_series(0, 99) s, generate_series(0, 99) r",
				"INSERT INTO sandbox4j_message SELECT 's' || s, 'r' || r, 'o', 0, 'm', 'd', '' "
						+ "FROM generate_series(0, 99) s, generate_series(0, 99) r",
				"INSERT INTO sandbox4j_checkout SELECT 's' || s, 'd' || d, 'SCRATCH', NULL, " + time
						+ " FROM generate_series(0, 99) s, generate_series(0, 99) d",
				"INSERT INTO sandbox4j_event SELECT 's' || s, e, " + time + ", 'k', '', '', '' "
						+ "FROM generate_series(0, 99) s, generate_series(1, 100) e",
				"ANALYZE");
		for (Map.Entry<String, String> query : queries().entrySet()) {
			assertThat(plan(database, "EXPLAIN ", query.getValue(), "QUERY PLAN")).as(query.getKey())
				.isNotEmpty()
				.noneMatch((step) -> step.contains("Seq Scan"));
		}
	}

}
