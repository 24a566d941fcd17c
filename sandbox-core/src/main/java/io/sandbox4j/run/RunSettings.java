package io.sandbox4j.run;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxSession;

/**
 * What {@link SandboxRunsBuilder} was told.
 *
 * @param backend makes the sandboxes
 * @param templateKey the template of new sandboxes
 * @param store keeps the records
 * @param adapter the agent
 * @param network the policy of every sandbox
 * @param environment the variables of every command
 * @param prepare is done once with a new session
 * @param beforeStop is done before a session is stopped
 * @param idleTimeout after which time without use a sandbox is stopped
 * @param maxTurns how many turns run at once
 * @param drainTimeout how long turns may go on when the application ends
 * @param debugSecret unlocks reset and destroy, empty for never
 * @param firstPause how long to wait before a sandbox that could not be had is tried
 * again; doubled each time
 * @param clock the wall clock
 */
record RunSettings(SandboxBackend backend, String templateKey, RunStore store, RunAdapter adapter,
		NetworkPolicy network, CommandEnvironment environment, Consumer<SandboxSession> prepare,
		Consumer<SandboxHandle> beforeStop, Duration idleTimeout, int maxTurns, Duration drainTimeout,
		byte[] debugSecret, Duration firstPause, InstantSource clock) {

}
