package io.sandbox4j.store.jdbc;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server that is away, slow, or busy with others; through a pool, as applications have
 * it.
 */
class PostgresFailureTests {

	private static final String PASSWORD = "nobody-may-read-this";

	@RegisterExtension
	private final PostgresServer server = new PostgresServer();

	@TempDir
	private Path directory;

	private HikariDataSource pool;

	@AfterEach
	void closePool() {
		if (this.pool != null) {
			this.pool.close();
		}
	}

	private JdbcRunStoreBuilder builder(int connections) {
		return builder(this.server.database().port(), this.server.database().schema(), connections);
	}

	private JdbcRunStoreBuilder builder(int port, String schema, int connections) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl("jdbc:postgresql://localhost:" + port + "/postgres?user=postgres&password=" + PASSWORD);
		config.setSchema(schema);
		config.setMaximumPoolSize(connections);
		config.setConnectionTimeout(1000);
		config.setInitializationFailTimeout(-1);
		closePool();
		this.pool = new HikariDataSource(config);
		return JdbcRunStore.dataSource(this.pool);
	}

	private void assertNoConnectionIsKept() {
		assertThat(this.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
	}

	@Test
	void aServerThatStopsAndComesBackIsUsedAgain() throws Exception {
		int port = freePort();
		JdbcRunStore store;
		try (EmbeddedPostgres first = PostgresServer.start(port, this.directory.resolve("data"))) {
			store = builder(first.getPort(), "public", 3).build();
			Samples.fill(store, "s");
		}
		long start = System.nanoTime();
		SandboxException failure = Samples.failure(() -> Samples.isThere(store, "s"));
		assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE);
		assertThat(Samples.code(() -> Samples.fill(store, "t"))).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).as("a pool waits once")
			.isLessThan(Duration.ofSeconds(6));
		assertThat(Samples.told(failure)).doesNotContain(PASSWORD, Samples.SECRET);
		try (EmbeddedPostgres second = PostgresServer.start(port, this.directory.resolve("data"))) {
			assertThat(second.getPort()).isEqualTo(port);
			Awaitility.await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> {
				Samples.fill(store, "t");
				return Samples.isThere(store, "s") && Samples.isThere(store, "t");
			});
			assertNoConnectionIsKept();
			store.close();
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	@Test
	void connectionsThatDiedInThePoolAreDoneWithout() throws Exception {
		try (JdbcRunStore store = builder(4).build()) {
			Samples.fill(store, "s");
			for (int round = 0; round < 3; round++) {
				Awaitility.await().until(() -> this.pool.getHikariPoolMXBean().getIdleConnections() == 4);
				this.server.database()
					.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
							+ "AND backend_type = 'client backend'");
				assertThat(Samples.isThere(store, "s")).isTrue();
				store.write("s", (transaction) -> Samples.append(transaction, "written at once"));
			}
			assertThat(Samples.events(store, "s")).hasSize(4);
			assertNoConnectionIsKept();
		}
	}

	@Test
	void aConnectionThatDiesAmidTheWorkWritesNothing() throws Exception {
		try (JdbcRunStore store = builder(2).build()) {
			Samples.fill(store, "s");
			assertThat(Samples.code(() -> store.transaction("s", (transaction, connection) -> {
				Samples.append(transaction, "lost");
				return execute(connection, "SELECT pg_terminate_backend(pg_backend_pid())");
			}))).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE);
			assertThat(Samples.events(store, "s")).hasSize(1);
			assertThat(store.<Long>write("s", (transaction) -> Samples.append(transaction, ""))).isEqualTo(2);
			assertNoConnectionIsKept();
		}
	}

	@Test
	void aConnectionThatDiesBeforeTheEndIsNotTakenForSuccess() throws Exception {
		try (JdbcRunStore store = builder(2).build()) {
			Samples.fill(store, "s");
			SandboxException failure = Samples.failure(() -> store.transaction("s", (transaction, connection) -> {
				Samples.append(transaction, "lost");
				String pid = new Statements(connection, Dialect.POSTGRESQL).one("SELECT pg_backend_pid()",
						(row) -> row.getString(1));
				this.server.database().execute("SELECT pg_terminate_backend(" + pid + ", 5000)");
				return null;
			}));
			assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE);
			assertThat(failure).hasMessageContaining("it is not known whether it was written");
			assertThat(Samples.events(store, "s")).hasSize(1);
		}
	}

	private static boolean execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			return statement.execute(sql);
		}
	}

	@Test
	void aStatementThatTakesTooLongIsEnded() throws Exception {
		try (JdbcRunStore store = builder(2).statementTimeout(Duration.ofMillis(200)).build()) {
			Samples.fill(store, "s");
			long start = System.nanoTime();
			assertThat(Samples.code(() -> store.transaction("s", (transaction, connection) -> {
				Samples.append(transaction, "undone");
				return execute(connection, "SELECT pg_sleep(30)");
			}))).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
			assertThat(Samples.events(store, "s")).hasSize(1);
			assertNoConnectionIsKept();
		}
	}

	@Test
	void aLockOfAnAdministratorIsNotWaitedForLong() throws Exception {
		try (JdbcRunStore store = builder(2).lockTimeout(Duration.ofMillis(200)).build();
				Connection administrator = this.server.database().connect()) {
			Samples.fill(store, "s");
			administrator.setAutoCommit(false);
			execute(administrator, "LOCK TABLE sandbox4j_event IN ACCESS EXCLUSIVE MODE");
			long start = System.nanoTime();
			assertThat(Samples.code(() -> store.write("s", (transaction) -> Samples.append(transaction, ""))))
				.isEqualTo(ErrorCode.SANDBOX_BUSY);
			assertThat(Samples.code(() -> Samples.events(store, "s"))).isEqualTo(ErrorCode.SANDBOX_BUSY);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
			administrator.rollback();
			assertThat(store.<Long>write("s", (transaction) -> Samples.append(transaction, ""))).isEqualTo(2);
		}
	}

	@Test
	void connectionsAreGivenBackAsTheyWere() throws Exception {
		try (JdbcRunStore store = builder(2).build()) {
			Samples.fill(store, "s");
			Samples.isThere(store, "s");
			Samples.failure(() -> store.write("s", (transaction) -> {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID, "from the work");
			}));
			try (Connection connection = this.pool.getConnection()) {
				assertThat(connection.getAutoCommit()).isTrue();
				Statements statements = new Statements(connection, Dialect.POSTGRESQL);
				for (List<String> setting : List.of(List.of("statement_timeout", "0"), List.of("lock_timeout", "0"),
						List.of("transaction_isolation", "read committed"), List.of("transaction_read_only", "off"))) {
					String value = statements.one("SHOW " + setting.get(0), (row) -> row.getString(1));
					assertThat(value).isEqualTo(setting.get(1));
				}
				assertThat(statements.list("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'", (row) -> 1)).isEmpty();
			}
		}
	}

	@Test
	void aConnectionWithoutAutoCommitIsTakenToo() throws Exception {
		builder(2).build().close();
		this.pool.close();
		HikariConfig config = new HikariConfig();
		config.setDataSource(this.server.database().dataSource());
		config.setAutoCommit(false);
		config.setMaximumPoolSize(1);
		this.pool = new HikariDataSource(config);
		try (JdbcRunStore store = JdbcRunStore.dataSource(this.pool).build()) {
			Samples.fill(store, "s");
			assertThat(Samples.isThere(store, "s")).isTrue();
		}
	}

	@Test
	void whereNoServerIsNothingSecretIsTold() throws Exception {
		SandboxException failure = Samples.failure(() -> builder(freePort(), "public", 2).build());
		assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE);
		assertThat(Samples.told(failure)).doesNotContain(PASSWORD);
	}

	@Test
	void aPoolThatIsTooSmallToMakeTheTablesIsToldSoOnce() {
		long start = System.nanoTime();
		SandboxException failure = Samples.failure(() -> builder(1).build());
		assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE);
		assertThat(failure).hasMessageContaining("takes two at once");
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
		builder(2).build().close();
		try (JdbcRunStore store = builder(1).build()) {
			Samples.fill(store, "s");
			assertThat(Samples.isThere(store, "s")).as("one does afterwards").isTrue();
		}
	}

	@Test
	void noTextIsToldByAFailure() throws Exception {
		try (JdbcRunStore store = builder(2).build()) {
			Samples.fill(store, "s");
			SandboxException failure = Samples.failure(() -> store.write("s", (transaction) -> {
				transaction.save(Samples.operation("s", "another", 0));
				return null;
			}));
			assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_INVALID);
			assertThat(Samples.told(failure)).doesNotContain(Samples.SECRET);
		}
	}

}
