package io.sandbox4j.store.jdbc;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.run.MessageRecord;
import io.sandbox4j.run.RunEvent;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How tables come to be there.
 */
interface SchemaFacts {

	String VERSIONS = "SELECT \"version\" FROM sandbox4j_schema_history WHERE \"version\" IN ('1', '2') "
			+ "ORDER BY \"installed_rank\"";

	TestDatabase database();

	private void migrateTo(int version) {
		Database opened = database().open();
		try {
			new Schema(opened, InstantSource.fixed(Samples.NOW), Duration.ofSeconds(5)).migrate(version);
		}
		finally {
			opened.close();
		}
	}

	private int version() {
		Database opened = database().open();
		try {
			return new Schema(opened, InstantSource.fixed(Samples.NOW), Duration.ofSeconds(5)).version();
		}
		finally {
			opened.close();
		}
	}

	private void firstVersionWithData() throws Exception {
		migrateTo(1);
		String time = "'2025-01-02T03:04:05.000000006Z'";
		String text = (database() instanceof SqliteTestDatabase) ? "CAST('%s' AS BLOB)" : "convert_to('%s', 'UTF8')";
		database().execute(
				"INSERT INTO sandbox4j_sandbox VALUES ('s', 'b', 'i', 't', 1, 'checkpoint', 7, "
						+ time + ", " + time + ")",
				"INSERT INTO sandbox4j_run VALUES ('s', 'r', 'c', 'p', 'cwd', 0, " + time + ")",
				"INSERT INTO sandbox4j_operation VALUES ('s', 'r', 'o', 6, " + text.formatted("ask")
						+ ", 'DONE', NULL, " + text.formatted("told") + ", 'owner', " + time + ", " + time + ", 0)",
				"INSERT INTO sandbox4j_message VALUES ('s', 'r', 'o', 0, 'm', '"
						+ MessageRecord.of(0, "m", "x").digest() + "', " + text.formatted("x") + ")",
				"INSERT INTO sandbox4j_checkout VALUES ('s', 'd', 'SCRATCH', NULL, " + time + ")");
	}

	private static void assertKept(JdbcRunStore store) {
		store.read((view) -> {
			assertThat(view.sandbox("s")).isNotNull().satisfies((sandbox) -> {
				assertThat(sandbox.operations()).isEqualTo(7);
				assertThat(sandbox.checkpoint()).isEqualTo("checkpoint");
				assertThat(sandbox.used()).isEqualTo("2025-01-02T03:04:05.000000006Z");
			});
			assertThat(view.run("s", "r")).isNotNull().satisfies((run) -> assertThat(run.cwd()).isEqualTo("cwd"));
			assertThat(view.operation("s", "r", "o")).isNotNull().satisfies((operation) -> {
				assertThat(operation.text()).isEqualTo("ask");
				assertThat(operation.answer()).isEqualTo("told");
				assertThat(operation.number()).isEqualTo(6);
			});
			assertThat(view.messages("s", "r", "o", 0, 10)).containsExactly(MessageRecord.of(0, "m", "x"));
			assertThat(view.checkouts("s")).hasSize(1);
			return null;
		});
	}

	@Test
	default void aNewDatabaseGetsTheNewestVersion() throws Exception {
		try (JdbcRunStore store = database().builder().build()) {
			Samples.fill(store, "s");
		}
		assertThat(version()).isEqualTo(Schema.VERSION);
		assertThat(database().query(VERSIONS)).containsExactly("1", "2");
	}

	@Test
	default void theFirstVersionIsMigratedWithAllThatIsInIt() throws Exception {
		firstVersionWithData();
		assertThat(version()).isEqualTo(1);
		try (JdbcRunStore store = database().builder().clock(InstantSource.fixed(Samples.NOW)).build()) {
			assertKept(store);
			assertThat(Samples.events(store, "s")).containsExactly(new RunEvent("s", 1, Samples.NOW, "runtime/baseline",
					"", "", "{\"described\":\"2025-01-02T03:04:05.000000006Z\",\"created\":"
							+ "\"2025-01-02T03:04:05.000000006Z\"}"));
			assertThat(store.<Long>write("s", (transaction) -> Samples.append(transaction, "next"))).isEqualTo(2);
		}
		assertThat(version()).isEqualTo(2);
	}

