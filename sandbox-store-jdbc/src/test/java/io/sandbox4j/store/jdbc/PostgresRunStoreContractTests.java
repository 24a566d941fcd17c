package io.sandbox4j.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.test.DurableRunStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresRunStoreContractTests extends DurableRunStoreContract {

	private static HikariDataSource pool;

	@RegisterExtension
	private final PostgresServer server = PostgresServer.shared();

	// As applications have it; without one most of the time would go to connections.
	@Override
	protected synchronized RunStore openStore() {
		if (pool == null) {
			HikariConfig config = new HikariConfig();
			config.setDataSource(this.server.database().dataSource());
			config.setMaximumPoolSize(32);
			config.setMinimumIdle(2);
			pool = new HikariDataSource(config);
		}
		return JdbcRunStore.dataSource(pool).build();
	}

	@AfterAll
	static void closePool() {
		if (pool != null) {
			pool.close();
			pool = null;
		}
	}

}
