/**
 * Tests of applications of Spring Boot:
 * {@link io.sandbox4j.test.autoconfigure.SandboxTest} starts a context with sandboxes and
 * nothing else.
 */
@NullMarked
package io.sandbox4j.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
