package io.sandbox4j;

/**
 * A template that is ready to be copied.
 *
 * @param key what {@link SandboxRequest#from} takes: 64 hexadecimal digits over the
 * backend's name, the template's name, its paths and its content
 * @param reused whether it was there already
 * @since 0.1.0
 */
public record PreparedTemplate(String key, boolean reused) {

}
