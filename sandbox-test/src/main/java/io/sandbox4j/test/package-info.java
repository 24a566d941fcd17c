/**
 * Contract tests and fakes for code that uses or implements sandboxes.
 */
@NullMarked
package io.sandbox4j.test;

import org.jspecify.annotations.NullMarked;
