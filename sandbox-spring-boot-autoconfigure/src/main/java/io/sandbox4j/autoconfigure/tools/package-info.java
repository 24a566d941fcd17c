/**
 * Coding tools for Spring AI, and over MCP.
 */
@NullMarked
package io.sandbox4j.autoconfigure.tools;

import org.jspecify.annotations.NullMarked;
