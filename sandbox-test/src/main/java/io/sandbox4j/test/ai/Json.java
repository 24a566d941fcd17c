package io.sandbox4j.test.ai;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON of scripts and tools. Strict, as a name that is misspelt in a script would
 * otherwise be a demand that nobody checks.
 */
final class Json {

	static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
				DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
		.build();

	private static final TypeReference<Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {
	};

	private Json() {
	}

	static Map<String, @Nullable Object> copy(Map<String, ? extends @Nullable Object> object) {
		try {
			return Collections.unmodifiableMap(MAPPER.convertValue(object, OBJECT));
		}
		catch (JacksonException ex) {
			throw new IllegalArgumentException("The arguments are no JSON: " + ex.getOriginalMessage(), ex);
		}
	}

	static Map<String, @Nullable Object> object(String text) {
		try {
			return Objects.requireNonNull(MAPPER.readValue(text, OBJECT), "null is no object");
		}
		catch (JacksonException | NullPointerException ex) {
			throw new IllegalArgumentException("The arguments are no JSON object: " + text, ex);
		}
	}

	static @Nullable JsonNode tree(String text) {
		try {
			return MAPPER.readTree(text);
		}
		catch (JacksonException ex) {
			return null;
		}
	}

}
