package io.sandbox4j.gateway;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.gateway.SandboxGateway.CommandLookup;
import org.jspecify.annotations.Nullable;
import org.newsclub.net.unix.AFUNIXServerSocketChannel;
import org.newsclub.net.unix.AFUNIXSocket;
import org.newsclub.net.unix.AFUNIXSocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session's socket and what may be reached through it. Thread-safe.
 *
 * @since 0.1.0
 */
public final class GatewaySession implements AutoCloseable {

	/**
	 * The socket's file name.
	 */
	public static final String SOCKET = "gateway.sock";

	private static final Logger logger = LoggerFactory.getLogger(GatewaySession.class);

	private final SandboxGateway gateway;

	private final String id;

	private final ShortPath address;

	private final AFUNIXServerSocketChannel channel;

	private final CommandLookup commands;

	private final SandboxListener listener;

	private final Set<GuestConnection> connections = ConcurrentHashMap.newKeySet();

	private final AtomicInteger requests = new AtomicInteger();

	private volatile SessionPolicy policy;

	private volatile boolean closed;

	GatewaySession(SandboxGateway gateway, String id, ShortPath address, AFUNIXServerSocketChannel channel,
			SessionPolicy policy, CommandLookup commands, SandboxListener listener) {
		this.gateway = gateway;
		this.id = id;
		this.address = address;
		this.channel = channel;
		this.policy = policy;
		this.commands = commands;
		this.listener = listener;
	}

	/**
	 * Replaces the policy. What is in flight under the old one is aborted, and every
	 * connection of the guest is closed.
	 * @param policy the new policy
	 * @throws io.sandbox4j.SandboxException
	 * {@link io.sandbox4j.ErrorCode#SANDBOX_INVALID} if it names what the gateway does
	 * not have; then the old one stays
	 */
	public void setPolicy(NetworkPolicy policy) {
		this.gateway.validate(policy);
		this.policy = SessionPolicy.of(policy);
		this.connections.forEach(GuestConnection::shut);
	}

	/**
	 * Aborts what is in flight, closes the connections and removes the socket. A file
	 * that is gone already is no error.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.gateway.release(this);
		this.connections.forEach(GuestConnection::shut);
	}

	String id() {
		return this.id;
	}

	ShortPath address() {
		return this.address;
	}

	AFUNIXServerSocketChannel channel() {
		return this.channel;
	}

	SandboxGateway gateway() {
		return this.gateway;
	}

	SessionPolicy policy() {
		return this.policy;
	}

	int connections() {
		return this.connections.size();
	}

	int requests() {
		return this.requests.get();
	}

	@Nullable String commandOf(long pid) {
		try {
			return this.commands.commandOf(pid);
		}
		catch (RuntimeException ex) {
			logger.debug("The command of process {} was not found", pid, ex);
			return null;
		}
	}

	boolean tryEnter() {
		if (this.requests.incrementAndGet() <= this.gateway.limits().requests()) {
			return true;
		}
		this.requests.decrementAndGet();
		return false;
	}

	void leave() {
		this.requests.decrementAndGet();
	}

	/**
	 * Takes a connection that waits. On the accepting thread, so nothing here waits.
	 * @throws IOException if the listening socket is broken
	 */
	void accept() throws IOException {
		AFUNIXSocketChannel accepted = this.channel.accept();
		if (accepted == null) {
			return;
		}
		if (this.closed || this.connections.size() >= this.gateway.limits().connections()) {
			turnAway(accepted);
			return;
		}
		accepted.configureBlocking(true);
		GuestConnection connection = new GuestConnection(this, (AFUNIXSocket) accepted.socket(), this.gateway.limits());
		this.connections.add(connection);
		try {
			this.gateway.start(connection);
			if (this.closed) {
				connection.shut();
			}
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			logger.warn("No thread for a guest's connection of session {}", this.id, ex);
			this.connections.remove(connection);
			accepted.close();
		}
	}

	private void turnAway(AFUNIXSocketChannel accepted) throws IOException {
		try (accepted) {
			String body = Refusal.BUSY.body();
			accepted.configureBlocking(false);
			accepted
				.write(ByteBuffer.wrap(("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
						+ Exchange.REASON_HEADER + ": " + Refusal.BUSY.code() + "\r\nContent-Type: " + Exchange.TEXT
						+ "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
					.getBytes(StandardCharsets.US_ASCII)));
		}
		catch (IOException ex) {
			logger.debug("A guest left before it was turned away", ex);
		}
	}

	void ended(GuestConnection connection) {
		this.connections.remove(connection);
	}

	void tick(long now) {
		this.connections.forEach((connection) -> connection.tick(now));
	}

	void publish(SandboxEvent event) {
		try {
			this.listener.onEvent(event);
		}
		catch (RuntimeException ex) {
			logger.warn("A listener failed on an event of session {}", this.id, ex);
		}
	}

}
