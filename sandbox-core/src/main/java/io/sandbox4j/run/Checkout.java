package io.sandbox4j.run;

/**
 * Where work is, and whether it is there now.
 *
 * @param record what was noted
 * @param present whether the directory, and the {@code .git} of a repository, can be seen
 * @since 0.1.0
 */
public record Checkout(CheckoutRecord record, boolean present) {

}
