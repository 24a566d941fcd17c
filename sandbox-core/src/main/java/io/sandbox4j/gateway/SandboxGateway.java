package io.sandbox4j.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLContext;

import io.sandbox4j.CredentialSource;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxListener;
import org.jspecify.annotations.Nullable;
import org.newsclub.net.unix.AFUNIXServerSocketChannel;
import org.newsclub.net.unix.AFUNIXSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the guests of an application: see the package. One for an application; it holds
 * what sessions share, which is the threads, the connections to origins and the sources
 * of credentials. A connection to an origin is shared only by requests that carry the
 * same secrets. Thread-safe. Close it after the backends that use it.
 *
 * @since 0.1.0
 */
public final class SandboxGateway implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(SandboxGateway.class);

	private static final int LOOKUPS = 8;

	private final Map<String, CredentialSource> sources;

	private final Map<String, SSLContext> tls;

	private final @Nullable SSLContext defaultTls;

	private final GatewayLimits limits;

	private final Clock clock = Clock.systemUTC();

	private final RedactorCache redactors = new RedactorCache();

	private final UpstreamPool upstreams;

	private final Set<GatewaySession> sessions = ConcurrentHashMap.newKeySet();

	private final ExecutorService workers = Executors.newCachedThreadPool(threads("sandbox-gateway-"));

	private final ThreadPoolExecutor lookups = new ThreadPoolExecutor(LOOKUPS, LOOKUPS, 10, TimeUnit.SECONDS,
			new ArrayBlockingQueue<>(256), threads("sandbox-gateway-lookup-"));

	private @Nullable Acceptor acceptor;

	private @Nullable Watch watch;

	private boolean closed;

	private SandboxGateway(Builder builder) {
		this.sources = Map.copyOf(builder.sources);
		this.tls = Map.copyOf(builder.tls);
		this.defaultTls = builder.defaultTls;
		this.limits = builder.limits;
		this.lookups.allowCoreThreadTimeOut(true);
		this.upstreams = new UpstreamPool(builder.limits, builder.proxy, builder.lookup, this.lookups);
	}

	private static ThreadFactory threads(String prefix) {
		AtomicInteger number = new AtomicInteger();
		return (task) -> {
			Thread thread = new Thread(task, prefix + number.incrementAndGet());
			thread.setDaemon(true);
			return thread;
		};
	}

	/**
	 * Starts a gateway.
	 * @return a builder with safe defaults
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Opens a session's socket, {@value GatewaySession#SOCKET} in a directory of its own.
	 * @param sessionId the session
	 * @param directory an empty directory that only the guest's user can enter
	 * @param policy what the session may reach
	 * @param commands tells which command a process belongs to
	 * @param listener told of each request
	 * @return the session's part, to be closed
	 * @throws SandboxException if the policy names what is not there, or the socket
	 * cannot be made
	 */
	public GatewaySession open(String sessionId, Path directory, NetworkPolicy policy, CommandLookup commands,
			SandboxListener listener) {
		validate(policy);
		Acceptor accepting = start();
		ShortPath address = null;
		AFUNIXServerSocketChannel channel = null;
		try {
			address = ShortPath.to(directory.toAbsolutePath(), GatewaySession.SOCKET);
			channel = AFUNIXServerSocketChannel.open();
			channel.bind(AFUNIXSocketAddress.of(address.path()), this.limits.connections());
			Files.setPosixFilePermissions(address.path(), PosixFilePermissions.fromString("rw-------"));
			channel.configureBlocking(false);
			GatewaySession session = new GatewaySession(this, sessionId, address, channel, SessionPolicy.of(policy),
					commands, listener);
			this.sessions.add(session);
			accepting.add(session);
			return session;
		}
		catch (IOException ex) {
			discard(channel, address, ex);
			throw unusable("The socket " + directory.resolve(GatewaySession.SOCKET) + " cannot be made.", ex);
		}
	}

	private static SandboxException unusable(String message, @Nullable Throwable cause) {
		return new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, message, cause);
	}

	private static void discard(@Nullable AFUNIXServerSocketChannel channel, @Nullable ShortPath address,
			IOException failure) {
		try {
			if (channel != null) {
				channel.close();
			}
			if (address != null) {
				Files.deleteIfExists(address.path());
				address.close();
			}
		}
		catch (IOException ex) {
			failure.addSuppressed(ex);
		}
	}

	private synchronized Acceptor start() {
		if (this.closed) {
			throw new SandboxException(ErrorCode.SANDBOX_STOPPED, "The gateway is closed.");
		}
		try {
			Acceptor running = this.acceptor;
			if (running == null) {
				running = new Acceptor();
				this.acceptor = running;
				this.watch = new Watch(this::isBusy, this::tick);
			}
			return running;
		}
		catch (IOException | LinkageError ex) {
			throw unusable("Unix sockets cannot be used here: junixsocket's native library does not load. "
					+ "It is there for Linux on x86_64 and aarch64, and needs a temporary directory without noexec.",
					ex);
		}
	}

	/**
	 * Refuses a policy that names a source or TLS settings which the gateway does not
	 * have.
	 * @param policy the policy
	 * @throws SandboxException {@link io.sandbox4j.ErrorCode#SANDBOX_INVALID}
	 */
	public void validate(NetworkPolicy policy) {
		if (!(policy instanceof NetworkPolicy.AllowList list)) {
			return;
		}
		for (OriginRule rule : list.rules()) {
			for (OriginRule.CredentialHeader credential : rule.credentials()) {
				requireKnown("credentials.source", credential.source(), this.sources.keySet(), rule);
			}
			String name = rule.tls();
			if (name != null) {
				requireKnown("ssl-bundle", name, this.tls.keySet(), rule);
			}
		}
	}

	private static void requireKnown(String property, String name, Set<String> known, OriginRule rule) {
		if (!known.contains(name)) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'network.allow." + property + "' of " + rule.origin()
					+ " is '" + name + "', which this gateway does not have. It has " + new TreeSet<>(known) + ".");
		}
	}

	/**
	 * Returns how much the gateway does now.
	 * @return the figures
	 */
	public GatewayStatus status() {
		int connections = 0;
		int requests = 0;
		for (GatewaySession session : this.sessions) {
			connections += session.connections();
			requests += session.requests();
		}
		return new GatewayStatus(this.sessions.size(), connections, requests, this.upstreams.open());
	}

	/**
	 * Closes what is open: sockets, requests, connections, threads.
	 */
	@Override
	public void close() {
		Acceptor running;
		Watch watching;
		synchronized (this) {
			this.closed = true;
			running = this.acceptor;
			watching = this.watch;
		}
		List.copyOf(this.sessions).forEach(GatewaySession::close);
		if (running != null && watching != null) {
			running.close();
			watching.close();
		}
		this.workers.shutdown();
		this.lookups.shutdownNow();
		this.upstreams.close();
	}

	// ------------------------------------------------------------ for the sessions

	GatewayLimits limits() {
		return this.limits;
	}

	Clock clock() {
		return this.clock;
	}

	void start(GuestConnection connection) {
		this.workers.execute(connection);
		Watch watching = this.watch;
		if (watching != null) {
			watching.wake();
		}
	}

	void release(GatewaySession session) {
		Acceptor running = this.acceptor;
		if (this.sessions.remove(session) && running != null) {
			running.remove(session);
		}
	}

	RuleSecrets secrets(OriginRule rule, String sessionId) throws RefusedException {
		return RuleSecrets.resolve(rule, this.sources, sessionId, this.clock, this.redactors);
	}

	UpstreamConnection connect(OriginRule rule, RuleSecrets secrets, boolean fresh, AbortHandle abort)
			throws IOException {
		String name = rule.tls();
		SSLContext context = (name != null) ? this.tls.get(name) : this.defaultTls;
		return this.upstreams.lease(new UpstreamRoute(rule.origin(), rule.allowPrivate(), context, secrets.key()),
				fresh, abort);
	}

	void release(UpstreamConnection connection, boolean reusable) {
		this.upstreams.release(connection, reusable);
	}

	private boolean isBusy() {
		return this.upstreams.open() > 0 || this.sessions.stream().anyMatch((session) -> session.connections() > 0);
	}

	private void tick(long now) {
		try {
			this.sessions.forEach((session) -> session.tick(now));
			this.upstreams.closeIdle();
		}
		catch (RuntimeException ex) {
			logger.warn("The gateway's watch failed, and goes on", ex);
		}
	}

	/**
	 * Tells which command a guest's process belongs to.
	 */
	@FunctionalInterface
	public interface CommandLookup {

		/**
		 * Finds a command.
		 * @param pid the process, as the host numbers it
		 * @return the command's id, or {@code null}
		 */
		@Nullable String commandOf(long pid);

	}

	/**
	 * Builds a gateway. Not thread-safe.
	 */
	public static final class Builder {

		final Map<String, CredentialSource> sources = new LinkedHashMap<>();

		final Map<String, SSLContext> tls = new HashMap<>();

		GatewayLimits limits = GatewayLimits.DEFAULT;

		@Nullable SSLContext defaultTls;

		@Nullable HostProxy proxy;

		NameLookup lookup = InetAddress::getAllByName;

		private Builder() {
		}

		/**
		 * Adds a source of credentials.
		 * @param name what rules call it
		 * @param source the source
		 * @return this builder
		 */
		public Builder credentialSource(String name, CredentialSource source) {
			this.sources.put(name, Objects.requireNonNull(source, "'source' must not be null"));
			return this;
		}

		/**
		 * Sets the bounds.
		 * @param limits the limits
		 * @return this builder
		 */
		public Builder limits(GatewayLimits limits) {
			this.limits = Objects.requireNonNull(limits, "'limits' must not be null");
			return this;
		}

		/**
		 * Sets the TLS of rules that name none. Without it, the JVM's own.
		 * @param context the context
		 * @return this builder
		 */
		public Builder tls(@Nullable SSLContext context) {
			this.defaultTls = context;
			return this;
		}

		/**
		 * Adds TLS settings.
		 * @param name what rules call them
		 * @param context the context
		 * @return this builder
		 */
		public Builder tls(String name, SSLContext context) {
			this.tls.put(name, Objects.requireNonNull(context, "'context' must not be null"));
			return this;
		}

		/**
		 * Reaches every origin through an HTTP proxy of the host, by CONNECT.
		 * @param proxy the proxy, or {@code null} for none
		 * @return this builder
		 */
		public Builder proxy(@Nullable HostProxy proxy) {
			this.proxy = proxy;
			return this;
		}

		Builder lookup(NameLookup lookup) {
			this.lookup = lookup;
			return this;
		}

		/**
		 * Builds the gateway. It starts no thread before the first session.
		 * @return the gateway
		 */
		public SandboxGateway build() {
			return new SandboxGateway(this);
		}

	}

	/**
	 * An HTTP proxy through which the host reaches the outside.
	 *
	 * @param address {@code http://proxy.example:3128}
	 * @param authorization the value of {@code Proxy-Authorization}, or {@code null};
	 * secret
	 * @param resolves whether the proxy resolves names. Then addresses are not checked
	 * here: the proxy answers for what it connects to.
	 */
	public record HostProxy(URI address, @Nullable String authorization, boolean resolves) {

		/**
		 * Says nothing of the authorization.
		 */
		@Override
		public String toString() {
			return "HostProxy[address=" + this.address + "]";
		}

	}

}
