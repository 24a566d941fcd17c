package io.sandbox4j.test.ai;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A reference in an argument to a field of an earlier answer. The dot is what tells it
 * from the positional parameters of a shell, which scripts of agents are full of.
 *
 * @param call the number of the call that was answered
 * @param path the path of the field
 */
record Reference(int call, String path) {

	private static final Pattern PATTERN = Pattern.compile("(\\$?)\\$\\{(\\d{1,9})\\.([^{}]*)\\}");

	/**
	 * Returns which calls arguments refer to.
	 * @param arguments the arguments of a script
	 * @return the numbers of the calls
	 */
	static List<Integer> numbersIn(Map<String, @Nullable Object> arguments) {
		List<Integer> numbers = new ArrayList<>();
		eachText(arguments, (text) -> {
			PATTERN.matcher(text).results().filter(Reference::isReal).forEach((found) -> numbers.add(of(found).call()));
			return text;
		});
		return numbers;
	}

	/**
	 * Puts the fields in the place of the references.
	 * @param arguments the arguments of a script
	 * @param fields finds the field of a reference
	 * @return the arguments to call with
	 */
	static Map<String, @Nullable Object> fill(Map<String, @Nullable Object> arguments,
			Function<Reference, JsonNode> fields) {
		return eachText(arguments, (text) -> {
			Matcher matcher = PATTERN.matcher(text);
			if (matcher.matches() && isReal(matcher)) {
				return fields.apply(of(matcher));
			}
			return matcher.replaceAll((found) -> Matcher
				.quoteReplacement(isReal(found) ? text(fields.apply(of(found))) : found.group().substring(1)));
		});
	}

	/**
	 * Writes arguments so that nothing in them is a reference.
	 * @param arguments the arguments of a call
	 * @return the arguments for a script
	 */
	static Map<String, @Nullable Object> escape(Map<String, @Nullable Object> arguments) {
		return eachText(arguments,
				(text) -> PATTERN.matcher(text).replaceAll((found) -> Matcher.quoteReplacement("$" + found.group())));
	}

	private static String text(JsonNode field) {
		return field.isString() ? field.stringValue() : field.toString();
	}

	private static boolean isReal(MatchResult found) {
		return found.group(1).isEmpty();
	}

	private static Reference of(MatchResult found) {
		return new Reference(Integer.parseInt(found.group(2)), found.group(3));
	}

	private static Map<String, @Nullable Object> eachText(Map<String, @Nullable Object> arguments,
			Function<String, Object> change) {
		Map<String, @Nullable Object> changed = new LinkedHashMap<>();
		arguments.forEach((name, value) -> changed.put(name, changed(value, change)));
		return changed;
	}

	private static @Nullable Object changed(@Nullable Object value, Function<String, Object> change) {
		if (value instanceof String text) {
			return change.apply(text);
		}
		if (value instanceof List<?> list) {
			List<@Nullable Object> changed = new ArrayList<>();
			list.forEach((element) -> changed.add(changed(element, change)));
			return changed;
		}
		if (value instanceof Map<?, ?> map) {
			Map<Object, @Nullable Object> changed = new LinkedHashMap<>();
			map.forEach((name, element) -> changed.put(name, changed(element, change)));
			return changed;
		}
		return value;
	}

}
