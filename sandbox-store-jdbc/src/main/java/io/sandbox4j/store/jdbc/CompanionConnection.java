package io.sandbox4j.store.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The connection of a transaction, for statements only: when it ends, and how it is set
 * up, is the store's. What it gives knows no other connection either.
 */
final class CompanionConnection implements InvocationHandler {

	private static final Set<String> REFUSED = Set.of("commit", "close", "abort", "setAutoCommit",
			"setTransactionIsolation", "setReadOnly", "setCatalog", "setSchema", "setClientInfo", "setNetworkTimeout",
			"setHoldability", "setTypeMap", "setShardingKey", "setShardingKeyIfValid", "beginRequest", "endRequest");

	// The more special first.
	private static final List<Class<?>> GIVEN = List.of(CallableStatement.class, PreparedStatement.class,
			Statement.class, ResultSet.class, DatabaseMetaData.class);

	private final Connection connection;

	private final Connection proxy;

	private volatile boolean ended;

	CompanionConnection(Connection connection) {
		this.connection = connection;
		this.proxy = proxy(Connection.class, this);
	}

	Connection proxy() {
		return this.proxy;
	}

	private static <T> T proxy(Class<T> type, InvocationHandler handler) {
		return type
			.cast(Proxy.newProxyInstance(CompanionConnection.class.getClassLoader(), new Class<?>[] { type }, handler));
	}

	void end() {
		this.ended = true;
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		String name = method.getName();
		boolean toSavepoint = arguments != null && arguments.length == 1 && arguments[0] instanceof Savepoint;
		if (REFUSED.contains(name) || (name.equals("rollback") && !toSavepoint)) {
			throw new SQLException(
					"The transaction is the store's: it ends with the work, and is undone if that fails.");
		}
		return call(this.connection, method, arguments);
	}

	private @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		String name = method.getName();
		if (name.equals("unwrap")) {
			throw new SQLException("What is inside is the store's.");
		}
		if (this.ended && !name.equals("close") && method.getDeclaringClass() != Object.class) {
			throw new SQLException("The connection is of no use after its transaction.");
		}
		if (name.equals("getConnection")) {
			return this.proxy;
		}
		try {
			return given(method.invoke(target, arguments));
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

	private @Nullable Object given(@Nullable Object result) {
		for (Class<?> type : GIVEN) {
			if (type.isInstance(result)) {
				return proxy(type, (proxy, method, arguments) -> call(result, method, arguments));
			}
		}
		return result;
	}

}
