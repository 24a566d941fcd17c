package io.sandbox4j.gateway;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.sandbox4j.Origin;
import org.jspecify.annotations.Nullable;

/**
 * Resolves an origin's host once and has every answer checked. One answer that is not
 * allowed refuses them all: a name that is both outside and inside is what DNS rebinding
 * looks like, and to pick the harmless ones would let the next resolution decide.
 * <p>
 * A lookup cannot be interrupted. So there is one at a time for each name, which later
 * callers join, and a caller that gives up leaves no more than that one behind. The bound
 * over all names is the executor's: a lookup that it rejects is a name that cannot be
 * resolved.
 */
final class Resolver {

	private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

	private final Map<String, CompletableFuture<List<InetAddress>>> running = new ConcurrentHashMap<>();

	private final NameLookup lookup;

	private final Executor executor;

	private final AddressGuard guard;

	private final Duration timeout;

	Resolver(NameLookup lookup, Executor executor, AddressGuard guard, Duration timeout) {
		this.lookup = lookup;
		this.executor = executor;
		this.guard = guard;
		this.timeout = timeout;
	}

	/**
	 * Reads a host that is an address.
	 * @param host as {@link io.sandbox4j.Authority} has it
	 * @return the address, or {@code null} for a name
	 */
	static @Nullable InetAddress literal(String host) {
		if (!host.startsWith("[") && !IPV4.matcher(host).matches()) {
			return null;
		}
		try {
			return InetAddress.getByName(host);
		}
		catch (UnknownHostException ex) {
			return null;
		}
	}

	/**
	 * Resolves an origin.
	 * @param origin the origin
	 * @param allowPrivate see {@link AddressGuard#check}
	 * @param handle ends the wait
	 * @return the addresses, at least one, in the resolver's order
	 * @throws RefusedException {@link Refusal#ADDRESS_NOT_ALLOWED} or
	 * {@link Refusal#UPSTREAM_UNREACHABLE}
	 */
	List<InetAddress> resolve(Origin origin, boolean allowPrivate, AbortHandle handle) throws RefusedException {
		List<InetAddress> addresses = addresses(origin.host(), handle);
		for (InetAddress address : addresses) {
			this.guard.check(origin, address, allowPrivate);
		}
		return addresses;
	}

	/**
	 * Resolves a host that no policy decides on.
	 * @param host a canonical host
	 * @param handle ends the wait
	 * @return the addresses, at least one
	 * @throws RefusedException {@link Refusal#UPSTREAM_UNREACHABLE}
	 */
	List<InetAddress> addresses(String host, AbortHandle handle) throws RefusedException {
		InetAddress literal = literal(host);
		if (literal != null) {
			return List.of(literal);
		}
		CompletableFuture<List<InetAddress>> result = lookup(host).copy();
		handle.attach(() -> result.cancel(false));
		try {
			List<InetAddress> addresses = result.get(this.timeout.toNanos(), TimeUnit.NANOSECONDS);
			if (addresses.isEmpty()) {
				throw unreachable(host, "has no address", null);
			}
			return addresses;
		}
		catch (TimeoutException ex) {
			throw unreachable(host, "was not resolved within " + this.timeout, null);
		}
		catch (ExecutionException ex) {
			throw unreachable(host, (ex.getCause() instanceof RejectedExecutionException)
					? "was not resolved: too many lookups hang" : "cannot be resolved", ex.getCause());
		}
		catch (CancellationException ex) {
			throw new RefusedException(Refusal.STOPPED, "The request was aborted while " + host + " was resolved.");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RefusedException(Refusal.STOPPED, "Interrupted while " + host + " was resolved.");
		}
	}

	private CompletableFuture<List<InetAddress>> lookup(String host) {
		CompletableFuture<List<InetAddress>> fresh = new CompletableFuture<>();
		CompletableFuture<List<InetAddress>> other = this.running.putIfAbsent(host, fresh);
		if (other != null) {
			return other;
		}
		try {
			this.executor.execute(() -> run(host, fresh));
		}
		catch (RejectedExecutionException ex) {
			this.running.remove(host);
			fresh.completeExceptionally(ex);
		}
		return fresh;
	}

	// Removed before it is complete: who comes later asks anew.
	private void run(String host, CompletableFuture<List<InetAddress>> result) {
		try {
			List<InetAddress> addresses = Stream.of(this.lookup.lookup(host)).distinct().toList();
			this.running.remove(host);
			result.complete(addresses);
		}
		catch (Throwable ex) {
			this.running.remove(host);
			result.completeExceptionally(ex);
		}
	}

	private static RefusedException unreachable(String host, String what, @Nullable Throwable cause) {
		return new RefusedException(Refusal.UPSTREAM_UNREACHABLE, "The name " + host + " " + what + ".", null, cause);
	}

}
