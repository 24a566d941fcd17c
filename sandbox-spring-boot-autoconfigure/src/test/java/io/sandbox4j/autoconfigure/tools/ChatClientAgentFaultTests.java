package io.sandbox4j.autoconfigure.tools;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.run.DurableSandbox;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.OperationStatus;
import io.sandbox4j.run.RunSpec;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.SandboxRuns;
import io.sandbox4j.run.UnansweredReason;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.test.fault.FaultProviderServer;
import io.sandbox4j.test.fault.FaultStep;
import io.sandbox4j.tools.CodingTools;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ChatClientAgent} with a provider that fails as planned.
 */
@Timeout(60)
class ChatClientAgentFaultTests {

	private static final String KEY = "sk-top-secret";

	private static final String WRITE = "{\"path\":\"a.txt\",\"content\":\"hello\"}";

	private final FakeSandboxBackend backend = new FakeSandboxBackend();

	private @Nullable FaultProviderServer provider;

	private @Nullable SandboxRuns runs;

	@AfterEach
	void close() {
		if (this.runs != null) {
			this.runs.close();
		}
		if (this.provider != null) {
			this.provider.close();
		}
		assertThat(this.backend.handles()).isEmpty();
		this.backend.close();
	}

	private DurableSandbox sandbox(FaultStep... steps) {
		FaultProviderServer started = FaultProviderServer.start(steps);
		this.provider = started;
		OpenAiChatModel model = OpenAiChatModel.builder()
			.options(OpenAiChatOptions.builder()
				.baseUrl(started.baseUrl())
				.apiKey(KEY)
				.model("m")
				.timeout(Duration.ofSeconds(20))
				.maxRetries(0)
				.build())
			.build();
		ChatClientAgent agent = ChatClientAgent
			.builder((session) -> CodingTools.builder(session)
				.authorize((request) -> true)
				.requireRestrictions(Set.of())
				.build())
			.build(ChatClient.create(model));
		this.runs = SandboxRuns
			.builder(this.backend, this.backend.prewarm(SandboxTemplate.named("agent").build()), RunStore.inMemory(),
					agent)
			.network(NetworkPolicy.denyAll())
			.drainTimeout(Duration.ZERO)
			.build();
		DurableSandbox sandbox = this.runs.sandbox("s");
		sandbox.createRun(RunSpec.of("r"));
		sandbox.submit("r", "1", "Go");
		return sandbox;
	}

	private static OperationRecord settled(DurableSandbox sandbox) {
		OperationRecord record = sandbox.poll("r", "1", Duration.ofSeconds(30), 0).operation();
		assertThat(record.isSettled()).as(record.toString()).isTrue();
		return record;
	}

	@Test
	void aToolThatIsAskedForInPiecesWorksInTheSandbox() {
		DurableSandbox sandbox = sandbox(FaultStep.toolCall("write_file", WRITE), FaultStep.slow("It is done.", 100));
		assertThat(settled(sandbox).answer()).isEqualTo("It is done.");
		assertThat(sandbox.read("a.txt")).map(String::new).hasValue("hello");
	}

	@ParameterizedTest
	@MethodSource("faults")
	void aProviderThatFailsIsAFailureWithoutItsWords(FaultStep fault, String reason) {
		OperationRecord settled = settled(sandbox(fault));
		assertThat(settled.reason()).isEqualTo(UnansweredReason.FAILED);
		assertThat(settled.answer()).startsWith("The model failed: ")
			.contains(reason)
			.endsWith("The application's log says more at the level DEBUG.")
			.doesNotContain(KEY, "The plan says", "127.0.0.1", "Sign in");
	}

	@Test
	void theLogHasNoWordsOfAProviderEither() {
		ListAppender<ILoggingEvent> events = new ListAppender<>();
		Logger logger = (Logger) LoggerFactory.getLogger(ChatClientAgent.class);
		events.start();
		logger.addAppender(events);
		try {
			settled(sandbox(FaultStep.httpError(401)));
		}
		finally {
			logger.detachAppender(events);
		}
		assertThat(events.list).filteredOn((event) -> event.getLevel().isGreaterOrEqual(Level.INFO))
			.singleElement()
			.satisfies((event) -> {
				assertThat(event.getThrowableProxy()).isNull();
				assertThat(event.getFormattedMessage()).contains("UnauthorizedException");
			});
	}

