package io.sandbox4j.store.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A real server, one for all tests, and a schema in it for each of them that wants its
 * own. Without it tests fail, and are not skipped. It is unpacked into the build's
 * directory, once.
 */
final class PostgresServer implements BeforeEachCallback, AfterEachCallback {

	private static final AtomicInteger SCHEMAS = new AtomicInteger();

	static {
		// The builder's own setting leaves an empty directory among the temporary ones.
		System.setProperty("ot.epg.working-dir",
				Path.of(System.getProperty("basedir", "."), "target", "postgres").toString());
	}

	private final boolean shared;

	private PostgresTestDatabase database;

	PostgresServer() {
		this(false);
	}

	private PostgresServer(boolean shared) {
		this.shared = shared;
	}

	/**
	 * A schema that all tests of this kind share, one after the other: its tables are
	 * made once, and emptied after each.
	 * @return the extension
	 */
	static PostgresServer shared() {
		return new PostgresServer(true);
	}

	@Override
	public void beforeEach(ExtensionContext context) throws Exception {
		ExtensionContext.Store store = context.getRoot().getStore(Namespace.create(PostgresServer.class));
		int port = store.computeIfAbsent(Running.class, (key) -> new Running(start(0, null)), Running.class)
			.server()
			.getPort();
		this.database = this.shared
				? store.computeIfAbsent("shared", (key) -> made(port, "shared"), PostgresTestDatabase.class)
				: made(port, "test" + SCHEMAS.incrementAndGet());
	}

	private static PostgresTestDatabase made(int port, String schema) {
		try {
			return new PostgresTestDatabase(port, schema).create();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void afterEach(ExtensionContext context) throws Exception {
		if (this.shared) {
			this.database.execute("DELETE FROM sandbox4j_sandbox", "DELETE FROM sandbox4j_event",
					"DELETE FROM sandbox4j_writer");
		}
		else {
			this.database.drop();
		}
	}

	PostgresTestDatabase database() {
		return this.database;
	}

	static EmbeddedPostgres start(int port, Path data) {
		EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
			.setServerConfig("fsync", "off")
			.setServerConfig("synchronous_commit", "off");
		if (data != null) {
			builder.setDataDirectory(data).setCleanDataDirectory(false).setPort(port);
		}
		try {
			return builder.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The server of all tests.
	 *
	 * @param server the server
	 */
	private record Running(EmbeddedPostgres server) implements AutoCloseable {

		@Override
		public void close() throws IOException {
			this.server.close();
		}

	}

}
