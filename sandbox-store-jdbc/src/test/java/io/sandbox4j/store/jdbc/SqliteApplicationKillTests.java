package io.sandbox4j.store.jdbc;

import org.junit.jupiter.api.extension.RegisterExtension;

class SqliteApplicationKillTests implements ApplicationKillFacts {

	@RegisterExtension
	private final ApplicationDirectories directories = new ApplicationDirectories();

	@Override
	public TestDatabase database() {
		return new SqliteTestDatabase(this.directories.root().resolve("runs.db"));
	}

	@Override
	public ApplicationDirectories directories() {
		return this.directories;
	}

}
