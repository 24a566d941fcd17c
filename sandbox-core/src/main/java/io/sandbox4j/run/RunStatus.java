package io.sandbox4j.run;

/**
 * What runs in this application.
 *
 * @param sandboxes how many durable sandboxes run
 * @param turns how many turns run
 * @param maxTurns how many may at once
 * @since 0.1.0
 */
public record RunStatus(int sandboxes, int turns, int maxTurns) {

}
