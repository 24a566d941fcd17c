package io.sandbox4j.test.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import com.openai.errors.InternalServerException;
import com.openai.errors.OpenAIInvalidDataException;
import com.openai.errors.OpenAIIoException;
import com.openai.errors.RateLimitException;
import com.openai.errors.UnauthorizedException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.tool.annotation.Tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Each step as the client of OpenAI in Spring AI sees it.
 */
@Timeout(60)
class FaultClientTests {

	private static final Prompt HELLO = new Prompt("Hello");

	private FaultProviderServer server;

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void anAnswerHasItsTextItsStopAndItsUsage() {
		ChatResponse response = model(0, FaultStep.pass("Hello yourself")).call(HELLO);
		assertThat(response.getResult().getOutput().getText()).isEqualTo("Hello yourself");
		assertThat(response.getResult().getMetadata().getFinishReason()).isEqualToIgnoringCase("stop");
		assertThat(response.getMetadata().getUsage().getPromptTokens()).isEqualTo(1);
		assertThat(response.getMetadata().getUsage().getCompletionTokens()).isEqualTo(1);
		assertThat(response.getMetadata().getUsage().getTotalTokens()).isEqualTo(2);
		assertThat(this.server.calls()).singleElement().satisfies((call) -> {
			assertThat(call.headers()).containsEntry("authorization", "***");
			assertThat(call.body()).contains("\"Hello\"").doesNotContain("top-secret");
			assertThat(call.toString()).doesNotContain("top-secret");
		});
	}

	@Test
	void aStreamHasTheSame() {
		List<ChatResponse> parts = stream(model(0, FaultStep.pass("Hello yourself")));
		assertThat(text(parts)).isEqualTo("Hello yourself");
		assertThat(parts).anySatisfy((part) -> assertThat(part.getMetadata().getUsage().getTotalTokens()).isEqualTo(2));
		assertThat(this.server.calls()).singleElement()
			.satisfies((call) -> assertThat(call.body()).contains("\"stream\":true"));
	}

	@Test
	void aSlowStreamIsComplete() {
		AtomicInteger parts = new AtomicInteger();
		String text = text(model(0, FaultStep.slow("one two three", 50)).stream(HELLO)
			.doOnNext((part) -> parts.incrementAndGet())
			.collectList()
			.block());
		assertThat(text).isEqualTo("one two three");
		assertThat(parts).hasValueGreaterThanOrEqualTo(3);
	}

	@Test
	void aMissingUsageIsNone() {
		ChatResponse response = model(0, FaultStep.usageMissing()).call(HELLO);
		assertThat(response.getResult().getOutput().getText()).isEqualTo("ok");
		assertThat(response.getMetadata().getUsage().getTotalTokens()).isZero();
	}

	@Test
	void aConnectionThatIsResetIsAFailureOfTheNetwork() {
		OpenAiChatModel model = model(0, FaultStep.connectionReset());
		bothFail(model, OpenAIIoException.class);
		assertThatThrownBy(() -> model.call(HELLO)).hasRootCauseInstanceOf(IOException.class)
			.rootCause()
			.hasMessageContaining("reset");
	}

	@Test
	void aFirstByteThatDoesNotComeIsATimeout() {
		OpenAiChatModel model = model(0, FaultStep.timeoutBeforeFirstByte(Duration.ofMinutes(5)));
		assertThatThrownBy(() -> model.call(HELLO)).isInstanceOf(OpenAIIoException.class)
			.hasStackTraceContaining("imeout");
	}

	@Test
	void aCutAnswerIsAFailure() {
		OpenAiChatModel model = model(0, FaultStep.streamCut(200));
		assertThatThrownBy(() -> model.call(HELLO)).hasStackTraceContaining("unexpected end of stream");
		assertThatThrownBy(() -> stream(model)).isInstanceOf(OpenAIIoException.class);
	}

	@Test
	void anErrorIsTheOneOfItsStatus() {
		bothFail(model(0, FaultStep.httpError(503)), InternalServerException.class);
		this.server.close();
		bothFail(model(0, FaultStep.httpError(429)), RateLimitException.class);
		this.server.close();
		bothFail(model(0, FaultStep.httpError(401)), UnauthorizedException.class);
	}

	@Test
	void aClientWaitsAsLongAsItIsTold() {
		OpenAiChatModel model = model(1, FaultStep.httpError(429, Duration.ofSeconds(2)), FaultStep.pass());
		long asked = System.nanoTime();
		assertThat(model.call(HELLO).getResult().getOutput().getText()).isEqualTo("ok");
		assertThat(Duration.ofNanos(System.nanoTime() - asked)).isGreaterThanOrEqualTo(Duration.ofMillis(1900));
	}

