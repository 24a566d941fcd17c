package io.sandbox4j.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;

import io.sandbox4j.storage.Durability;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the store of durable runs. Values are checked when the application
 * starts.
 *
 * @param type Where durable runs are kept: in memory, in a file of SQLite, or in the
 * PostgreSQL database of the application's DataSource.
 * @param initialize Whether to make missing tables and to migrate old ones. Otherwise the
 * application only starts if they are as needed.
 * @param sqlite File of SQLite.
 * @param jdbc Database of the application.
 * @since 0.1.0
 */
@ConfigurationProperties("sandbox.store")
public record SandboxStoreProperties(@DefaultValue("memory") Type type, @DefaultValue("true") boolean initialize,
		@DefaultValue Sqlite sqlite, @DefaultValue Jdbc jdbc) {

	/**
	 * Where durable runs are kept.
	 */
	public enum Type {

		/**
		 * In memory, gone with the application.
		 */
		MEMORY,

		/**
		 * In a file.
		 */
		SQLITE,

		/**
		 * In the application's PostgreSQL database.
		 */
		JDBC

	}

	/**
	 * File of SQLite.
	 *
	 * @param path Absolute path of the file, on a local file system. Unless set, a file
	 * below the state directory.
	 * @param durability What a write survives: a power loss, or the end of the process.
	 */
	public record Sqlite(@Nullable Path path, @DefaultValue("power-loss") Durability durability) {

	}

	/**
	 * Database of the application.
	 *
	 * @param statementTimeout Maximum time of one statement.
	 * @param lockTimeout Maximum time to wait for a lock that others hold.
	 */
	public record Jdbc(@DefaultValue("30s") Duration statementTimeout, @DefaultValue("1s") Duration lockTimeout) {

	}

}
