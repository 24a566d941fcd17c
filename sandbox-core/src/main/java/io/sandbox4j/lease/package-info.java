/**
 * Sandboxes by key: found or made, renewed, stopped while idle and ended in order, with
 * the credentials that they were given. Knows only the contract package
 * {@code io.sandbox4j}.
 */
@NullMarked
package io.sandbox4j.lease;

import org.jspecify.annotations.NullMarked;
