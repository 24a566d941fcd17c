/**
 * Metrics of sandboxes.
 */
@NullMarked
package io.sandbox4j.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
