/**
 * One session over any driver: admission, deadlines, output limits, text and path rules.
 * It knows the contract alone and does no I/O of its own; a backend hands it a
 * {@link io.sandbox4j.SandboxDriver} and gets a {@link io.sandbox4j.SandboxSession}.
 */
@NullMarked
package io.sandbox4j.session;

import org.jspecify.annotations.NullMarked;
