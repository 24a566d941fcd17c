package io.sandbox4j.store.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A real server, one for all tests, and a schema in it for each of them. Without it tests
 * fail, and are not skipped. It is unpacked into the build's directory, once.
 */
final class PostgresServer implements BeforeEachCallback, AfterEachCallback {

	private static final AtomicInteger SCHEMAS = new AtomicInteger();

	private PostgresTestDatabase database;

	@Override
	public void beforeEach(ExtensionContext context) throws Exception {
		Running running = context.getRoot()
			.getStore(Namespace.create(PostgresServer.class))
			.computeIfAbsent(Running.class, (key) -> new Running(start(0, null)), Running.class);
		this.database = new PostgresTestDatabase(running.server().getPort(), "test" + SCHEMAS.incrementAndGet())
			.create();
	}

	@Override
	public void afterEach(ExtensionContext context) throws Exception {
		this.database.drop();
	}

	PostgresTestDatabase database() {
		return this.database;
	}

	static EmbeddedPostgres start(int port, Path data) {
		EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
			.setOverrideWorkingDirectory(Path.of(System.getProperty("basedir", "."), "target", "postgres").toFile())
			.setServerConfig("fsync", "off");
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
