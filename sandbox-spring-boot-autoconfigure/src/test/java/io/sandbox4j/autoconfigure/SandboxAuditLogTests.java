package io.sandbox4j.autoconfigure;

import java.time.Duration;
import java.time.Instant;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.Origin;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxAuditLog}.
 */
@ExtendWith(OutputCaptureExtension.class)
class SandboxAuditLogTests {

	private static final Origin ORIGIN = Origin.parse("https://api.example.com");

	private final SandboxAuditLog log = new SandboxAuditLog();

	@Test
	void writesARequestAsOneLine(CapturedOutput output) {
		this.log
			.onEvent(new SandboxEvent.GatewayRequest("session-1", "command-1", Instant.parse("2026-01-02T03:04:05Z"),
					ORIGIN, "GET", "/v1/items", 200, "ok", 12, 3456, Duration.ofMillis(78)));
		assertThat(output.getOut().lines()).singleElement()
			.asString()
			.contains(" INFO ")
			.contains("sandbox.audit")
			.endsWith("event=gateway-request time=2026-01-02T03:04:05Z session=session-1 command=command-1 "
					+ "origin=https://api.example.com method=GET path=/v1/items status=200 reason=ok "
					+ "request-bytes=12 response-bytes=3456 duration-ms=78");
	}

	@Test
	void writesADashForWhatIsNotKnown(CapturedOutput output) {
		request("-", "-");
		assertThat(output).contains("command=- origin=- method=- path=- status=0 reason=malformed_request");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/a\nevent=gateway-request", "/a\r\n", "/a\" status=200", "/a status=200", "/a=b", "/a\\",
			"/\u001b[2K", "/\u2028", "/\u202e", "/\u00e9", "/\ud83d\ude00", "/{}", "", "/\u0085", "/\u007f", "/\0" })
	void aGuestForgesNothing(String path, CapturedOutput output) {
		request("GET", path);
		request(path, "/");
		assertThat(output.getOut().lines()).hasSize(2)
			.allSatisfy((line) -> assertThat(line).matches("[ -~]*")
				.containsPattern(
						"event=gateway-request time=\\S+ session=1 command=- origin=- method=(\\w+|\"([^\"\\\\]|\\\\.)*\") "
								+ "path=(/|\"([^\"\\\\]|\\\\.)*\") status=0 reason=malformed_request request-bytes=0 "
								+ "response-bytes=0 duration-ms=0$"));
	}

	@Test
	void escapesReadably(CapturedOutput output) {
		request("GET", "/a \"b\\\n\u00e9");
		assertThat(output).contains("path=\"/a \\\"b\\\\\\u000a\\u00e9\" status");
	}

	@Test
	void warnsOfAFailureWithoutAStackTrace(CapturedOutput output) {
		this.log.onEvent(new SandboxEvent.GatewayFailure("1", ORIGIN, "upstream_tls", new SandboxException(
				ErrorCode.SANDBOX_UNAVAILABLE, "No trust in\nthe certificate.", new IllegalStateException("cause"))));
		assertThat(output.getOut().lines()).singleElement()
			.asString()
			.contains(" WARN ")
			.endsWith("event=gateway-failure session=1 origin=https://api.example.com reason=upstream_tls "
					+ "code=SANDBOX_UNAVAILABLE message=\"No trust in\\u000athe certificate.\"");
	}

	@Test
	void writesNothingOfOtherEvents(CapturedOutput output) {
		this.log.onEvent(new SandboxEvent.SessionStopped("1"));
		assertThat(output).isEmpty();
	}

	@Test
	void canBeSwitchedOffByItsLogger(CapturedOutput output) {
		LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
		logging.setLogLevel(SandboxAuditLog.LOGGER, LogLevel.OFF);
		try {
			request("GET", "/");
			assertThat(output).isEmpty();
		}
		finally {
			logging.setLogLevel(SandboxAuditLog.LOGGER, null);
		}
	}

	private void request(String method, String path) {
		this.log.onEvent(new SandboxEvent.GatewayRequest("1", null, Instant.EPOCH, null, method, path, 0,
				"malformed_request", 0, 0, Duration.ZERO));
	}

}
