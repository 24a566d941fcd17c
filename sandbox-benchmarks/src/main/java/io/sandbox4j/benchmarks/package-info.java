/**
 * Comparisons with other tools, side by side in one run: what {@code ./sandbox bench}
 * prints, and a few that are started by hand.
 */
@NullMarked
package io.sandbox4j.benchmarks;

import org.jspecify.annotations.NullMarked;
