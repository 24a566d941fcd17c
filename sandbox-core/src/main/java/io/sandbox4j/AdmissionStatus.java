package io.sandbox4j;

/**
 * A snapshot of a session's command admission.
 *
 * @param active commands that hold a slot, those of {@code unproven} included
 * @param limit how many may hold one at once
 * @param rejected how many were refused because the admission was full
 * @param unproven commands whose processes could not be proven gone; each keeps its slot
 * for as long as that is so
 * @since 0.1.0
 */
public record AdmissionStatus(int active, int limit, long rejected, int unproven) {

}
