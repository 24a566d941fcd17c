/**
 * Agents without a model, for tests and demonstrations: a
 * {@link io.sandbox4j.test.ai.ReplayChatModel} asks for the tool calls of a script and
 * never leaves the machine. The tools it asks for are real.
 * <p>
 * This package needs {@code org.springframework.ai:spring-ai-model}, which
 * {@code sandbox-test} does not bring along.
 */
@NullMarked
package io.sandbox4j.test.ai;

import org.jspecify.annotations.NullMarked;
