package io.sandbox4j.test.ai;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * A script that is read is one that can be played.
 */
class ReplayScriptTests {

	@Test
	void turnsAreReadAsTheyStand() throws IOException {
		ReplayScript script = read("""
				[
					{ "text": "I look.", "calls": [
						{ "tool": "read_file", "arguments": { "path": "ä.txt", "max": null }, "expect": "sha256" },
						{ "tool": "list", "arguments": {} } ] },
					{ "calls": [ { "tool": "write_file", "arguments": { "was": ["${1.sha256}"], "n": 1.10 } } ] },
					{ "text": "Done." }
				]
				""");
		Map<String, Object> arguments = new HashMap<>();
		arguments.put("path", "ä.txt");
		arguments.put("max", null);
		assertThat(script.turns()).containsExactly(
				new ReplayTurn("I look.",
						List.of(new ReplayCall("read_file", arguments, "sha256"), ReplayCall.of("list", Map.of()))),
				new ReplayTurn(null,
						List.of(ReplayCall.of("write_file",
								Map.of("was", List.of("${1.sha256}"), "n", new BigDecimal("1.10"))))),
				new ReplayTurn("Done.", List.of()));
		assertThat(script.firstCall(0)).isEqualTo(1);
		assertThat(script.firstCall(1)).isEqualTo(3);
	}

	@Test
	void theScriptOfThePageIsOne() throws IOException {
		String page = Files.readString(Path.of("..", "docs", "testing.md"));
		int start = page.indexOf("```json\n") + 8;
		assertThat(read(page.substring(start, page.indexOf("```", start))).turns()).hasSize(3);
	}

	@Test
	void whatIsWrittenIsReadAgain() throws IOException {
		ReplayScript script = new ReplayScript(List.of(
				new ReplayTurn(null, List.of(ReplayCall.of("a", Map.of("b", List.of(1, "\u2713"))).expecting("c"))),
				new ReplayTurn("", List.of())));
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		script.write(out);
		assertThat(read(out.toString(StandardCharsets.UTF_8))).isEqualTo(script);
		assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("null");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "null", "{}", "[]", "[null]", "[{}]", "[{\"text\": null}]", "[{\"calls\": []}]",
			"[{\"calls\": [null]}]", "[{\"text\": \"a\"}] b", "[{\"text\": \"a\", \"text\": \"b\"}]",
			"[{\"text\": \"a\", \"call\": []}]", "[{\"text\": \"a\"}, {\"text\": \"b\"}]",
			"[{\"calls\": [{\"tool\": \"a\"}]}]", "[{\"calls\": [{\"arguments\": {}}]}]",
			"[{\"calls\": [{\"tool\": \" \", \"arguments\": {}}]}]",
			"[{\"calls\": [{\"tool\": \"a\", \"arguments\": []}]}]",
			"[{\"calls\": [{\"tool\": \"a\", \"arguments\": {}, \"expects\": \"b\"}]}]", "[{\"text\": \"a\"" })
	void whatIsNoScriptIsRefused(String json) {
		assertThatIllegalArgumentException().isThrownBy(() -> read(json));
	}

	@ParameterizedTest
	@ValueSource(strings = { "${0.a}", "${1.a}", "${2.a}", "${3.a}", "x ${999999999.a}" })
	void aReferenceToACallThatIsNotAnsweredYetIsRefused(String text) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ReplayScript(List.of(new ReplayTurn(null,
					List.of(ReplayCall.of("a", Map.of("b", List.of(Map.of("c", text)))),
							ReplayCall.of("a", Map.of()))))))
			.withMessageStartingWith("Turn 1, tool 'a': refers to the answer to call ");
	}

	@Test
	void argumentsAreCopied() {
		Map<String, Object> inner = new HashMap<>(Map.of("a", 1));
		ReplayCall call = ReplayCall.of("a", Map.of("inner", inner));
		inner.put("a", 2);
		assertThat(call.arguments()).isEqualTo(Map.of("inner", Map.of("a", 1)));
	}

	@Test
	void argumentsMustBeJson() {
		assertThatIllegalArgumentException().isThrownBy(() -> ReplayCall.of("a", Map.of("b", new Object())));
		assertThatNullPointerException().isThrownBy(() -> ReplayCall.of("a", null));
	}

	private static ReplayScript read(String json) throws IOException {
		return ReplayScript.read(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
	}

}
