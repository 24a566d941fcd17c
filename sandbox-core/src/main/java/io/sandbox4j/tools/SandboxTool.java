package io.sandbox4j.tools;

/**
 * A tool for a model: what a framework needs to offer it, and the call. Thread-safe.
 *
 * @since 0.1.0
 */
public interface SandboxTool {

	/**
	 * Returns the tool's name.
	 * @return a lower-case word with underscores
	 */
	String name();

	/**
	 * Returns what the tool does, for a model.
	 * @return a few short sentences with the limits in them
	 */
	String description();

	/**
	 * Returns what the tool takes.
	 * @return a JSON Schema of an object
	 */
	String inputSchema();

	/**
	 * Calls the tool. Whatever goes wrong is an answer: this throws nothing.
	 * @param arguments a JSON object, as a model wrote it
	 * @return the output or the refusal
	 */
	ToolResult call(String arguments);

}
