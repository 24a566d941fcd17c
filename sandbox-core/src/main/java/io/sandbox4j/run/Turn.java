package io.sandbox4j.run;

import io.sandbox4j.SandboxSession;
import org.jspecify.annotations.Nullable;

/**
 * One turn of a run. Thread-safe.
 *
 * @since 0.1.0
 */
public interface Turn {

	/**
	 * Returns the sandbox's key.
	 * @return the key
	 */
	String sandbox();

	/**
	 * Returns the run's id.
	 * @return the id
	 */
	String run();

	/**
	 * Returns the operation's id.
	 * @return the id
	 */
	String operation();

	/**
	 * Returns the id of the conversation, which runs that continue each other share.
	 * @return 32 hexadecimal digits
	 */
	String conversation();

	/**
	 * Returns the conversation that this one branched from. Its turns up to the branch
	 * are this one's too.
	 * @return its id, or {@code null} if it branched from none
	 */
	@Nullable String parent();

	/**
	 * Whether it is the first turn of its conversation.
	 * @return {@code true} if so
	 */
	boolean first();

	/**
	 * Returns what is asked.
	 * @return the text
	 */
	String text();

	/**
	 * Returns where it runs, relative to the workspace, empty for its top.
	 * @return the directory
	 */
	String cwd();

	/**
	 * Returns the sandbox's session, until the end of the turn. Its commands run where
	 * the turn runs unless they say otherwise.
	 * @return the session
	 */
	SandboxSession session();

	/**
	 * Tells a message. It is stored before this returns, and replaces the one with its
	 * id.
	 * @param id its id, 1 to 128 printable ASCII characters without blanks
	 * @param content the content
	 */
	void message(String id, String content);

}