	@Test
	default void aMigrationThatFailsLeavesTheFirstVersionWhole() throws Exception {
		firstVersionWithData();
		// Its first statement works, its second does not.
		database().execute("ALTER TABLE sandbox4j_sandbox RENAME COLUMN used TO hidden");
		SandboxException failure = Samples.failure(() -> database().builder().build());
		assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE);
		assertThat(version()).isEqualTo(1);
		assertThat(database().query(VERSIONS)).containsExactly("1");
		assertThat(database().hasTable("sandbox4j_event")).isFalse();
		database().execute("ALTER TABLE sandbox4j_sandbox RENAME COLUMN hidden TO used");
		try (JdbcRunStore store = database().builder().build()) {
			assertKept(store);
		}
	}

	@Test
	default void aNewerSchemaIsRefusedAndLeftAlone() throws Exception {
		database().builder().build().close();
		for (String version : List.of("3", "2.1", "first")) {
			database().execute("DELETE FROM sandbox4j_schema_history WHERE \"installed_rank\" = 99",
					"INSERT INTO sandbox4j_schema_history (\"installed_rank\", \"version\", \"description\", \"type\", "
							+ "\"script\", \"installed_by\", \"execution_time\", \"success\") VALUES (99, '" + version
							+ "', 'x', 'SQL', 'x', 'x', 1, " + database().yes() + ")");
			SandboxException failure = Samples.failure(() -> database().builder().build());
			assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_STATE_MISMATCH);
			assertThat(failure).hasMessageContaining(version.equals("3") ? "version 3" : "a schema of its own")
				.hasMessageContaining("this program knows version 2")
				.hasMessageEndingWith("Use the program that made it, or a later one.");
		}
	}

	@Test
	default void withoutInitializeNothingIsMade() throws Exception {
		SandboxException failure = Samples.failure(() -> database().builder().initialize(false).build());
		assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_STATE_MISMATCH);
		assertThat(failure).hasMessageContaining("'initialize' is off")
			.hasMessageEndingWith("Open it once with it on.");
		assertThat(database().hasTable("sandbox4j_schema_history")).isFalse();
		database().builder().build().close();
		database().builder().initialize(false).build().close();
	}

	@Test
	default void withoutInitializeTheFirstVersionStays() throws Exception {
		firstVersionWithData();
		SandboxException failure = Samples.failure(() -> database().builder().initialize(false).build());
		assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_STATE_MISMATCH);
		assertThat(failure).hasMessageContaining("the schema's version 1, version 2 is needed");
		assertThat(version()).isEqualTo(1);
	}

	@Test
	default void storesThatOpenAtOnceMakeEachTableOnce() throws Exception {
		List<CompletableFuture<JdbcRunStore>> opening = IntStream.range(0, 4)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> database().builder().build(),
					(task) -> new Thread(task).start()))
			.toList();
		for (CompletableFuture<JdbcRunStore> next : opening) {
			next.get(60, TimeUnit.SECONDS).close();
		}
		assertThat(database().query(VERSIONS)).containsExactly("1", "2");
	}

	@Test
	default void whatTheApplicationHasInTheDatabaseStays() throws Exception {
		database().execute("CREATE TABLE customer (name VARCHAR(10))", "INSERT INTO customer VALUES ('Ada')",
				"CREATE TABLE flyway_schema_history (note VARCHAR(10))",
				"INSERT INTO flyway_schema_history VALUES ('mine')");
		database().builder().build().close();
		assertThat(database().query("SELECT name FROM customer")).containsExactly("Ada");
		assertThat(database().query("SELECT note FROM flyway_schema_history")).containsExactly("mine");
	}

	@Test
	default void theLogDoesNotSayWhereTheDatabaseIs() {
		Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
		Level level = root.getLevel();
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		root.addAppender(log);
		root.setLevel(Level.DEBUG);
		try (JdbcRunStore store = database().builder().build()) {
			Samples.fill(store, "s");
		}
		finally {
			root.detachAppender(log);
			root.setLevel(level);
		}
		List<ILoggingEvent> ours = log.list.stream()
			.filter((event) -> event.getLoggerName().startsWith("org.flywaydb")
					|| event.getLoggerName().startsWith("io.sandbox4j"))
			.toList();
		assertThat(ours).as("Flyway tells something").isNotEmpty();
		assertThat(ours).extracting(ILoggingEvent::getFormattedMessage)
			.noneMatch((message) -> message.contains(database().address()) || message.contains(Samples.SECRET));
	}

}
