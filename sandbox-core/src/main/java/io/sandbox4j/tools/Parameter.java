package io.sandbox4j.tools;

import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One input of a tool: what its schema says of it is what is checked.
 *
 * @param name its name
 * @param type its type
 * @param description what it means, for a model
 * @param required whether a call must have it
 * @param minimum the least number, or {@code null}
 * @param maximum the greatest number, or {@code null}
 * @param values the only values, empty for any
 */
record Parameter(String name, Type type, String description, boolean required, @Nullable Long minimum,
		@Nullable Long maximum, List<String> values) {

	/**
	 * Each edit takes time for the whole file.
	 */
	static final int MAX_EDITS = 100;

	Parameter {
		values = List.copyOf(values);
	}

	static Parameter required(String name, Type type, String description) {
		return new Parameter(name, type, description, true, null, null, List.of());
	}

	static Parameter optional(String name, Type type, String description) {
		return new Parameter(name, type, description, false, null, null, List.of());
	}

	Parameter within(long minimum, long maximum) {
		return new Parameter(this.name, this.type, this.description, this.required, minimum, maximum, this.values);
	}

	Parameter oneOf(List<String> values) {
		return new Parameter(this.name, this.type, this.description, this.required, this.minimum, this.maximum, values);
	}

	ObjectNode schema() {
		ObjectNode schema = JsonNodeFactory.instance.objectNode();
		schema.put("type", this.type.word);
		schema.put("description", this.description);
		if (this.minimum != null) {
			schema.put("minimum", this.minimum);
		}
		if (this.maximum != null) {
			schema.put("maximum", this.maximum);
		}
		this.values.forEach(schema.withArray("enum")::add);
		if (this.values.isEmpty()) {
			schema.remove("enum");
		}
		if (this.type == Type.TEXTS) {
			schema.putObject("items").put("type", "string");
		}
		if (this.type == Type.EDITS) {
			schema.put("maxItems", MAX_EDITS);
			ObjectNode edit = schema.putObject("items").put("type", "object").put("additionalProperties", false);
			ObjectNode properties = edit.putObject("properties");
			properties.putObject("oldText").put("type", "string");
			properties.putObject("newText").put("type", "string");
			properties.putObject("replaceAll").put("type", "boolean");
			edit.putArray("required").add("oldText").add("newText");
		}
		return schema;
	}

	void check(JsonNode value) {
		boolean fits = switch (this.type) {
			case TEXT -> value.isString();
			case NUMBER -> value.isIntegralNumber() && value.canConvertToLong();
			case FLAG -> value.isBoolean();
			case TEXTS -> value.isArray() && value.values().stream().allMatch(JsonNode::isString);
			case EDITS -> value.isArray() && value.values().stream().allMatch(JsonNode::isObject);
		};
		if (!fits) {
			throw refused("must be " + this.type.words);
		}
		if (this.type == Type.NUMBER && this.minimum != null && value.asLong() < this.minimum) {
			throw refused("must be at least " + this.minimum);
		}
		if (this.type == Type.NUMBER && this.maximum != null && value.asLong() > this.maximum) {
			throw refused("must be at most " + this.maximum);
		}
		if (!this.values.isEmpty() && !this.values.contains(value.asString())) {
			throw refused("must be one of " + this.values);
		}
	}

	private Refusal refused(String what) {
		return Refusal.badRequest("'" + this.name + "' " + what + ".", "Correct the argument and call again.");
	}

	/**
	 * What kind of value an input has.
	 */
	enum Type {

		TEXT("string", "a string"), NUMBER("integer", "a whole number"), FLAG("boolean", "true or false"),
		TEXTS("array", "an array of strings"), EDITS("array", "an array of edits");

		private final String word;

		private final String words;

		Type(String word, String words) {
			this.word = word;
			this.words = words;
		}

	}

}
