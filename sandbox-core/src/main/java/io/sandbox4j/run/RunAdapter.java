package io.sandbox4j.run;

/**
 * An agent: turns the text of a turn into work in the sandbox, and an answer. Shared by
 * all runs, so thread-safe; turns of one conversation come one after the other.
 *
 * @since 0.1.0
 * @see CommandLineAgent
 */
@FunctionalInterface
public interface RunAdapter {

	/**
	 * Does one turn, on a thread of its own. If the run is stopped the thread is
	 * interrupted and the commands of the turn are killed. What is left of its commands
	 * when it returns is killed too.
	 * @param turn what is to be done
	 * @return the answer
	 * @throws AgentFailedException if the agent failed and can tell why
	 * @throws Exception if it fails for another reason, which is logged and not told
	 */
	String answer(Turn turn) throws Exception;

}
