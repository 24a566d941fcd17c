package io.sandbox4j;

import java.util.Set;

/**
 * The work side of a sandbox: commands and files. Thread-safe; commands run beside each
 * other up to the admission limit, each in namespaces of its own, over one workspace.
 * <p>
 * <b>What it promises.</b> A command sees the workspace, a private {@code /tmp},
 * read-only programs and libraries, and nothing else of the host: no home, no
 * environment, no process, no socket and, under {@link NetworkPolicy#denyAll()}, no
 * network. When a call returns, no process of the command is left. <b>What it does not
 * promise.</b> The kernel is shared: this is no defence against a kernel exploit, nor
 * against timing and cache side channels.
 *
 * @since 0.1.0
 */
public interface SandboxSession {

	/**
	 * Returns the session's id: 64 hexadecimal digits, not secret, not guessable.
	 * @return the id
	 */
	String id();

	/**
	 * Returns the one canonical spelling of a workspace path, as the guest sees it.
	 * @param path the path
	 * @return {@code /workspace} or a path below it
	 * @throws SandboxException {@link ErrorCode#SANDBOX_PATH} if it is refused
	 */
	String resolvePath(String path);

	/**
	 * Runs a command to its end and collects its output. A non-zero exit, a deadline and
	 * an output limit are results, not exceptions. If the calling thread is interrupted
	 * the command is killed, the result is {@link ExecStatus#CANCELLED} and the interrupt
	 * flag stays set.
	 * @param command the command
	 * @return what it did
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if the admission is full,
	 * {@link ErrorCode#SANDBOX_STOPPED} after stop, {@link ErrorCode#SANDBOX_NOT_FOUND}
	 * if the working directory does not exist and {@link ErrorCode#SANDBOX_PATH} if it is
	 * none, {@link ErrorCode#SANDBOX_UNAVAILABLE} if the sandbox could not be built,
	 * {@link ErrorCode#SANDBOX_LEASE_LOST} if the session has a new owner
	 */
	ExecResult run(ExecSpec command);

	/**
	 * Starts a command and hands its streams to the caller.
	 * @param command the command
	 * @return the running command
	 * @throws SandboxException as {@link #run}
	 */
	SandboxProcess start(ExecSpec command);

	/**
	 * Returns the workspace's files.
	 * @return the files
	 */
	SandboxFiles files();

	/**
	 * Returns the policy in force.
	 * @return the policy
	 */
	NetworkPolicy networkPolicy();

	/**
	 * Replaces the network policy for the commands that follow.
	 * @param policy the policy
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} while a command lives,
	 * {@link ErrorCode#SANDBOX_INVALID} if the backend cannot hold the policy, and the
	 * old one stays
	 */
	void setNetworkPolicy(NetworkPolicy policy);

	/**
	 * Returns what holds for commands started now, under the policy in force.
	 * @return the restrictions
	 */
	Set<Restriction> restrictions();

	/**
	 * Returns how many commands run, may run and were refused.
	 * @return a consistent snapshot
	 */
	AdmissionStatus admission();

}
