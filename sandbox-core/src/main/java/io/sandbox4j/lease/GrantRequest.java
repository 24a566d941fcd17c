package io.sandbox4j.lease;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What credentials are asked for.
 *
 * @param key the lease
 * @param environmentNames which variables may be given at most, or {@code null} if the
 * broker alone decides
 * @since 0.1.0
 */
public record GrantRequest(LeaseKey key, @Nullable Set<String> environmentNames) {

}
