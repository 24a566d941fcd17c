package io.sandbox4j.bubblewrap;

import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.FileType;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OutputSink;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.SandboxException;
import io.sandbox4j.storage.SessionLease;
import org.jspecify.annotations.Nullable;

/**
 * A session's driver: every command in a sandbox of its own.
 */
final class BubblewrapDriver implements SandboxDriver {

	private final LaunchPlan plan;

	private final Files files;

	private final SessionLease lease;

	private final GuestContext context;

	private final WarmShelf shelf;

	private final WorkspaceWatch watch;

	private final SessionNetwork network;

	private final Supplier<Set<Restriction>> held;

	private final SecureRandom random = new SecureRandom();

	/**
	 * Creates a driver.
	 * @param plan how its sandboxes are started
	 * @param files the workspace's files
	 * @param lease the session's lease
	 * @param context what its guests need
	 * @param shelf its warm sandboxes
	 * @param watch holds the workspace to its size
	 * @param network puts policies in force
	 * @param held what the probe proved
	 */
	BubblewrapDriver(LaunchPlan plan, Files files, SessionLease lease, GuestContext context, WarmShelf shelf,
			WorkspaceWatch watch, SessionNetwork network, Supplier<Set<Restriction>> held) {
		this.plan = plan;
		this.files = files;
		this.lease = lease;
		this.context = context;
		this.shelf = shelf;
		this.watch = watch;
		this.network = network;
		this.held = held;
	}

	@Override
	public Execution start(ExecSpec command, OutputSink output) {
		requireDirectory(command);
		GuestCommand prepared = GuestCommand.of(word(8), word(16), command, this.network.environment());
		Guest guest = Objects.requireNonNullElseGet(warm(prepared, output),
				() -> Guest.launch(this.plan.command(), prepared, output, this.context));
		this.watch.watch(guest);
		return guest;
	}

	private @Nullable Guest warm(GuestCommand command, OutputSink output) {
		GuestProcess waiting = this.shelf.take();
		return (waiting != null) ? Guest.warm(waiting, command, output, this.context) : null;
	}

	// Random, because a session outlives its driver, and its ids must not come again.
	private String word(int length) {
		byte[] bytes = new byte[length];
		this.random.nextBytes(bytes);
		return HexFormat.of().formatHex(bytes);
	}

	// Tells a missing working directory from a missing program, before anything runs, and
	// refuses a link: the guest could follow it, a reader of the command would not expect
	// it.
	private void requireDirectory(ExecSpec command) {
		if (command.cwd().isRoot()) {
			return;
		}
		if (this.files.stat(command.cwd()).type() != FileType.DIRECTORY) {
			throw new SandboxException(ErrorCode.SANDBOX_PATH,
					"The working directory '" + command.cwd() + "' is not a directory.");
		}
	}

	@Override
	public Files files() {
		return this.files;
	}

	@Override
	public void setNetworkPolicy(NetworkPolicy policy) {
		try {
			this.network.set(policy);
		}
		finally {
			this.shelf.renew();
		}
	}

	@Override
	public Set<Restriction> restrictions(NetworkPolicy policy) {
		Set<Restriction> restrictions = EnumSet.noneOf(Restriction.class);
		restrictions.addAll(this.held.get());
		boolean listed = SessionNetwork.listsOrigins(policy);
		if (policy instanceof NetworkPolicy.AllowAll || listed) {
			restrictions.remove(Restriction.NETWORK_DENIED);
		}
		if (!listed) {
			restrictions.remove(Restriction.EGRESS_BROKERED);
		}
		return restrictions;
	}

	@Override
	public void ensureOwned() {
		this.lease.ensureValid();
	}

}
