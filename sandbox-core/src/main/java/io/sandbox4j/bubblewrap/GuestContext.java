package io.sandbox4j.bubblewrap;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;

/**
 * What a guest needs of its session and backend.
 *
 * @param born told of each sandbox's init, before it gets a command
 * @param handed told which command an init gets, before it is handed over
 * @param gone told once every process of that namespace is gone
 * @param launcher starts processes
 * @param executor runs blocking work
 * @param timer runs short work later
 * @param launchTimeout how long bubblewrap may take to build the sandbox
 * @param cleanupTimeout how long the processes may take to go after a kill
 */
record GuestContext(LongConsumer born, ObjLongConsumer<String> handed, LongConsumer gone, Launcher launcher,
		Executor executor, ScheduledExecutorService timer, Duration launchTimeout, Duration cleanupTimeout) {

}
