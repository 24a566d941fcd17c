/**
 * HTTP for guests without a network: one server for each session on a Unix socket, which
 * sends what a policy lists to the origins that it names and adds credentials that the
 * guest never sees. HttpCore parses and writes HTTP on both sides; ours are the rules.
 * Knows the contract and the session, nothing of a backend.
 */
@NullMarked
package io.sandbox4j.gateway;

import org.jspecify.annotations.NullMarked;
