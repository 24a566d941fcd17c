package io.sandbox4j.gateway;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The connections to origins. Idle ones are kept for a short time and given to requests
 * of an equal route, the youngest first. How many are in use is not bounded here: a
 * request has one at most. Thread-safe.
 */
final class UpstreamPool implements AutoCloseable {

	private static final int MAX_IDLE_OF_ROUTE = 32;

	private static final int MAX_IDLE = 256;

	private static final long MAX_IDLE_NANOS = Duration.ofSeconds(30).toNanos();

	private static final long MAX_AGE_NANOS = Duration.ofMinutes(5).toNanos();

	/**
	 * A connection that was idle for less is hardly ever closed meanwhile, and the check
	 * takes a millisecond.
	 */
	private static final long TRUSTED_NANOS = Duration.ofMillis(100).toNanos();

	private final Map<UpstreamConnection, Long> open = new ConcurrentHashMap<>();

	/**
	 * Guarded by itself, as is what follows.
	 */
	private final Map<UpstreamRoute, Deque<Idle>> idle = new HashMap<>();

	private int idleCount;

	private boolean closed;

	private final GatewayLimits limits;

	private final UpstreamConnector connector;

	private final LongSupplier nanoTime;

	UpstreamPool(GatewayLimits limits, SandboxGateway.@Nullable HostProxy proxy, NameLookup lookup, Executor lookups) {
		this(limits, proxy, new Resolver(lookup, lookups, new AddressGuard(), limits.connectTimeout()),
				System::nanoTime);
	}

	UpstreamPool(GatewayLimits limits, SandboxGateway.@Nullable HostProxy proxy, Resolver resolver,
			LongSupplier nanoTime) {
		this.limits = limits;
		this.connector = new UpstreamConnector(limits, proxy, resolver);
		this.nanoTime = nanoTime;
	}

	/**
	 * Gives a connection, to be given back.
	 * @param route where to
	 * @param fresh whether it must be new
	 * @param handle aborts the wait, and the connection until it is given back
	 * @return the connection
	 * @throws RefusedException see {@link UpstreamConnector#connect}
	 */
	UpstreamConnection lease(UpstreamRoute route, boolean fresh, AbortHandle handle) throws RefusedException {
		Idle candidate = fresh ? null : take(route);
		while (candidate != null) {
			UpstreamConnection connection = candidate.connection;
			boolean doubtful = this.nanoTime.getAsLong() - candidate.sinceNanos > TRUSTED_NANOS;
			if (!expired(candidate) && connection.quiet(doubtful)) {
				return begin(connection, handle);
			}
			drop(connection);
			candidate = take(route);
		}
		UpstreamConnection connection = this.connector.connect(route, handle);
		this.open.put(connection, this.nanoTime.getAsLong());
		return begin(connection, handle);
	}

	private UpstreamConnection begin(UpstreamConnection connection, AbortHandle handle) throws RefusedException {
		connection.begin(handle, this.limits.idleTimeout());
		boolean stopped;
		synchronized (this.idle) {
			stopped = this.closed;
		}
		if (stopped || handle.aborted()) {
			drop(connection);
			throw new RefusedException(Refusal.STOPPED, "The request to " + connection.route().origin() + " was "
					+ (stopped ? "too late: the gateway is closed." : "aborted."));
		}
		return connection;
	}

	/**
	 * Takes a connection back. It is closed unless request and answer were complete. To
	 * give it back again has no effect.
	 * @param connection the connection
	 * @param reusable {@code false} to close it anyway
	 */
	void release(UpstreamConnection connection, boolean reusable) {
		if (!connection.leased()) {
			return;
		}
		if (!connection.end() || !reusable || !keep(connection)) {
			drop(connection);
		}
	}

	/**
	 * Returns how many connections are open.
	 * @return in use and idle
	 */
	int open() {
		return this.open.size();
	}

	/**
	 * Closes what was idle for too long. To be called now and then.
	 */
	void closeIdle() {
		synchronized (this.idle) {
			Iterator<Deque<Idle>> routes = this.idle.values().iterator();
			while (routes.hasNext()) {
				Deque<Idle> connections = routes.next();
				connections.removeIf(this::dropIfExpired);
				if (connections.isEmpty()) {
					routes.remove();
				}
			}
		}
	}

	/**
	 * Closes all connections, also those in use.
	 */
	@Override
	public void close() {
		synchronized (this.idle) {
			this.closed = true;
			this.idle.clear();
			this.idleCount = 0;
		}
		this.open.keySet().forEach((connection) -> {
			connection.abort();
			drop(connection);
		});
	}

	private @Nullable Idle take(UpstreamRoute route) {
		synchronized (this.idle) {
			Deque<Idle> connections = this.idle.get(route);
			Idle youngest = (connections != null) ? connections.pollLast() : null;
			if (youngest != null) {
				this.idleCount--;
			}
			if (connections != null && connections.isEmpty()) {
				this.idle.remove(route);
			}
			return youngest;
		}
	}

	private boolean keep(UpstreamConnection connection) {
		synchronized (this.idle) {
			if (this.idleCount >= MAX_IDLE) {
				closeIdle();
			}
			if (this.closed || this.idleCount >= MAX_IDLE) {
				return false;
			}
			Deque<Idle> connections = this.idle.computeIfAbsent(connection.route(), (route) -> new ArrayDeque<>());
			if (connections.size() >= MAX_IDLE_OF_ROUTE) {
				return false;
			}
			connections.addLast(new Idle(connection, this.nanoTime.getAsLong()));
			this.idleCount++;
			return true;
		}
	}

	private boolean dropIfExpired(Idle candidate) {
		if (!expired(candidate)) {
			return false;
		}
		this.idleCount--;
		drop(candidate.connection);
		return true;
	}

	private boolean expired(Idle candidate) {
		long now = this.nanoTime.getAsLong();
		Long opened = this.open.get(candidate.connection);
		return opened == null || now - opened > MAX_AGE_NANOS || now - candidate.sinceNanos > MAX_IDLE_NANOS;
	}

	private void drop(UpstreamConnection connection) {
		this.open.remove(connection);
		connection.end();
		connection.close();
	}

	/**
	 * A connection that no request has.
	 *
	 * @param connection the connection
	 * @param sinceNanos when it was given back
	 */
	private record Idle(UpstreamConnection connection, long sinceNanos) {

	}

}
