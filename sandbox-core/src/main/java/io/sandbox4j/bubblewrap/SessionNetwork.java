package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.gateway.GatewaySession;
import io.sandbox4j.gateway.SandboxGateway;
import org.jspecify.annotations.Nullable;

/**
 * What a session's policy is made of: the gateway's answers, bubblewrap's options, the
 * relay and the commands' environment. The socket is there under every policy, so that a
 * guest which asks is told why it gets nothing. Policies are set by one thread at a time,
 * while no command lives.
 */
final class SessionNetwork implements AutoCloseable {

	private static final String DIRECTORY = "gateway";

	private final SandboxGateway gateway;

	private final GatewaySession session;

	private final LaunchPlan plan;

	private final Function<NetworkPolicy, byte[]> options;

	private final boolean relay;

	private final GuestProcesses processes;

	private NetworkPolicy policy;

	private volatile Map<String, String> environment;

	private SessionNetwork(Setup setup, GatewaySession session, Path directory, NetworkPolicy policy) {
		this.gateway = setup.gateway();
		this.session = session;
		this.plan = setup.plan();
		this.options = (next) -> setup.options().apply(next, directory);
		this.relay = setup.relay();
		this.processes = setup.processes();
		this.policy = policy;
		this.environment = GuestEnvironment.of(policy, this.relay);
	}

	/**
	 * Returns where a session's socket is.
	 * @param runtime the session's runtime directory
	 * @return the socket
	 */
	static Path socket(Path runtime) {
		return runtime.resolve(DIRECTORY).resolve(GatewaySession.SOCKET);
	}

	/**
	 * Makes the directory of a session's socket, which sandboxes mount alone.
	 * @param runtime the session's runtime directory
	 * @param user the guest's user, the only one who can enter
	 * @return the directory
	 */
	static Path makeDirectory(Path runtime, GuestUser user) {
		try {
			return user.createDirectory(runtime.resolve(DIRECTORY));
		}
		catch (IOException ex) {
			throw RuntimeDirectory.unusable(runtime, "cannot be written", ex);
		}
	}

	/**
	 * Opens a session's socket and puts the first policy in force.
	 * @param setup what the session brings
	 * @param policy the policy
	 * @return the network, to be closed
	 */
	static SessionNetwork open(Setup setup, NetworkPolicy policy) {
		Path socket = socket(setup.runtime());
		Path directory = makeDirectory(setup.runtime(), setup.user());
		GatewaySession session = setup.gateway()
			.open(setup.sessionId(), directory, policy, setup.processes(), setup.listener());
		try {
			// For the guest alone, whatever the umask was.
			Files.setPosixFilePermissions(socket, GuestUser.FILE);
			setup.user().give(socket);
			SessionNetwork network = new SessionNetwork(setup, session, directory, policy);
			network.write(policy);
			return network;
		}
		catch (IOException ex) {
			session.close();
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"The gateway's socket " + socket + " cannot be given to the guest's user.", ex);
		}
		catch (RuntimeException ex) {
			session.close();
			throw ex;
		}
	}

	/**
	 * Replaces the policy. One that is refused leaves the old one whole.
	 * @param next the new policy
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if the gateway cannot
	 * hold it
	 */
	void set(NetworkPolicy next) {
		this.gateway.validate(next);
		// Options are replaced as a whole or not at all, so only the gateway has to go
		// back; a gateway that cannot serves nobody.
		this.session.setPolicy(next);
		try {
			write(next);
		}
		catch (RuntimeException ex) {
			restore(ex);
			throw ex;
		}
		this.environment = GuestEnvironment.of(next, this.relay);
		this.policy = next;
	}

	private void restore(RuntimeException failure) {
		try {
			this.session.setPolicy(this.policy);
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
			this.session.close();
		}
	}

	private void write(NetworkPolicy next) {
		this.plan.update(this.options.apply(next), this.relay && listsOrigins(next));
	}

	/**
	 * Whether a policy lists origins: then, and only then, the gateway serves anything.
	 * @param policy the policy
	 * @return {@code true} with at least one rule
	 */
	static boolean listsOrigins(NetworkPolicy policy) {
		return policy instanceof NetworkPolicy.AllowList list && !list.rules().isEmpty();
	}

	/**
	 * Returns what a command has besides its own environment.
	 * @return names and values
	 */
	Map<String, String> environment() {
		return this.environment;
	}

	/**
	 * Returns which command a process belongs to.
	 * @param pid the process, as the host numbers it
	 * @return the command's id, or {@code null} if it is none of this session's
	 */
	@Nullable String commandOf(long pid) {
		return this.processes.commandOf(pid);
	}

	/**
	 * Closes the socket. Nobody is served after that.
	 */
	@Override
	public void close() {
		this.session.close();
	}

	/**
	 * What a session brings.
	 *
	 * @param gateway the gateway
	 * @param sessionId the session
	 * @param runtime the session's runtime directory
	 * @param user the guest's user
	 * @param plan how its sandboxes are started
	 * @param options makes bubblewrap's options for a policy and the socket's directory
	 * @param relay whether a relay can run in its sandboxes
	 * @param processes tells which command asks
	 * @param listener told of each request
	 */
	record Setup(SandboxGateway gateway, String sessionId, Path runtime, GuestUser user, LaunchPlan plan,
			BiFunction<NetworkPolicy, Path, byte[]> options, boolean relay, GuestProcesses processes,
			SandboxListener listener) {

	}

}
