/**
 * Command line front end.
 */
@NullMarked
package io.sandbox4j.cli;

import org.jspecify.annotations.NullMarked;
