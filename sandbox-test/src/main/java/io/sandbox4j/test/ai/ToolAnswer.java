package io.sandbox4j.test.ai;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a tool answered.
 *
 * @param turn the turn that called it, from 1
 * @param call the call
 * @param data the answer as the model gets it
 */
record ToolAnswer(int turn, ReplayCall call, String data) {

	void check() {
		String expect = this.call.expect();
		if (expect != null && !this.data.contains(expect) && !text().contains(expect)) {
			throw ReplayMismatchException.answered(this, "an answer that contains '" + expect + "'");
		}
	}

	/**
	 * Returns a field of the answer.
	 * @param path the names and indexes that lead to it, with dots between them
	 * @return the field
	 * @throws ReplayMismatchException if the answer has none
	 */
	JsonNode field(String path) {
		JsonNode node = Json.tree(text());
		for (String name : path.split("\\.", -1)) {
			node = child(node, name);
		}
		if (node == null) {
			throw ReplayMismatchException.answered(this, "an answer of JSON that has '" + path + "'");
		}
		return node;
	}

	private static @Nullable JsonNode child(@Nullable JsonNode node, String name) {
		if (node == null) {
			return null;
		}
		return (node.isArray() && name.matches("\\d{1,9}")) ? node.get(Integer.parseInt(name)) : node.get(name);
	}

	// Tools that return a text, also one that holds JSON, may have it answered as a
	// string of JSON.
	private String text() {
		JsonNode node = this.data.startsWith("\"") ? Json.tree(this.data) : null;
		return (node != null && node.isString()) ? node.stringValue() : this.data;
	}

}
