/**
 * What a caller must not assume away: dependencies that are being installed, broken or
 * absent, and storage that is full. Knows only the contract package {@code io.sandbox4j}
 * and {@code io.sandbox4j.install}.
 */
@NullMarked
package io.sandbox4j.advisory;

import org.jspecify.annotations.NullMarked;
