package io.sandbox4j.store.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The connection of a transaction, for statements only: when it ends, and how it is set
 * up, is the store's.
 */
final class CompanionConnection implements InvocationHandler {

	private static final Set<String> REFUSED = Set.of("commit", "close", "abort", "unwrap", "setAutoCommit",
			"setTransactionIsolation", "setReadOnly", "setCatalog", "setSchema", "setClientInfo", "setNetworkTimeout",
			"setHoldability", "setTypeMap", "beginRequest", "endRequest");

	private final Connection connection;

	private volatile boolean ended;

	CompanionConnection(Connection connection) {
		this.connection = connection;
	}

	Connection proxy() {
		return (Connection) Proxy.newProxyInstance(CompanionConnection.class.getClassLoader(),
				new Class<?>[] { Connection.class }, this);
	}

	void end() {
		this.ended = true;
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
		String name = method.getName();
		boolean toSavepoint = arguments != null && arguments.length == 1 && arguments[0] instanceof Savepoint;
		if (REFUSED.contains(name) || (name.equals("rollback") && !toSavepoint)) {
			throw new SQLException(
					"The transaction is the store's: it ends with the work, and is undone if that fails.");
		}
		if (this.ended) {
			throw new SQLException("The connection is of no use after its transaction.");
		}
		try {
			return method.invoke(this.connection, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

}
