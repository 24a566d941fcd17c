/**
 * Health of sandboxes.
 */
@NullMarked
package io.sandbox4j.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
