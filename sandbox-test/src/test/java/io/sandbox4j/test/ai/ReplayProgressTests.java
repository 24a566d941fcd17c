package io.sandbox4j.test.ai;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.prompt.Prompt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Only a beginning of the script is a conversation with it.
 */
class ReplayProgressTests {

	private static final Message USER = new UserMessage("Go");

	private static final ReplayCall CALL = ReplayCall.of("look", Map.of());

	private final ReplayScript script = new ReplayScript(List.of(new ReplayTurn(null, List.of(CALL, CALL)),
			new ReplayTurn(null, List.of(CALL)), new ReplayTurn("Done.", List.of())));

	@Test
	void theFirstTurnFollowsTheUser() {
		assertThat(progress(new SystemMessage("Be good"), USER).position()).isZero();
		assertThat(progress().position()).isZero();
	}

	@Test
	void turnsBeforeTheLastMessageOfTheUserDoNotCount() {
		assertThat(progress(asked("call-9"), answered("call-9"), USER).position()).isZero();
	}

	@Test
	void textsOfTheModelDoNotCount() {
		assertThat(progress(USER, new AssistantMessage("Hm."), asked("call-1", "call-2"), answered("call-1", "call-2"),
				new AssistantMessage("Well."))
			.position()).isEqualTo(1);
	}

	@Test
	void answersAreTakenByIdAndNotByPlace() {
		ReplayProgress progress = progress(USER, asked("call-1", "call-2"), answered("call-2"), answered("call-1"));
		assertThat(progress.answers()).extracting(ToolAnswer::data).containsExactly("to call-1", "to call-2");
	}

	@Test
	void aCallWithoutAnswerFails() {
		assertMismatch("Turn 1, tool 'look': expected an answer to 'call-2', but the answers are to [call-1]", USER,
				asked("call-1", "call-2"), answered("call-1"));
	}

	@Test
	void anAnswerOfAnotherToolFails() {
		assertMismatch("expected an answer to 'call-2'", USER, asked("call-1", "call-2"), answered("call-1"),
				ToolResponseMessage.builder().responses(List.of(new ToolResponse("call-2", "other", "x"))).build());
	}

	@Test
	void aSecondAnswerFails() {
		assertMismatch("Turn 1, tool 'look': expected one answer to each call", USER, asked("call-1", "call-2"),
				answered("call-1", "call-2", "call-1"));
	}

	@Test
	void anAnswerWithoutItsCallFails() {
		assertMismatch("Turn 1, tool 'look': expected the whole conversation", answered("call-1"));
	}

	@Test
	void callsThatAreNotOfTheScriptFail() {
		assertMismatch("Turn 1: expected the calls of the script", USER, asked("call-1"), answered("call-1"));
		assertMismatch("Turn 1: expected the calls of the script", USER, asked("call-2", "call-1"),
				answered("call-1", "call-2"));
		assertMismatch("Turn 2: expected the calls of the script", USER, asked("call-1", "call-2"),
				answered("call-1", "call-2"), asked("call-1"), answered("call-1"));
	}

	@Test
	void callsBeyondTheScriptFail() {
		assertMismatch("Turn 3: expected no tool calls, as the script has ended", USER, asked("call-1", "call-2"),
				answered("call-1", "call-2"), asked("call-3"), answered("call-3"), asked("call-4"), answered("call-4"));
	}

	private ReplayProgress progress(Message... messages) {
		return ReplayProgress.of(this.script, new Prompt(messages));
	}

	private void assertMismatch(String message, Message... messages) {
		assertThatExceptionOfType(ReplayMismatchException.class).isThrownBy(() -> progress(messages))
			.withMessageContaining(message);
	}

	private static Message asked(String... ids) {
		return AssistantMessage.builder()
			.toolCalls(Arrays.stream(ids).map((id) -> new ToolCall(id, "function", "look", "{}")).toList())
			.build();
	}

	private static Message answered(String... ids) {
		return ToolResponseMessage.builder()
			.responses(Arrays.stream(ids).map((id) -> new ToolResponse(id, "look", "to " + id)).toList())
			.build();
	}

}
