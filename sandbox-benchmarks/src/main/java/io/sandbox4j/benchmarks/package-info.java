/**
 * JMH benchmarks.
 */
@NullMarked
package io.sandbox4j.benchmarks;

import org.jspecify.annotations.NullMarked;
