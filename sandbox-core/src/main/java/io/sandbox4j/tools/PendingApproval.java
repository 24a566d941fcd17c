package io.sandbox4j.tools;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A call that waits for a person.
 *
 * @param id what it is answered by: 64 hexadecimal digits that nobody guesses
 * @param sessionId the session it is for, {@code null} if it is not known
 * @param request what would happen
 * @param owner the principal whose call it is
 * @param since when it began to wait
 * @param until when it is refused if nobody answers
 * @since 0.1.0
 */
public record PendingApproval(String id, @Nullable String sessionId, ToolRequest request, String owner, Instant since,
		Instant until) {

}
