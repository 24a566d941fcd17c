package io.sandbox4j.store.jdbc;

import java.sql.Connection;
import java.util.function.Function;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * Transactions of one database. What fails in a call is undone before the call throws.
 */
interface Database {

	Dialect dialect();

	/**
	 * Returns where the schema is made through.
	 * @return gives connections in no transaction
	 */
	DataSource schemaSource();

	<T extends @Nullable Object> T read(Function<? super Connection, T> work);

	<T extends @Nullable Object> T write(String sandbox, Function<? super Connection, T> work);

	/**
	 * Looks whether what is stored is whole, which takes the longer the more there is.
	 */
	void check();

	void close();

}
