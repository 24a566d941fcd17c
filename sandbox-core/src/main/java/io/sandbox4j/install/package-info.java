/**
 * Installs of dependencies inside a sandbox: which command a directory needs, whether it
 * is needed at all, and what became of it, also after a restart. Knows only the contract
 * package {@code io.sandbox4j}.
 */
@NullMarked
package io.sandbox4j.install;

import org.jspecify.annotations.NullMarked;
