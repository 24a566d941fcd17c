/**
 * Sample application.
 */
@NullMarked
package io.sandbox4j.sample;

import org.jspecify.annotations.NullMarked;