	static Object[][] faults() {
		return new Object[][] { { FaultStep.httpError(500), "InternalServerException" },
				{ FaultStep.httpError(401), "UnauthorizedException" },
				{ FaultStep.httpError(429), "RateLimitException" },
				{ FaultStep.connectionReset(), "OpenAIIoException (SocketException)" },
				{ FaultStep.streamCut(200), "OpenAIIoException" },
				{ FaultStep.badJson(), "OpenAIInvalidDataException" } };
	}

	@Test
	void aCutAfterTheWorkIsAFailureAndTheWorkStays() {
		DurableSandbox sandbox = sandbox(FaultStep.toolCall("write_file", WRITE), FaultStep.streamCut(200));
		assertThat(settled(sandbox).reason()).isEqualTo(UnansweredReason.FAILED);
		assertThat(sandbox.read("a.txt")).map(String::new).hasValue("hello");
		assertThat(sandbox.poll("r", "1", Duration.ZERO, 0).messages()).hasSize(2);
	}

	@Test
	void anAnswerThatBreaksOffIsNone() {
		assertThat(settled(sandbox(FaultStep.unfinished("It is"))).answer()).isEqualTo("The model's answer broke off.");
	}

	@Test
	void aPageInPlaceOfAnAnswerIsNone() {
		assertThat(settled(sandbox(FaultStep.wrongContentType())).reason()).isEqualTo(UnansweredReason.FAILED);
	}

	@Test
	void anAnswerThatIsTooLongOrRefusedIsSaidSo() {
		assertThat(settled(sandbox(FaultStep.finished("It is", "length"))).answer())
			.isEqualTo("The model's answer is longer than it may be, and broke off.");
	}

	@Test
	void anAnswerThatIsRefusedIsSaidSo() {
		assertThat(settled(sandbox(FaultStep.finished("I", "content_filter"))).answer())
			.isEqualTo("The model refused to answer.");
	}

	@Test
	void argumentsThatAreNoJsonAreRefusedAndTheChatGoesOn() {
		DurableSandbox sandbox = sandbox(FaultStep.toolCall("write_file", "{\"path\":"), FaultStep.pass("I gave up."));
		OperationRecord settled = settled(sandbox);
		assertThat(settled.status()).as(settled.answer()).isEqualTo(OperationStatus.DONE);
		assertThat(settled.answer()).isEqualTo("I gave up.");
		assertThat(sandbox.list(".")).hasValue(List.of());
	}

	@Test
	void aStopEndsTheRequestToTheModel() {
		DurableSandbox sandbox = sandbox(FaultStep.neverEnding("again "));
		FaultProviderServer asked = this.provider;
		await().until(() -> asked.openConnections() == 1 && !asked.calls().isEmpty());
		assertThat(sandbox.stopRun("r")).isTrue();
		assertThat(settled(sandbox).reason()).isEqualTo(UnansweredReason.ABORTED);
		await().until(() -> asked.openConnections() == 0);
	}

	@Test
	void aStopDoesNotWaitForAModelThatIsSilent() {
		DurableSandbox sandbox = sandbox(FaultStep.timeoutBeforeFirstByte(Duration.ofMinutes(5)));
		FaultProviderServer asked = this.provider;
		await().until(() -> !asked.calls().isEmpty());
		long stopped = System.nanoTime();
		assertThat(sandbox.stopRun("r")).isTrue();
		assertThat(Duration.ofNanos(System.nanoTime() - stopped)).isLessThan(Duration.ofSeconds(10));
		assertThat(settled(sandbox).reason()).isEqualTo(UnansweredReason.ABORTED);
	}

	@Test
	void aModelThatTalksWithoutEndIsStopped() {
		String page = "x".repeat(100_000);
		assertThat(settled(sandbox(FaultStep.neverEnding(page))).answer())
			.isEqualTo("The model said more than 1048576 characters.");
	}

}
