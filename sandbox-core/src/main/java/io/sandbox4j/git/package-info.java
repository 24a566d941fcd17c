/**
 * Workspace transport: brings the tree of a Git repository of the host into a sandbox,
 * and the changes of both sides together. Knows only the contract package
 * {@code io.sandbox4j}.
 */
@NullMarked
package io.sandbox4j.git;

import org.jspecify.annotations.NullMarked;
