package io.sandbox4j.tools;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The arguments of one call, checked against the tool's parameters.
 */
final class Arguments {

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
		.build();

	private final ObjectNode values;

	private Arguments(ObjectNode values) {
		this.values = values;
	}

	/**
	 * Parses what a model wrote. A {@code null} counts as an input that is left out.
	 * @param json the text; blank for no arguments
	 * @param parameters what the tool takes
	 * @return the arguments
	 * @throws Refusal if they are not as the parameters say
	 */
	static Arguments parse(String json, List<Parameter> parameters) {
		ObjectNode values = object(json);
		List<String> names = parameters.stream().map(Parameter::name).toList();
		for (String name : values.propertyNames()) {
			if (!names.contains(name)) {
				throw Refusal.badRequest("'" + name + "' is no argument of this tool.", "Use " + names + " only.");
			}
		}
		for (Parameter parameter : parameters) {
			JsonNode value = values.get(parameter.name());
			if (value == null || value.isNull()) {
				if (parameter.required()) {
					throw Refusal.badRequest("'" + parameter.name() + "' is missing.", "Give it and call again.");
				}
				values.remove(parameter.name());
			}
			else {
				parameter.check(value);
			}
		}
		return new Arguments(values);
	}

	private static ObjectNode object(String json) {
		try {
			JsonNode read = json.isBlank() ? MAPPER.createObjectNode() : MAPPER.readTree(json);
			if (read instanceof ObjectNode object) {
				return object;
			}
		}
		catch (JacksonException ex) {
			// What it says quotes our own reader.
			throw Refusal.badRequest("The arguments are not well-formed JSON.", "Send one JSON object.");
		}
		throw Refusal.badRequest("The arguments are not a JSON object.", "Send one JSON object.");
	}

	boolean has(String name) {
		return this.values.has(name);
	}

	String text(String name, String otherwise) {
		JsonNode value = this.values.get(name);
		return (value != null) ? value.asString() : otherwise;
	}

	@Nullable String textOrNull(String name) {
		JsonNode value = this.values.get(name);
		return (value != null) ? value.asString() : null;
	}

	long number(String name, long otherwise) {
		JsonNode value = this.values.get(name);
		return (value != null) ? value.asLong() : otherwise;
	}

	boolean flag(String name) {
		JsonNode value = this.values.get(name);
		return value != null && value.asBoolean();
	}

	List<String> texts(String name) {
		List<String> texts = new ArrayList<>();
		JsonNode value = this.values.get(name);
		if (value != null) {
			value.values().forEach((each) -> texts.add(each.asString()));
		}
		return texts;
	}

	List<TextEdit> edits(String name) {
		List<TextEdit> edits = new ArrayList<>();
		JsonNode value = this.values.get(name);
		if (value != null) {
			if (value.size() > Parameter.MAX_EDITS) {
				throw Refusal.badRequest("There are more than " + Parameter.MAX_EDITS + " edits.",
						"Use several calls, or write the file anew.");
			}
			for (JsonNode each : value.values()) {
				edits.add(edit(name + "[" + edits.size() + "]", (ObjectNode) each));
			}
		}
		return edits;
	}

	private static TextEdit edit(String where, ObjectNode edit) {
		for (String name : edit.propertyNames()) {
			if (!List.of("oldText", "newText", "replaceAll").contains(name)) {
				throw Refusal.badRequest("'" + where + "." + name + "' is no part of an edit.",
						"Use oldText, newText and replaceAll only.");
			}
		}
		JsonNode oldText = edit.get("oldText");
		JsonNode newText = edit.get("newText");
		JsonNode all = edit.get("replaceAll");
		if (oldText == null || !oldText.isString() || newText == null || !newText.isString()
				|| (all != null && !all.isBoolean())) {
			throw Refusal.badRequest("'" + where + "' must have oldText and newText, both strings.",
					"Correct the argument and call again.");
		}
		return new TextEdit(oldText.asString(), newText.asString(), all != null && all.asBoolean());
	}

}
