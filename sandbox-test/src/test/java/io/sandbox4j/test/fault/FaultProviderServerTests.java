package io.sandbox4j.test.fault;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Each step as a client of HTTP sees it.
 */
@Timeout(60)
class FaultProviderServerTests {

	private static final String STREAM = "{\"model\":\"m\",\"stream\":true}";

	private static final String DOCUMENT = "{\"model\":\"m\"}";

	private static final String STREAMED_OK = """
			data: {"id":"chatcmpl-fault","object":"chat.completion.chunk","created":0,"model":"fault",\
			"choices":[{"index":0,"delta":{"role":"assistant","content":"ok"},"finish_reason":null}]}

			data: {"id":"chatcmpl-fault","object":"chat.completion.chunk","created":0,"model":"fault",\
			"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

			data: {"id":"chatcmpl-fault","object":"chat.completion.chunk","created":0,"model":"fault",\
			"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}

			data: [DONE]

			""";

	private final HttpClient client = HttpClient.newHttpClient();

	private FaultProviderServer server;

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void aStreamHasItsTextItsStopItsUsageAndItsEnd() throws Exception {
		HttpResponse<String> response = ask(STREAM, FaultStep.pass());
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().firstValue("content-type"))
			.hasValueSatisfying((type) -> assertThat(type).startsWith("text/event-stream"));
		assertThat(response.body()).isEqualTo(STREAMED_OK);
	}

	@Test
	void whoAsksForNoStreamGetsADocument() throws Exception {
		HttpResponse<String> response = ask(DOCUMENT, FaultStep.pass("a \"b\"\n\u20ac"));
		assertThat(response.headers().firstValue("content-type"))
			.hasValueSatisfying((type) -> assertThat(type).startsWith("application/json"));
		assertThat(response.body()).isEqualTo("""
				{"id":"chatcmpl-fault","object":"chat.completion","created":0,"model":"fault",\
				"choices":[{"index":0,"message":{"role":"assistant","content":"a \\"b\\"\\n\u20ac"},\
				"finish_reason":"stop"}],\
				"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}""");
	}

	@Test
	void aConnectionIsResetWithoutAnAnswer() {
		start(FaultStep.connectionReset());
		assertThatIOException().isThrownBy(() -> send(request(STREAM))).satisfies((ex) -> {
			assertThat(ex).isNotInstanceOf(HttpTimeoutException.class);
			assertThat(ex).hasStackTraceContaining("reset");
		});
	}

	@Test
	void theFirstByteDoesNotCome() {
		start(FaultStep.timeoutBeforeFirstByte(Duration.ofMinutes(5)));
		HttpRequest impatient = HttpRequest.newBuilder(request(STREAM), (name, value) -> true)
			.timeout(Duration.ofMillis(300))
			.build();
		assertThatExceptionOfType(HttpTimeoutException.class).isThrownBy(() -> send(impatient));
		assertThat(this.server.calls()).hasSize(1);
	}

	@Test
	void theSilenceEndsWithTheConnection() {
		start(FaultStep.timeoutBeforeFirstByte(Duration.ofMillis(50)));
		long asked = System.nanoTime();
		assertThatIOException().isThrownBy(() -> send(request(STREAM)));
		assertThat(Duration.ofNanos(System.nanoTime() - asked)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
	}

	@Test
	void aCutStreamHasTheBytesBeforeTheCutAndNoEnd() throws Exception {
		int all = STREAMED_OK.length();
		for (int cut : new int[] { 0, 1, 100, all - 1, all, all + 1 }) {
			start(FaultStep.streamCut(cut));
			HttpResponse<InputStream> response = this.client.send(request(STREAM), BodyHandlers.ofInputStream());
			assertThat(response.statusCode()).isEqualTo(200);
			try (InputStream body = response.body()) {
				String begun = new String(body.readNBytes(Math.min(cut, all)), StandardCharsets.UTF_8);
				assertThat(begun).isEqualTo(STREAMED_OK.substring(0, Math.min(cut, all)));
				assertThatIOException().isThrownBy(body::read);
			}
			this.server.close();
		}
	}

	@Test
	void aCutDocumentIsShorterThanAnnounced() {
		for (int cut : new int[] { 0, 10, 100_000 }) {
			start(FaultStep.streamCut(cut));
			assertThatIOException().isThrownBy(() -> send(request(DOCUMENT)));
			this.server.close();
		}
	}

	@Test
	void anErrorHasItsStatusAndSaysWhy() throws Exception {
		for (int status : new int[] { 400, 401, 429, 500, 599 }) {
			HttpResponse<String> response = ask(STREAM, FaultStep.httpError(status));
			assertThat(response.statusCode()).isEqualTo(status);
			assertThat(response.body()).isEqualTo("{\"error\":{\"message\":\"The plan says " + status
					+ "\",\"type\":\"fault_injected\",\"param\":null,\"code\":null}}");
			this.server.close();
		}
	}

	@Test
	void anErrorSaysWhenToTryAgainIfItIsTold() throws Exception {
		assertThat(ask(STREAM, FaultStep.httpError(429, Duration.ofMinutes(2))).headers().firstValue("retry-after"))
			.hasValue("120");
		this.server.close();
		assertThat(ask(STREAM, FaultStep.httpError(429, Duration.ZERO)).headers().firstValue("retry-after"))
			.hasValue("0");
		this.server.close();
		assertThat(ask(STREAM, FaultStep.httpError(429)).headers().firstValue("retry-after")).isEmpty();
	}

	@Test
	void anotherTypeIsSentAsItIs() throws Exception {
		HttpResponse<String> page = ask(STREAM, FaultStep.wrongContentType());
		assertThat(page.statusCode()).isEqualTo(200);
		assertThat(page.headers().firstValue("content-type")).hasValue("text/html");
		assertThat(page.body()).startsWith("<html>");
		this.server.close();
		HttpResponse<String> other = ask(DOCUMENT, FaultStep.wrongContentType("text/plain; charset=utf-8", "\u20ac"));
		assertThat(other.headers().firstValue("content-type")).hasValue("text/plain; charset=utf-8");
		assertThat(other.body()).isEqualTo("\u20ac");
	}

	@Test
	void eachEventOfADuplicatedStreamComesTwice() throws Exception {
		String[] once = STREAMED_OK.strip().split("\n\n");
		assertThat(ask(STREAM, FaultStep.duplicated("ok")).body().strip().split("\n\n")).containsExactly(once[0],
				once[0], once[1], once[1], once[2], once[2], once[3], once[3]);
	}

	@Test
	void anAnswerMayEndForAnotherReason() throws Exception {
		assertThat(ask(STREAM, FaultStep.finished("ok", "length")).body())
			.isEqualTo(STREAMED_OK.replace("\"stop\"", "\"length\""));
		this.server.close();
		assertThat(ask(DOCUMENT, FaultStep.finished("ok", "length")).body()).contains("\"finish_reason\":\"length\"");
	}

	@Test
	void anUnfinishedAnswerIsWholeForHttpAndHasNoStop() throws Exception {
		assertThat(ask(STREAM, FaultStep.unfinished("ok")).body())
			.isEqualTo(STREAMED_OK.substring(0, STREAMED_OK.indexOf("\n\n") + 2));
		this.server.close();
		assertThat(ask(DOCUMENT, FaultStep.unfinished("ok")).body()).contains("\"finish_reason\":null");
	}

	@Test
	void aToolCallComesInPieces() throws Exception {
		String body = ask(STREAM, FaultStep.toolCall("read_file", "{\"path\":\"\ud83d\ude00\"}")).body();
		assertThat(body).containsSubsequence("\"id\":\"call-fault\"", "\"name\":\"read_file\",\"arguments\":\"\"",
				"\"arguments\":\"{\\\"pat\"", "\"arguments\":\"h\\\":\\\"\ud83d\ude00\"", "\"arguments\":\"\\\"}\"",
				"\"finish_reason\":\"tool_calls\"", "[DONE]");
		this.server.close();
		assertThat(ask(DOCUMENT, FaultStep.toolCall("read_file", "{")).body())
			.contains("\"function\":{\"name\":\"read_file\",\"arguments\":\"{\"}", "\"finish_reason\":\"tool_calls\"");
	}

	@Test
	void aStreamWithoutEndGoesOnUntilTheClientGoes() throws Exception {
		start(FaultStep.neverEnding("again"), FaultStep.pass());
		try (InputStream body = this.client.send(request(STREAM), BodyHandlers.ofInputStream()).body()) {
			String said = new String(body.readNBytes(STREAMED_OK.length() * 10), StandardCharsets.UTF_8);
			assertThat(said.split("\"again\"")).hasSizeGreaterThan(10);
		}
		Awaitility.await().until(() -> this.server.openConnections() == 0);
		assertThat(send(request(STREAM)).body()).isEqualTo(STREAMED_OK);
	}

	@Test
	void aDocumentWithoutEndStaysInItsText() throws Exception {
		start(FaultStep.neverEnding("a\"b "));
		try (InputStream body = this.client.send(request(DOCUMENT), BodyHandlers.ofInputStream()).body()) {
			assertThat(new String(body.readNBytes(200), StandardCharsets.UTF_8))
				.contains("\"content\":\"a\\\"b a\\\"b a\\\"b ");
		}
	}

	@Test
	void closingEndsAStreamWithoutEnd() {
		start(FaultStep.neverEnding("again"));
		CompletableFuture<HttpResponse<String>> asked = this.client.sendAsync(request(STREAM), BodyHandlers.ofString());
		Awaitility.await().until(() -> this.server.calls().size() == 1);
		this.server.close();
		assertThat(asked).failsWithin(Duration.ofSeconds(30));
	}

	@Test
	void badJsonIsAWholeAnswerOfHttp() throws Exception {
		assertThat(ask(STREAM, FaultStep.badJson()).body())
			.isEqualTo("data: {\"id\":\"chatcmpl-fault\",\"choices\":[{\n\ndata: [DONE]\n\n");
		this.server.close();
		assertThat(ask(DOCUMENT, FaultStep.badJson()).body()).isEqualTo("{\"id\":\"chatcmpl-fault\",\"choices\":[{");
	}

	@Test
	void aSlowStreamComesTokenByToken() throws Exception {
		start(FaultStep.slow("one two three", 20));
		long asked = System.nanoTime();
		HttpResponse<InputStream> response = this.client.send(request(STREAM), BodyHandlers.ofInputStream());
		try (InputStream body = response.body()) {
			String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
			assertThat(text).containsSubsequence("\"one\"", "\" two\"", "\" three\"", "\"stop\"", "[DONE]");
		}
		assertThat(Duration.ofNanos(System.nanoTime() - asked)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
	}

	@Test
	void theFirstTokenOfASlowStreamDoesNotWaitForTheSecond() throws Exception {
		start(FaultStep.slow("one two", 0.001));
		HttpResponse<InputStream> response = this.client.send(request(STREAM), BodyHandlers.ofInputStream());
		try (InputStream body = response.body()) {
			int first = STREAMED_OK.indexOf('\n') + 1;
			assertThat(new String(body.readNBytes(first + 1), StandardCharsets.UTF_8)).contains("\"one\"");
		}
	}

	@Test
	void aSlowDocumentComesAfterItsTime() throws Exception {
		long asked = System.nanoTime();
		assertThat(ask(DOCUMENT, FaultStep.slow("one two three", 20)).body()).contains("\"one two three\"");
		assertThat(Duration.ofNanos(System.nanoTime() - asked)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
	}

	@Test
	void aMissingUsageIsAllThatIsMissing() throws Exception {
		String body = ask(STREAM, FaultStep.usageMissing()).body();
		assertThat(body).doesNotContain("usage").containsSubsequence("\"ok\"", "\"stop\"", "data: [DONE]\n\n");
		this.server.close();
		assertThat(ask(DOCUMENT, FaultStep.usageMissing("hi")).body()).doesNotContain("usage").contains("\"hi\"");
	}

	@Test
	void eachCallTakesTheNextStepAndTheLastOneStays() throws Exception {
		start(FaultStep.httpError(503), FaultStep.httpError(429), FaultStep.pass());
		for (int status : new int[] { 503, 429, 200, 200 }) {
			assertThat(send(request(STREAM)).statusCode()).isEqualTo(status);
		}
		assertThat(this.server.calls()).extracting(FaultCall::number).containsExactly(1, 2, 3, 4);
		assertThat(this.server.calls()).extracting(FaultCall::step)
			.containsExactly(FaultStep.httpError(503), FaultStep.httpError(429), FaultStep.pass(), FaultStep.pass());
	}

	@Test
	void callsAtOnceTakeDifferentSteps() {
		start(FaultStep.httpError(503), FaultStep.httpError(503), FaultStep.pass());
		List<CompletableFuture<HttpResponse<String>>> asked = IntStream.range(0, 8)
			.mapToObj((i) -> this.client.sendAsync(request(STREAM), BodyHandlers.ofString()))
			.toList();
		assertThat(asked.stream().map(FaultProviderServerTests::status)).filteredOn((status) -> status == 503)
			.hasSize(2);
		assertThat(this.server.calls()).hasSize(8);
	}

	private static int status(CompletableFuture<HttpResponse<String>> response) {
		return response.orTimeout(30, TimeUnit.SECONDS).join().statusCode();
	}

	@Test
	void aCallIsRecordedWithoutItsCredentials() throws Exception {
		start(FaultStep.pass());
		send(HttpRequest.newBuilder(URI.create(this.server.url() + "?key=topsecret"))
			.header("Authorization", "Bearer topsecret")
			.header("Api-Key", "topsecret")
			.header("X-Trace", "a")
			.header("X-Trace", "b")
			.POST(BodyPublishers.ofString(STREAM))
			.build());
		assertThat(this.server.calls()).singleElement().satisfies((call) -> {
			assertThat(call.headers()).containsEntry("authorization", "***")
				.containsEntry("api-key", "***")
				.containsEntry("x-trace", "a, b");
			assertThat(call.body()).isEqualTo(STREAM);
			assertThat(call.toString()).doesNotContain("topsecret");
		});
	}

	@Test
	void anythingElseIsNotThereAndIsNoCall() throws Exception {
		start(FaultStep.httpError(503));
		HttpRequest models = HttpRequest.newBuilder(URI.create(this.server.baseUrl() + "/models")).build();
		HttpRequest get = HttpRequest.newBuilder(URI.create(this.server.url())).build();
		assertThat(send(models).statusCode()).isEqualTo(404);
		assertThat(send(get).statusCode()).isEqualTo(404);
		assertThat(this.server.calls()).isEmpty();
		assertThat(send(request("no JSON")).statusCode()).isEqualTo(503);
	}

	@Test
	void aClientMayWaitForAGoAhead() throws Exception {
		start(FaultStep.pass());
		HttpRequest waiting = HttpRequest.newBuilder(request(STREAM), (name, value) -> true)
			.version(Version.HTTP_1_1)
			.expectContinue(true)
			.build();
		assertThat(send(waiting).body()).isEqualTo(STREAMED_OK);
	}

	@Test
	void onlyTheLoopbackIsListenedTo() {
		start(FaultStep.pass());
		assertThat(this.server.url()).matches("http://127\\.0\\.0\\.1:\\d+/v1/chat/completions");
		assertThat(this.server.url()).isEqualTo(this.server.baseUrl() + "/chat/completions");
	}

	@Test
	void closingEndsWhatIsStillAsked() {
		start(FaultStep.timeoutBeforeFirstByte(Duration.ofDays(1)));
		CompletableFuture<HttpResponse<String>> asked = this.client.sendAsync(request(STREAM), BodyHandlers.ofString());
		Awaitility.await().until(() -> this.server.calls().size() == 1);
		this.server.close();
		this.server.close();
		assertThat(asked).failsWithin(Duration.ofSeconds(30));
		assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> send(request(STREAM)));
		assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.doesNotContain("sandbox-fault-" + URI.create(this.server.url()).getPort());
	}

	@Test
	void aConnectionThatAsksNothingHoldsNobodyUp() throws Exception {
		start(FaultStep.pass());
		try (Socket idle = new Socket("127.0.0.1", URI.create(this.server.url()).getPort())) {
			assertThat(send(request(STREAM)).statusCode()).isEqualTo(200);
			idle.getOutputStream().write("no HTTP at all\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			assertThat(send(request(STREAM)).statusCode()).isEqualTo(200);
		}
		assertThat(this.server.calls()).hasSize(2);
	}

	private HttpResponse<String> ask(String body, FaultStep step) throws IOException, InterruptedException {
		start(step);
		return send(request(body));
	}

	private void start(FaultStep... steps) {
		this.server = FaultProviderServer.start(steps);
	}

	private HttpRequest request(String body) {
		return HttpRequest.newBuilder(URI.create(this.server.url())).POST(BodyPublishers.ofString(body)).build();
	}

	private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
		return this.client.send(request, BodyHandlers.ofString());
	}

}
