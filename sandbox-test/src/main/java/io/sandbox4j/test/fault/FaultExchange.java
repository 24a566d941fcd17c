package io.sandbox4j.test.fault;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnection;
import org.apache.hc.core5.http.io.entity.EntityTemplate;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.apache.hc.core5.io.IOCallback;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * One call on one connection. HttpCore reads and writes HTTP; the socket is ours to
 * break.
 */
final class FaultExchange {

	private static final int MAX_BODY = 64 * 1024 * 1024;

	private static final int UNKNOWN = -1;

	private static final Duration AGAIN = Duration.ofMillis(10);

	private final DefaultBHttpServerConnection connection = new DefaultBHttpServerConnection("http",
			Http1Config.DEFAULT);

	private final FaultProviderServer server;

	private final Socket socket;

	FaultExchange(FaultProviderServer server, Socket socket) {
		this.server = server;
		this.socket = socket;
	}

	void run() throws IOException {
		this.socket.setTcpNoDelay(true);
		this.connection.bind(this.socket);
		try {
			ClassicHttpRequest request = this.connection.receiveRequestHeader();
			if (request == null) {
				return;
			}
			String body = body(request);
			if (FaultProviderServer.serves(request.getMethod(), path(request))) {
				FaultCall call = this.server.record(headers(request), body);
				answer(call.step(), streamed(body));
			}
			else {
				answerError(404, "Only POST /v1/chat/completions is served", null);
			}
			this.connection.flush();
		}
		catch (HttpException ex) {
			throw new IOException("The request is no HTTP", ex);
		}
	}

	private String body(ClassicHttpRequest request) throws IOException, HttpException {
		Header expectation = request.getFirstHeader(HttpHeaders.EXPECT);
		if (expectation != null && expectation.getValue().equalsIgnoreCase("100-continue")) {
			this.connection.sendResponseHeader(new BasicClassicHttpResponse(100));
			this.connection.flush();
		}
		this.connection.receiveRequestEntity(request);
		HttpEntity entity = request.getEntity();
		byte[] bytes = (entity != null) ? EntityUtils.toByteArray(entity, MAX_BODY) : null;
		return (bytes != null) ? new String(bytes, StandardCharsets.UTF_8) : "";
	}

	// Without the query, where some clients put their key.
	private static String path(ClassicHttpRequest request) {
		return request.getPath().split("\\?", 2)[0];
	}

	private static Map<String, String> headers(ClassicHttpRequest request) {
		Map<String, String> headers = new TreeMap<>();
		for (Header header : request.getHeaders()) {
			headers.merge(header.getName().toLowerCase(Locale.ROOT), header.getValue(),
					(first, second) -> first + ", " + second);
		}
		return headers;
	}

	private static boolean streamed(String body) {
		try {
			return JsonMapper.shared().readTree(body).path("stream").asBoolean(false);
		}
		catch (JacksonException ex) {
			return false;
		}
	}

	private void answer(FaultStep step, boolean streamed) throws IOException, HttpException {
		if (step instanceof FaultStep.Answer answer) {
			answerWith(streamed ? Completion.stream(answer) : List.of(Completion.document(answer)), streamed);
		}
		else if (step instanceof FaultStep.Slow slow) {
			answerSlowly(slow, streamed);
		}
		else if (step instanceof FaultStep.NeverEnding endless) {
			answerWithoutEnd(endless, streamed);
		}
		else if (step instanceof FaultStep.ToolCall call) {
			answerWith(streamed ? Completion.stream(call) : List.of(Completion.document(call)), streamed);
		}
		else if (step instanceof FaultStep.StreamCut cut) {
			cut(cut.afterBytes(), streamed);
		}
		else if (step instanceof FaultStep.BadJson) {
			answerWith(streamed ? Completion.brokenStream() : List.of(Completion.brokenDocument()), streamed);
		}
		else if (step instanceof FaultStep.WrongContentType wrong) {
			byte[] body = wrong.body().getBytes(StandardCharsets.UTF_8);
			send(response(200, wrong.contentType()), body.length, (out) -> out.write(body));
		}
		else if (step instanceof FaultStep.HttpError error) {
			answerError(error.status(), "The plan says " + error.status(), error.retryAfter());
		}
		else if (step instanceof FaultStep.TimeoutBeforeFirstByte silence) {
			this.server.pause(silence.delay());
			this.socket.close();
		}
		else if (step instanceof FaultStep.ConnectionReset) {
			// A close without linger is a reset.
			this.socket.setSoLinger(true, 0);
			this.socket.close();
		}
	}

