/**
 * The Actuator endpoint of sandboxes.
 */
@NullMarked
package io.sandbox4j.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
