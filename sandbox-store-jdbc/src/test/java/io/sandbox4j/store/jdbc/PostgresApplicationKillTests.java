package io.sandbox4j.store.jdbc;

import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresApplicationKillTests implements ApplicationKillFacts {

	@RegisterExtension
	private final PostgresServer server = new PostgresServer();

	@RegisterExtension
	private final ApplicationDirectories directories = new ApplicationDirectories();

	@Override
	public TestDatabase database() {
		return this.server.database();
	}

	@Override
	public ApplicationDirectories directories() {
		return this.directories;
	}

}
