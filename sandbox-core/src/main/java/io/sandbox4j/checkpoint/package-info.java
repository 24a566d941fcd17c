/**
 * Checkpoints: consistent snapshots of a sandbox's workspace, content-addressed and
 * incremental. Knows only the contract package {@code io.sandbox4j}.
 */
@NullMarked
package io.sandbox4j.checkpoint;

import org.jspecify.annotations.NullMarked;
