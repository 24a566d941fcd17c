/**
 * Looks whether this host and its settings are fit for sandboxes, and says what to do
 * where they are not.
 */
@NullMarked
package io.sandbox4j.doctor;

import org.jspecify.annotations.NullMarked;
