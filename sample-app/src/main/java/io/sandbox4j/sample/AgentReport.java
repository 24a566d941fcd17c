package io.sandbox4j.sample;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What an agent did.
 *
 * @param model the model that worked
 * @param answer its last words
 * @param calls its calls of tools, in order
 * @param diff what it changed, as {@code git diff} shows it
 */
record AgentReport(String model, String answer, List<Call> calls, String diff) {

	/**
	 * A call of a tool.
	 *
	 * @param tool its name
	 * @param arguments what it was given, shortened
	 * @param refusal the code of the refusal, or {@code null} if it was done
	 * @param result what it answered, shortened
	 */
	record Call(String tool, String arguments, @Nullable String refusal, String result) {

	}

}
