package io.sandbox4j.store.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * A data source whose connections do not say where they lead, besides the kind of
 * database: Flyway writes the address into the log, and an address may have a password.
 */
final class NamelessSource implements InvocationHandler {

	private static final int KIND = 2;

	private final Object target;

	private NamelessSource(Object target) {
		this.target = target;
	}

	static DataSource of(DataSource source) {
		return proxy(DataSource.class, source);
	}

	private static <T> T proxy(Class<T> type, T target) {
		return type.cast(Proxy.newProxyInstance(NamelessSource.class.getClassLoader(), new Class<?>[] { type },
				new NamelessSource(target)));
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		Object result;
		try {
			result = method.invoke(this.target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
		if (result instanceof Connection connection) {
			return proxy(Connection.class, connection);
		}
		if (result instanceof DatabaseMetaData metaData) {
			return proxy(DatabaseMetaData.class, metaData);
		}
		return (method.getName().equals("getURL") && result instanceof String url) ? kind(url) : result;
	}

	// Such as jdbc:postgresql:
	private static String kind(String url) {
		String[] parts = url.split(":", KIND + 1);
		return (parts.length > KIND) ? parts[0] + ":" + parts[1] + ":" : url;
	}

}
