package io.sandbox4j.store.jdbc;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Random;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Files that are not as they should be, and processes that are in the way.
 */
class SqliteFailureTests {

	@TempDir
	private Path directory;

	private Path file() {
		return this.directory.resolve("runs.db");
	}

	private SqliteTestDatabase database() {
		return new SqliteTestDatabase(file());
	}

	private JdbcRunStore open() {
		return database().builder().build();
	}

	private void fillMuch() {
		try (JdbcRunStore store = open()) {
			Samples.fill(store, "s");
			store.write("s", (transaction) -> {
				for (int i = 0; i < 300; i++) {
					Samples.append(transaction, Samples.SECRET.repeat(30));
				}
				return null;
			});
		}
	}

	private static void assertDamaged(ThrowingCallable call) {
		SandboxException failure = Samples.failure(call);
		assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_STATE_MISMATCH);
		assertThat(failure).hasMessageContaining("damaged").hasMessageEndingWith("from a backup.");
		assertThat(Samples.told(failure)).doesNotContain(Samples.SECRET);
	}

	@Test
	void aFileThatIsNoDatabaseIsRefused() throws Exception {
		Files.writeString(file(), "This is a letter, and no database. ".repeat(300));
		assertDamaged(this::open);
		assertThat(file()).content().startsWith("This is a letter");
	}

	@Test
	void aFileWithForeignBytesInItIsRefused() throws Exception {
		fillMuch();
		try (RandomAccessFile bytes = new RandomAccessFile(file().toFile(), "rw")) {
			byte[] foreign = new byte[4096];
			new Random(3).nextBytes(foreign);
			for (long page = 2; page < bytes.length() / 4096; page += 3) {
				bytes.seek(page * 4096);
				bytes.write(foreign);
			}
		}
		assertDamaged(this::open);
	}

	@Test
	void aFileThatWasCutIsRefused() throws Exception {
		fillMuch();
		try (RandomAccessFile bytes = new RandomAccessFile(file().toFile(), "rw")) {
			bytes.setLength(bytes.length() / 2 / 4096 * 4096);
		}
		assertDamaged(this::open);
	}

	@Test
	void damageIsFoundWhileTheStoreIsOpen() throws Exception {
		fillMuch();
		try (JdbcRunStore store = open()) {
			store.check();
			database().execute("UPDATE sandbox4j_operation SET submitted = 'yesterday'");
			assertDamaged(() -> store.read((view) -> view.operation("s", "r", "o")));
			database().execute("UPDATE sandbox4j_operation SET submitted = '2025-01-02T03:04:05.000000006Z', "
					+ "status = 'ASLEEP'");
			assertDamaged(() -> store.read((view) -> view.unsettledOperations("s")));
			assertThat(Samples.isThere(store, "s")).as("the rest can be read").isTrue();
		}
	}

	@Test
	void aStoreThatIsFullSaysSoAndGoesOnWhenThereIsRoom() {
		try (JdbcRunStore store = open()) {
			Samples.fill(store, "s");
			limit(store, 1);
			SandboxException failure = Samples.failure(() -> store.write("s",
					(transaction) -> Samples.append(transaction, Samples.SECRET.repeat(10_000))));
			assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_LIMIT);
			assertThat(failure).hasMessageContaining("no room").hasMessageEndingWith("Make room.");
			assertThat(Samples.told(failure)).doesNotContain(Samples.SECRET);
			assertThat(Samples.events(store, "s")).as("nothing of it").hasSize(1);
			limit(store, 1_000_000);
			assertThat(
					store.<Long>write("s", (transaction) -> Samples.append(transaction, Samples.SECRET.repeat(10_000))))
				.isEqualTo(2);
			store.check();
		}
	}

	// The setting is the connection's, which is the one of all writes.
	private static void limit(JdbcRunStore store, int pages) {
		store.transaction("s", (transaction, connection) -> {
			try (Statement statement = connection.createStatement()) {
				return statement.execute("PRAGMA max_page_count = " + pages);
			}
		});
	}

	@Test
	void allFilesBelongToTheirUserAlone() throws Exception {
		Path deep = this.directory.resolve("a/b/runs.db");
		try (JdbcRunStore store = new SqliteTestDatabase(deep).builder().build()) {
			Samples.fill(store, "s");
			for (String name : new String[] { "runs.db", "runs.db-wal", "runs.db-shm" }) {
				assertThat(mode(deep.resolveSibling(name))).as(name).isEqualTo("rw-------");
			}
			assertThat(mode(deep.getParent())).isEqualTo("rwx------");
			assertThat(mode(this.directory.resolve("a"))).isEqualTo("rwx------");
		}
	}

	@Test
	void aFileThatOthersCouldReadIsTheirsNoMore() throws Exception {
		open().close();
		Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw-rw-"));
		open().close();
		assertThat(mode(file())).isEqualTo("rw-------");
	}

	private static String mode(Path path) throws IOException {
		return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
	}

	@Test
	void whatIsNoFileIsRefusedAndNotFollowed() throws Exception {
		Path target = this.directory.resolve("target.db");
		Files.createSymbolicLink(this.directory.resolve("link.db"), target);
		Files.createDirectory(this.directory.resolve("directory.db"));
		for (String name : new String[] { "link.db", "directory.db" }) {
			SandboxException failure = Samples.failure(() -> JdbcRunStore.sqlite(this.directory.resolve(name)).build());
			assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE);
			assertThat(failure).hasMessageContaining("cannot be used. Name a file");
		}
		assertThat(target).doesNotExist();
		assertThat(Samples.code(() -> JdbcRunStore.sqlite(Path.of("/proc/runs/runs.db")).build()))
			.isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE);
	}

	@Test
	void aNameIsAName() throws Exception {
		for (String name : new String[] { "a b.db", "a?mode=memory", "a#b", "a%41", "a;b\u20ac", ":memory:" }) {
			Path odd = this.directory.resolve("odd?dir").resolve(name);
			try (JdbcRunStore store = JdbcRunStore.sqlite(odd).build()) {
				Samples.fill(store, "s");
			}
			assertThat(odd).isRegularFile();
			try (JdbcRunStore store = JdbcRunStore.sqlite(odd).initialize(false).build()) {
				assertThat(Samples.isThere(store, "s")).isTrue();
			}
		}
	}

	@Test
	void whoeverIsLockedOutIsToldSoAtOnceAndStillReads() throws Exception {
		try (JdbcRunStore store = open(); Connection other = database().connect()) {
			Samples.fill(store, "s");
			Transactions.execute(other, "BEGIN IMMEDIATE");
			long start = System.nanoTime();
			SandboxException failure = Samples.failure(() -> store.write("s", (transaction) -> null));
			assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_BUSY);
			assertThat(Samples.isThere(store, "s")).isTrue();
			try (JdbcRunStore late = open()) {
				assertThat(Samples.isThere(late, "s")).isTrue();
				assertThat(Samples.code(() -> late.write("s", (transaction) -> null)))
					.isEqualTo(ErrorCode.SANDBOX_BUSY);
			}
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
			Transactions.execute(other, "ROLLBACK");
			assertThat(store.<Long>write("s", (transaction) -> Samples.append(transaction, ""))).isEqualTo(2);
		}
	}

	@Test
	void aMigrationDoesNotWaitForEver() throws Exception {
		Database opened = database().open();
		Schema schema = new Schema(opened, InstantSource.system(), Duration.ofMillis(100));
		schema.migrate(1);
		try (Connection other = database().connect()) {
			Transactions.execute(other, "BEGIN IMMEDIATE");
			long start = System.nanoTime();
			assertThat(Samples.code(() -> schema.require(true))).isEqualTo(ErrorCode.SANDBOX_BUSY);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
			Transactions.execute(other, "ROLLBACK");
			schema.require(true);
		}
		finally {
			opened.close();
		}
	}

	@Test
	void aFileOnAReadOnlyDirectoryNamesTheRemedy() {
		SandboxException failure = Samples.failure(() -> JdbcRunStore.sqlite(Path.of("/sys/runs.db")).build());
		assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE);
		assertThat(failure).hasMessageContaining("that this application may write to");
	}

	@Test
	void anotherDatabaseThanPostgresIsRefused() {
		org.sqlite.SQLiteDataSource source = new org.sqlite.SQLiteDataSource();
		source.setUrl("jdbc:sqlite:" + file());
		SandboxException failure = Samples.failure(() -> JdbcRunStore.dataSource(source).build());
		assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_INVALID);
		assertThat(failure).hasMessageContaining("SQLite").hasMessageContaining("use JdbcRunStore.sqlite(file)");
	}

}
