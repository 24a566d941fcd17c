/**
 * The reference backend: every command in fresh Linux namespaces of its own, built by
 * bubblewrap. Here are the mounts, the arguments, the seccomp filter, the launch protocol
 * and the probe that proves them. Nothing here ever runs a command on the host instead.
 */
@NullMarked
package io.sandbox4j.bubblewrap;

import org.jspecify.annotations.NullMarked;
