/**
 * Tests of what happens at once, without sleeps: barriers stop the code under test where
 * a race is decided, and a trace tells in which order things happened. A
 * {@link io.sandbox4j.test.race.RaceDriver} holds both.
 */
@NullMarked
package io.sandbox4j.test.race;

import org.jspecify.annotations.NullMarked;
