package io.sandbox4j.bubblewrap;

import java.time.Duration;

/**
 * The warm sandboxes of a backend.
 *
 * @param ready how many wait for a command
 * @param limit how many may
 * @param hits commands that found one since the start of the backend
 * @param misses commands that found none while warm sandboxes were on
 * @param builds how many were built
 * @param buildTime how long that took, together
 * @since 0.1.0
 */
public record WarmStatus(int ready, int limit, long hits, long misses, long builds, Duration buildTime) {

}