	@Test
	void aPageOfAProxyIsInvalidData() {
		OpenAiChatModel model = model(0, FaultStep.wrongContentType());
		assertThatThrownBy(() -> model.call(HELLO)).isInstanceOf(OpenAIInvalidDataException.class);
	}

	@Test
	void aToolThatIsAskedForInPiecesIsCalled() {
		for (boolean streamed : new boolean[] { false, true }) {
			Notes notes = new Notes();
			OpenAiChatModel model = model(0, FaultStep.toolCall("put", "{\"name\":\"a.txt\",\"text\":\"b\"}"),
					FaultStep.pass("done"));
			ChatClient.ChatClientRequestSpec prompt = ChatClient.create(model).prompt("Write").tools(notes);
			assertThat(streamed ? String.join("", prompt.stream().content().collectList().block())
					: prompt.call().content())
				.isEqualTo("done");
			assertThat(notes.kept).containsExactly(Map.entry("a.txt", "b"));
			this.server.close();
		}
	}

	@Test
	void whatIsSaidTwiceIsReadTwice() {
		assertThat(text(stream(model(0, FaultStep.duplicated("ok"))))).isEqualTo("okok");
	}

	@Test
	void anAnswerThatEndsEarlySaysSoOrNothing() {
		assertThat(reason(model(0, FaultStep.finished("ok", "length")))).isEqualToIgnoringCase("length");
		this.server.close();
		assertThat(reason(model(0, FaultStep.unfinished("ok")))).isEmpty();
	}

	private static String reason(OpenAiChatModel model) {
		StringBuilder reasons = new StringBuilder();
		for (ChatResponse part : stream(model)) {
			if (part.getResult() != null && part.getResult().getMetadata().getFinishReason() != null) {
				reasons.append(part.getResult().getMetadata().getFinishReason());
			}
		}
		return reasons.toString();
	}

	@Test
	void whoHasHeardEnoughClosesTheConnection() {
		OpenAiChatModel model = model(0, FaultStep.neverEnding("again "));
		assertThat(text(model.stream(HELLO).take(3).collectList().block(Duration.ofSeconds(30)))).startsWith("again ");
		Awaitility.await().until(() -> this.server.openConnections() == 0);
	}

	@Test
	void badJsonIsInvalidData() {
		bothFail(model(0, FaultStep.badJson()), OpenAIInvalidDataException.class);
	}

	@Test
	void aClientThatTriesAgainGetsTheNextStep() {
		OpenAiChatModel model = model(2, FaultStep.httpError(503), FaultStep.connectionReset(), FaultStep.pass());
		assertThat(model.call(HELLO).getResult().getOutput().getText()).isEqualTo("ok");
		assertThat(this.server.calls()).hasSize(3);
	}

	@Test
	void aClientThatGivesUpUsedAStepForEachTry() {
		OpenAiChatModel model = model(1, FaultStep.httpError(503));
		assertThatExceptionOfType(InternalServerException.class).isThrownBy(() -> model.call(HELLO));
		assertThat(this.server.calls()).hasSize(2);
	}

	private static void bothFail(OpenAiChatModel model, Class<? extends Exception> type) {
		for (ThrowingCallable way : new ThrowingCallable[] { () -> model.call(HELLO), () -> stream(model) }) {
			assertThatThrownBy(way).satisfiesAnyOf((ex) -> assertThat(ex).isInstanceOf(type),
					(ex) -> assertThat(ex).hasCauseInstanceOf(type));
		}
	}

	private static List<ChatResponse> stream(OpenAiChatModel model) {
		return model.stream(HELLO).collectList().block(Duration.ofSeconds(30));
	}

	private static String text(List<ChatResponse> parts) {
		StringBuilder text = new StringBuilder();
		for (ChatResponse part : parts) {
			if (part.getResult() != null && part.getResult().getOutput().getText() != null) {
				text.append(part.getResult().getOutput().getText());
			}
		}
		return text.toString();
	}

	private OpenAiChatModel model(int retries, FaultStep... steps) {
		this.server = FaultProviderServer.start(steps);
		return OpenAiChatModel.builder()
			.options(OpenAiChatOptions.builder()
				.baseUrl(this.server.baseUrl())
				.apiKey("top-secret")
				.model("m")
				.timeout(Duration.ofSeconds(2))
				.maxRetries(retries)
				.build())
			.build();
	}

	static final class Notes {

		private final Map<String, String> kept = new ConcurrentHashMap<>();

		@Tool(description = "Keeps a text")
		String put(String name, String text) {
			this.kept.put(name, text);
			return "kept";
		}

	}

}
