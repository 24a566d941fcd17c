package io.sandbox4j.test.ai;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What refers to an answer and what only looks so.
 */
class ReferenceTests {

	private static final String ANSWER = """
			{ "text": "a$1\\\\b", "size": 3, "ok": true, "none": null, "": "empty",
				"files": [ { "name": "x", "tags": ["t"] } ], "byIndex": { "0": "zero" } }""";

	private final ToolAnswer answer = new ToolAnswer(1, ReplayCall.of("a", Map.of()), ANSWER);

	@Test
	void aTextThatIsOneReferenceBecomesTheValue() {
		assertThat(fill("${1.size}")).isEqualTo(JsonNodeFactory.instance.numberNode(3));
		assertThat(fill("${1.none}")).isEqualTo(JsonNodeFactory.instance.nullNode());
		assertThat(fill("${1.files.0}")).hasToString("{\"name\":\"x\",\"tags\":[\"t\"]}");
	}

	@ParameterizedTest
	@CsvSource({ "<${1.text}>, <a$1\\b>", "${1.size}${1.ok}, 3true", "n=${1.none}, n=null", "x${1.files.0.name}, xx",
			"-${1.files.0.tags.0}-, -t-", "-${1.byIndex.0}, -zero", "-${1.}, -empty",
			"-${1.files.0.tags}, '-[\"t\"]'" })
	void withinATextItBecomesText(String text, String filled) {
		assertThat(fill(text)).isEqualTo(filled);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "${HOME}", "${1}", "${1:-x}", "$1.text", "${a.text}", "{1.text}", "${-1.text}",
			"${1.text", "$ {1.text}", "${1.a{b}", "${9999999999.text}" })
	void whatOnlyLooksSoStays(String text) {
		assertThat(fill(text)).isEqualTo(text);
		assertThat(Reference.numbersIn(Map.of("value", text))).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "$${1.size}, ${1.size}", "a$${1.size}b${1.size}, a${1.size}b3", "$$${1.size}, $${1.size}" })
	void aDollarBeforeItTakesItsMeaning(String text, String filled) {
		assertThat(fill(text)).isEqualTo(filled);
	}

	@ParameterizedTest
	@ValueSource(strings = { "${1.size}", "$${1.size}", "$$${1.size}", "a ${1.size}${2.x} b", "${HOME}", "$", "" })
	void whatIsEscapedComesBackAsItWas(String text) {
		Map<String, Object> escaped = Reference.escape(Map.of("value", List.of(text)));
		assertThat(Reference.numbersIn(escaped)).isEmpty();
		assertThat(Reference.fill(escaped, this::field)).isEqualTo(Map.of("value", List.of(text)));
	}

	@Test
	void referencesAreFoundAtAnyDepthAndNotInNames() {
		Map<String, Object> arguments = Map.of("${9.x}", List.of(Map.of("a", List.of("${1.x} ${2.y}", 3))));
		assertThat(Reference.numbersIn(arguments)).containsExactly(1, 2);
	}

	@Test
	void aValueOfAnAnswerIsNoReferenceItself() {
		ToolAnswer hostile = new ToolAnswer(1, ReplayCall.of("a", Map.of()), "{\"a\": \"${1.b}\", \"b\": \"secret\"}");
		assertThat(Reference.fill(Map.of("value", "-${1.a}"), (reference) -> hostile.field(reference.path())))
			.isEqualTo(Map.of("value", "-${1.b}"));
	}

	@Test
	void jsonWithinAStringIsJson() {
		ToolAnswer quoted = new ToolAnswer(1, ReplayCall.of("a", Map.of()), "\"{\\\"a\\\": 1}\"");
		assertThat(quoted.field("a").intValue()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "missing", "text.a", "files.1", "files.-1", "files.name", "none.a", "size.0", "files.0.",
			"files..0" })
	void aPathThatLeadsNowhereIsAMismatch(String path) {
		assertThatExceptionOfType(ReplayMismatchException.class).isThrownBy(() -> this.answer.field(path))
			.withMessageContaining("'" + path + "'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "plain text", "\"text\"", "\"", "17", "{", "[] []" })
	void whatIsNoJsonHasNoFields(String data) {
		ToolAnswer plain = new ToolAnswer(1, ReplayCall.of("a", Map.of()), data);
		assertThatExceptionOfType(ReplayMismatchException.class).isThrownBy(() -> plain.field("a"));
	}

	private Object fill(String text) {
		return Reference.fill(Map.of("value", text), this::field).get("value");
	}

	private JsonNode field(Reference reference) {
		return this.answer.field(reference.path());
	}

}
