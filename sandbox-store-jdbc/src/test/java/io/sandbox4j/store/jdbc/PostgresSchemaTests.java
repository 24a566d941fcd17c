package io.sandbox4j.store.jdbc;

import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresSchemaTests implements SchemaFacts {

	@RegisterExtension
	private final PostgresServer server = new PostgresServer();

	@Override
	public TestDatabase database() {
		return this.server.database();
	}

}
