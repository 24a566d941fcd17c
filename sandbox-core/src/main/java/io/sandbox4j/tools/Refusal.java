package io.sandbox4j.tools;

import java.util.LinkedHashMap;
import java.util.Map;

import io.sandbox4j.SandboxException;

/**
 * A refused call: a sentence for the model, what to do next, and details. Never names a
 * path of the host.
 */
final class Refusal extends RuntimeException {

	private final RefusalCode code;

	private final String hint;

	private final Map<String, Object> details = new LinkedHashMap<>();

	Refusal(RefusalCode code, String message, String hint) {
		// An answer to a model, not a failure: nobody reads the stack.
		super(message, null, false, false);
		this.code = code;
		this.hint = hint;
	}

	static Refusal badRequest(String message, String hint) {
		return new Refusal(RefusalCode.BAD_REQUEST, message, hint);
	}

	static Refusal forbidden(String message, String hint) {
		return new Refusal(RefusalCode.FORBIDDEN, message, hint);
	}

	static Refusal notFound(String message, String hint) {
		return new Refusal(RefusalCode.NOT_FOUND, message, hint);
	}

	static Refusal conflict(String message, String hint) {
		return new Refusal(RefusalCode.CONFLICT, message, hint);
	}

	/**
	 * Says for a model what the sandbox refused.
	 * @param failure the sandbox's exception
	 * @return the refusal
	 */
	static Refusal of(SandboxException failure) {
		String message = String.valueOf(failure.getMessage());
		return switch (failure.code()) {
			case SANDBOX_PATH -> forbidden(message, "Use another path below the workspace.");
			case SANDBOX_NOT_FOUND -> notFound(message, "List the directory to see what is there.");
			case SANDBOX_LIMIT -> badRequest(message, "Ask for less at once.");
			case SANDBOX_INVALID, SANDBOX_STATE_MISMATCH, SANDBOX_NETWORK_DENIED ->
				badRequest(message, "Change the arguments.");
			case SANDBOX_BUSY ->
				new Refusal(RefusalCode.SANDBOX_BUSY, message, "Wait for what runs to end, then call again.");
			// These can name what is the host's.
			case SANDBOX_STOPPED, SANDBOX_UNAVAILABLE, SANDBOX_LEASE_LOST -> unavailable(failure.code().name());
		};
	}

	static Refusal unavailable(String reason) {
		return new Refusal(RefusalCode.SANDBOX_UNAVAILABLE, "The sandbox cannot be used.",
				"Do not call it again; tell the user that the sandbox is not available.")
			.with("reason", reason);
	}

	Refusal with(String name, Object detail) {
		this.details.put(name, detail);
		return this;
	}

	@Override
	public String getMessage() {
		return String.valueOf(super.getMessage());
	}

	RefusalCode code() {
		return this.code;
	}

	String hint() {
		return this.hint;
	}

	Map<String, Object> details() {
		return this.details;
	}

}
