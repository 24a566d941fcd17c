package io.sandbox4j.autoconfigure;

import java.util.regex.Pattern;

import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what sandboxes asked of the gateway to the logger {@value #LOGGER}: each request
 * at INFO, what failed on the host's side of it at WARN. A record is one line of
 * {@code key=value}. A value that is more than letters, digits and a few signs stands in
 * quotes, and what is not printable ASCII is escaped, so a guest, who chooses method and
 * path, cannot write a line or a field of its own. Queries, header values and bodies are
 * in no record.
 *
 * @since 0.1.0
 */
public final class SandboxAuditLog implements SandboxListener {

	/**
	 * The name of the logger.
	 */
	public static final String LOGGER = "sandbox.audit";

	private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._~:@+\\[\\]-]+");

	private static final Logger logger = LoggerFactory.getLogger(LOGGER);

	@Override
	public void onEvent(SandboxEvent event) {
		if (event instanceof SandboxEvent.GatewayRequest request && logger.isInfoEnabled()) {
			logger.info("{}", describe(request));
		}
		else if (event instanceof SandboxEvent.GatewayFailure failure && logger.isWarnEnabled()) {
			logger.warn("{}", describe(failure));
		}
	}

	private static String describe(SandboxEvent.GatewayRequest request) {
		StringBuilder line = new StringBuilder("event=gateway-request");
		append(line, "time", request.time());
		append(line, "session", request.sessionId());
		append(line, "command", request.commandId());
		append(line, "origin", request.origin());
		append(line, "method", request.method());
		append(line, "path", request.path());
		append(line, "status", request.status());
		append(line, "reason", request.reason());
		append(line, "request-bytes", request.requestBytes());
		append(line, "response-bytes", request.responseBytes());
		append(line, "duration-ms", request.duration().toMillis());
		return line.toString();
	}

	private static String describe(SandboxEvent.GatewayFailure failure) {
		StringBuilder line = new StringBuilder("event=gateway-failure");
		append(line, "session", failure.sessionId());
		append(line, "origin", failure.origin());
		append(line, "reason", failure.reason());
		append(line, "code", failure.failure().code());
		append(line, "message", failure.failure().getMessage());
		return line.toString();
	}

	private static void append(StringBuilder line, String key, @Nullable Object value) {
		String text = (value != null) ? value.toString() : "-";
		line.append(' ').append(key).append('=');
		if (PLAIN.matcher(text).matches()) {
			line.append(text);
			return;
		}
		line.append('"');
		text.chars().forEach((c) -> {
			if (c == '"' || c == '\\') {
				line.append('\\').append((char) c);
			}
			else if (c >= ' ' && c <= '~') {
				line.append((char) c);
			}
			else {
				line.append("\\u%04x".formatted(c));
			}
		});
		line.append('"');
	}

}
