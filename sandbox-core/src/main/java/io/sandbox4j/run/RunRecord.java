package io.sandbox4j.run;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A run as it is stored. Runs that continue each other have one conversation.
 *
 * @param sandbox the sandbox's key
 * @param id the caller's id, unique within the sandbox
 * @param conversation the id under which the agent knows the conversation
 * @param parent the conversation that this one branched from, {@code null} if none
 * @param cwd where its turns run, relative to the workspace, empty for its top
 * @param stopped whether it takes no more turns
 * @param created when it was made
 * @since 0.1.0
 */
public record RunRecord(String sandbox, String id, String conversation, @Nullable String parent, String cwd,
		boolean stopped, Instant created) {

	RunRecord withStopped() {
		return new RunRecord(this.sandbox, this.id, this.conversation, this.parent, this.cwd, true, this.created);
	}

}
