package io.sandbox4j.run;

/**
 * Whether a sandbox was stopped, or why not.
 *
 * @param released whether it does not run any more
 * @param reason why it was not, empty if it was
 * @since 0.1.0
 */
public record Release(boolean released, String reason) {

}
