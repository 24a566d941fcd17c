package io.sandbox4j.run;

/**
 * An operation, and whether this call submitted it.
 *
 * @param operation the operation as it stands
 * @param accepted {@code false} if it was there already
 * @since 0.1.0
 */
public record Submission(OperationRecord operation, boolean accepted) {

}
