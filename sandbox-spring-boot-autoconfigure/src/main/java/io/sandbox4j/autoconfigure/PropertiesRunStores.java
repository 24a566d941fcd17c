package io.sandbox4j.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;

import javax.sql.DataSource;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.store.jdbc.JdbcRunStore;
import io.sandbox4j.store.jdbc.JdbcRunStoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Opens stores in databases as the properties say. Known to whoever found the module.
 */
final class PropertiesRunStores {

	private static final String PREFIX = "sandbox.store.";

	private static final String PATH = PREFIX + "sqlite.path";

	private PropertiesRunStores() {
	}

	static RunStore sqlite(SandboxStoreProperties store, SandboxBackend backend, SandboxProperties properties) {
		Path path = store.sqlite().path();
		Path file = (path != null) ? PropertiesBackendCustomizer.absolute(PATH, path)
				: StateDirectories.find(PATH, null, "runs", backend, properties).resolve("runs.db");
		return build(JdbcRunStore.sqlite(file).durability(store.sqlite().durability()), store, PATH);
	}

	static RunStore jdbc(SandboxStoreProperties store, @Nullable DataSource dataSource) {
		if (dataSource == null) {
			throw new InvalidSandboxPropertyException(PREFIX + "type",
					"There must be one 'DataSource' bean, or one that is primary. Declare it, or use 'sqlite'.");
		}
		return build(JdbcRunStore.dataSource(dataSource)
			.statementTimeout(bounded("statement-timeout", store.jdbc().statementTimeout()))
			.lockTimeout(bounded("lock-timeout", store.jdbc().lockTimeout())), store, PREFIX + "type");
	}

	private static Duration bounded(String name, Duration value) {
		if (value.toMillis() < 1 || value.compareTo(Duration.ofHours(1)) > 0) {
			throw new InvalidSandboxPropertyException(PREFIX + "jdbc." + name,
					"It must be at least 1 ms and at most 1 h.");
		}
		return value;
	}

	// Told under the name of the property, so that the failure analysis knows what to do.
	private static RunStore build(JdbcRunStoreBuilder builder, SandboxStoreProperties store, String property) {
		try {
			return builder.initialize(store.initialize()).build();
		}
		catch (SandboxException ex) {
			boolean notMade = ex.code() == ErrorCode.SANDBOX_STATE_MISMATCH && !store.initialize();
			throw new InvalidSandboxPropertyException(notMade ? PREFIX + "initialize" : property,
					String.valueOf(ex.getMessage()), ex);
		}
	}

}
