/**
 * The contract of a sandbox: what a caller holds and passes.
 */
@NullMarked
package io.sandbox4j;

import org.jspecify.annotations.NullMarked;
