/**
 * The state directory: templates, sessions, their leases and their files.
 */
@NullMarked
package io.sandbox4j.storage;

import org.jspecify.annotations.NullMarked;
