package io.sandbox4j.git;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * A commit that was made in the sandbox. It is what somebody in there wrote: neither
 * author nor time is proven. Control characters, and characters that change the direction
 * of text, are replaced by U+FFFD, so that it can be shown on a terminal.
 *
 * @param id its id in the repository of the sandbox, which the host's does not have
 * @param author who it says made it, a name and an address in angle brackets
 * @param time when it says it was made; the epoch if it says no time
 * @param subject the first paragraph of its message, in one line
 * @param body the rest of its message, empty if there is none
 * @since 0.1.0
 */
public record AgentCommit(String id, String author, Instant time, String subject, String body) {

	/**
	 * Validates the components.
	 */
	public AgentCommit {
		Objects.requireNonNull(id, "'id' must not be null");
		Objects.requireNonNull(author, "'author' must not be null");
		Objects.requireNonNull(time, "'time' must not be null");
		Objects.requireNonNull(subject, "'subject' must not be null");
		Objects.requireNonNull(body, "'body' must not be null");
	}

	/**
	 * Returns the message of one commit that stands for several, as a file that
	 * {@code git commit -F} reads: that of the only one, or the newest subject over a
	 * list of all messages, oldest first. Nothing is committed by this: read it first.
	 * @param commits the commits, newest first
	 * @return the text, empty without commits
	 */
	public static String message(List<AgentCommit> commits) {
		if (commits.isEmpty()) {
			return "";
		}
		AgentCommit newest = commits.get(0);
		StringBuilder text = new StringBuilder(newest.subject).append('\n');
		if (commits.size() == 1) {
			return newest.body.isEmpty() ? text.toString()
					: text.append('\n').append(newest.body).append('\n').toString();
		}
		for (int i = commits.size() - 1; i >= 0; i--) {
			AgentCommit commit = commits.get(i);
			text.append("\n* ").append(commit.subject).append('\n');
			if (!commit.body.isEmpty()) {
				text.append('\n').append(commit.body.indent(2));
			}
		}
		return text.toString();
	}

}
