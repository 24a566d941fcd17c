package io.sandbox4j.sample;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Turns failures of the sandboxes into problem details (RFC 9457).
 */
@RestControllerAdvice
class SandboxErrors {

	@ExceptionHandler
	ProblemDetail handle(SandboxException failure) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(status(failure.code()), failure.getMessage());
		problem.setProperty("code", failure.code());
		problem.setProperty("retryable", failure.retryable());
		return problem;
	}

	private static HttpStatus status(ErrorCode code) {
		return switch (code) {
			case SANDBOX_NOT_FOUND -> HttpStatus.NOT_FOUND;
			case SANDBOX_PATH, SANDBOX_INVALID -> HttpStatus.BAD_REQUEST;
			case SANDBOX_BUSY, SANDBOX_STATE_MISMATCH, SANDBOX_LEASE_LOST -> HttpStatus.CONFLICT;
			case SANDBOX_STOPPED -> HttpStatus.GONE;
			case SANDBOX_LIMIT -> HttpStatus.CONTENT_TOO_LARGE;
			case SANDBOX_NETWORK_DENIED -> HttpStatus.FORBIDDEN;
			case SANDBOX_UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE;
		};
	}

}
