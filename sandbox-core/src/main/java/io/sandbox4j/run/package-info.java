/**
 * Durable runs: turns of an agent in a sandbox that outlives the application. Knows the
 * contract alone.
 */
@NullMarked
package io.sandbox4j.run;

import org.jspecify.annotations.NullMarked;
