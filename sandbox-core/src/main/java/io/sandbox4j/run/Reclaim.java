package io.sandbox4j.run;

import java.time.Duration;

/**
 * Whether an unused sandbox was emptied.
 *
 * @param reclaimed whether it is gone, with its files and its runs
 * @param idle how long nobody had used it
 * @since 0.1.0
 */
public record Reclaim(boolean reclaimed, Duration idle) {

}
