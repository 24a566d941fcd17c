/**
 * Sessions as sandboxes of Spring AI Community's Agent Sandbox.
 */
@NullMarked
package io.sandbox4j.agentsandbox;

import org.jspecify.annotations.NullMarked;
