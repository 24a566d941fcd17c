package io.sandbox4j.store.jdbc;

import java.nio.file.Path;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class PostgresKillTests implements KillFacts {

	@TempDir
	private Path directory;

	@RegisterExtension
	private final PostgresServer server = new PostgresServer();

	@Override
	public TestDatabase database() {
		return this.server.database();
	}

	@Override
	public Path temporary() {
		return this.directory;
	}

}
