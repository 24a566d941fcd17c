package io.sandbox4j.bubblewrap;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.sandbox4j.gateway.SandboxGateway.CommandLookup;
import org.jspecify.annotations.Nullable;

/**
 * Tells which command of a session a process belongs to. The namespace's init is an
 * ancestor of everything in its namespace, also of what a program left behind: orphans
 * become children of it (pid_namespaces(7)). Thread-safe.
 */
final class GuestProcesses implements CommandLookup {

	/**
	 * Deeper than any program nests; a guest can nest deeper, and is not found then.
	 */
	private static final int MAX_STEPS = 128;

	private final Map<Long, String> inits = new ConcurrentHashMap<>();

	/**
	 * Adds a sandbox.
	 * @param init its namespace's init, as the host numbers it
	 * @param command the id of its command
	 */
	void add(long init, String command) {
		this.inits.put(init, command);
	}

	/**
	 * Removes a sandbox whose processes are gone.
	 * @param init its namespace's init
	 */
	void remove(long init) {
		this.inits.remove(init);
	}

	@Override
	public @Nullable String commandOf(long pid) {
		long process = pid;
		for (int step = 0; step < MAX_STEPS && process > 1; step++) {
			String command = this.inits.get(process);
			if (command != null) {
				return command;
			}
			process = HostProcess.parent(process);
		}
		return null;
	}

}
