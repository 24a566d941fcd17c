/**
 * Auto-configuration of sandboxes for Spring Boot.
 */
@NullMarked
package io.sandbox4j.autoconfigure;

import org.jspecify.annotations.NullMarked;
