package io.sandbox4j.run;

/**
 * A run, and whether this call made it.
 *
 * @param run the run
 * @param created {@code false} if it was there already
 * @since 0.1.0
 */
public record RunCreation(RunRecord run, boolean created) {

}
