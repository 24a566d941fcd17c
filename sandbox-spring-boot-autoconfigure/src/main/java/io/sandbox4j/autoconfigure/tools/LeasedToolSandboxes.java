package io.sandbox4j.autoconfigure.tools;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.lease.LeaseKey;
import io.sandbox4j.lease.LeaseSpec;
import io.sandbox4j.lease.SandboxLease;
import io.sandbox4j.lease.SandboxLeases;
import io.sandbox4j.tools.CodingTools;
import org.jspecify.annotations.Nullable;

/**
 * Finds or makes sandboxes by key with leases of its own: these end when they are idle,
 * with their files, none of them makes room for another, and they have no credentials, as
 * a model writes what runs in them.
 */
final class LeasedToolSandboxes implements ToolSandboxes, AutoCloseable {

	private static final int MAX_KEY_LENGTH = 256;

	private static final Duration LONGEST = Duration.ofDays(3650);

	private static final Duration LONGEST_SWEEP = Duration.ofMinutes(1);

	private static final Duration AT_ONCE = Duration.ofMillis(1);

	private final SandboxBackend backend;

	private final SandboxLeases leases;

	private final PreparedTemplate template;

	private final NetworkPolicy network;

	private final Function<SandboxSession, CodingTools> tools;

	private final ToolCallOwners owners;

	private final Duration idleTimeout;

	private final Map<LeaseKey, LiveTools> live = new ConcurrentHashMap<>();

	LeasedToolSandboxes(SandboxBackend backend, PreparedTemplate template, NetworkPolicy network,
			Function<SandboxSession, CodingTools> tools, ToolCallOwners owners, Bounds bounds) {
		this.backend = backend;
		this.template = template;
		this.network = network;
		this.tools = tools;
		this.owners = owners;
		this.idleTimeout = shorter(bounds.idleTimeout(), LONGEST);
		this.leases = SandboxLeases.builder(backend)
			.maxActive(bounds.maxSandboxes(), "sandbox.tools.max-sandboxes")
			.makeRoom(false)
			.reclaimAfter(AT_ONCE)
			.sweepInterval(longer(shorter(this.idleTimeout.dividedBy(4), LONGEST_SWEEP), AT_ONCE))
			.build();
	}

	private static Duration shorter(Duration first, Duration second) {
		return (first.compareTo(second) < 0) ? first : second;
	}

	private static Duration longer(Duration first, Duration second) {
		return (first.compareTo(second) > 0) ? first : second;
	}

	@Override
	public <T> T use(String key, Function<CodingTools, T> work) {
		// The key itself is not repeated: it may be an id that gives access elsewhere.
		if (!isKey(key)) {
			throw new IllegalArgumentException(
					"The key of a sandbox must have 1 to " + MAX_KEY_LENGTH + " printable ASCII characters.");
		}
		LeaseKey leaseKey = leaseKey(key);
		try (SandboxLease lease = this.leases.open(spec(leaseKey))) {
			CodingTools ready = tools(lease);
			return this.owners.call(key, ToolCallOwners.NO_CONTEXT, () -> work.apply(ready));
		}
	}

	private static boolean isKey(String key) {
		return !key.isEmpty() && key.length() <= MAX_KEY_LENGTH && key.chars().allMatch((c) -> c >= 0x20 && c < 0x7f);
	}

	// Keys of leases are logged, and have no blanks.
	private static LeaseKey leaseKey(String key) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.US_ASCII));
			return LeaseKey.forConversation("tools-" + HexFormat.of().formatHex(digest));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	// Only idleness ends such a lease, and idle is not what is in use.
	private LeaseSpec spec(LeaseKey key) {
		return LeaseSpec.builder(key, this.template)
			.network(this.network)
			.lifetime(LONGEST)
			.maxLifetime(LONGEST)
			.idleTimeout(this.idleTimeout)
			.setup(this::setUp)
			.build();
	}

	// A sandbox whose tools cannot be built is of no use, and is not kept.
	private void setUp(SandboxLease lease) {
		LiveTools made = new LiveTools();
		made.over(session(lease), this.tools);
		this.live.put(lease.key(), made);
		lease.pushTeardown("tools:forget", () -> this.live.remove(lease.key(), made));
	}

	private CodingTools tools(SandboxLease lease) {
		LiveTools known = this.live.get(lease.key());
		if (known == null) {
			throw stopped();
		}
		return known.over(session(lease), this.tools);
	}

	// The session of one use would end with it, and tools outlive each of their calls.
	private SandboxSession session(SandboxLease lease) {
		return this.backend.handle(lease.session().id())
			.map(SandboxHandle::session)
			.orElseThrow(LeasedToolSandboxes::stopped);
	}

	private static SandboxException stopped() {
		return new SandboxException(ErrorCode.SANDBOX_STOPPED, "The sandbox was stopped. Call again for a new one.");
	}

	@Override
	public boolean end(String key) {
		return isKey(key) && this.leases.end(leaseKey(key));
	}

	/**
	 * Deletes every sandbox. Idempotent.
	 */
	@Override
	public void close() {
		this.leases.close();
	}

	/**
	 * How many sandboxes there are, and how long.
	 *
	 * @param maxSandboxes how many run at once
	 * @param idleTimeout how long they are kept without use
	 */
	record Bounds(int maxSandboxes, Duration idleTimeout) {

	}

	/**
	 * The tools of one lease, which are the same as long as its sandbox runs.
	 */
	private static final class LiveTools {

		private @Nullable SandboxSession session;

		private @Nullable CodingTools tools;

		synchronized CodingTools over(SandboxSession running, Function<SandboxSession, CodingTools> factory) {
			CodingTools known = this.tools;
			if (known != null && this.session == running) {
				return known;
			}
			CodingTools built = factory.apply(running);
			this.session = running;
			this.tools = built;
			return built;
		}

	}

}
