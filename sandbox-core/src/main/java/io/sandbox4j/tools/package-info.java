/**
 * Coding tools for models: they find, read and change the files of a workspace. Knows
 * only the contract package {@code io.sandbox4j}.
 */
@NullMarked
package io.sandbox4j.tools;

import org.jspecify.annotations.NullMarked;