	private void answerSlowly(FaultStep.Slow slow, boolean streamed) throws IOException, HttpException {
		Duration between = Duration.ofNanos((long) (1_000_000_000 / slow.tokensPerSecond()));
		List<String> tokens = Completion.tokens(slow.text());
		if (!streamed) {
			this.server.pause(between.multipliedBy(tokens.size() - 1L));
			answerWith(List.of(Completion.document(whole(slow.text()))), false);
			return;
		}
		List<byte[]> events = Completion.stream(tokens, whole(slow.text()));
		send(response(200, type(true)), UNKNOWN, (out) -> {
			for (int i = 0; i < events.size(); i++) {
				if (i > 0 && i < tokens.size()) {
					this.server.pause(between);
				}
				out.write(events.get(i));
				out.flush();
			}
		});
	}

	private static FaultStep.Answer whole(String text) {
		return new FaultStep.Answer(text, "stop", true, 1);
	}

	// The client's close makes a write fail, and the server's one the pause.
	private void answerWithoutEnd(FaultStep.NeverEnding endless, boolean streamed) throws IOException, HttpException {
		byte[] beginning = streamed ? new byte[0] : Completion.beginning();
		byte[] again = streamed ? Completion.event(endless.token()) : Completion.text(endless.token());
		send(response(200, type(streamed)), UNKNOWN, (out) -> {
			out.write(beginning);
			while (true) {
				out.write(again);
				out.flush();
				this.server.pause(AGAIN);
			}
		});
	}

	private void answerWith(List<byte[]> parts, boolean streamed) throws IOException, HttpException {
		byte[] body = joined(parts);
		send(response(200, type(streamed)), streamed ? UNKNOWN : body.length, (out) -> out.write(body));
	}

	private void answerError(int status, String message, @Nullable Duration retryAfter)
			throws IOException, HttpException {
		ClassicHttpResponse response = response(status, type(false));
		if (retryAfter != null) {
			response.setHeader(HttpHeaders.RETRY_AFTER, retryAfter.toSeconds());
		}
		byte[] body = Completion.error(message);
		send(response, body.length, (out) -> out.write(body));
	}

	// The bytes arrive, as the close is an orderly one, and the answer is not complete: a
	// stream has no last chunk, and a document is announced as longer than it is.
	private void cut(int afterBytes, boolean streamed) throws IOException, HttpException {
		byte[] body = streamed ? joined(Completion.stream(whole("ok"))) : Completion.document(whole("ok"));
		send(response(200, type(streamed)), streamed ? UNKNOWN : body.length + 1, (out) -> {
			out.write(body, 0, Math.min(afterBytes, body.length));
			out.flush();
			throw new IOException("The plan cuts the answer");
		});
	}

	private static byte[] joined(List<byte[]> parts) {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		parts.forEach(all::writeBytes);
		return all.toByteArray();
	}

	private static String type(boolean streamed) {
		return (streamed ? ContentType.TEXT_EVENT_STREAM : ContentType.APPLICATION_JSON).toString();
	}

	private static ClassicHttpResponse response(int status, String contentType) {
		ClassicHttpResponse response = new BasicClassicHttpResponse(status);
		response.setHeader(HttpHeaders.CONTENT_TYPE, contentType);
		response.setHeader(HttpHeaders.CONNECTION, "close");
		return response;
	}

	private void send(ClassicHttpResponse response, int length, IOCallback<OutputStream> content)
			throws IOException, HttpException {
		if (length != UNKNOWN) {
			response.setHeader(HttpHeaders.CONTENT_LENGTH, length);
		}
		else {
			response.setHeader(HttpHeaders.TRANSFER_ENCODING, "chunked");
		}
		response.setEntity(new EntityTemplate(length, null, (out) -> {
			try {
				content.execute(out);
			}
			catch (IOException ex) {
				// HttpCore would send the last chunk, and the client take the answer for
				// whole.
				this.socket.close();
				throw ex;
			}
		}));
		this.connection.sendResponseHeader(response);
		this.connection.flush();
		this.connection.sendResponseEntity(response);
	}

}
