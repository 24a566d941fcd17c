package io.sandbox4j.autoconfigure.tools;

import java.io.Serial;

import io.sandbox4j.tools.RefusalCode;

/**
 * A refused tool call, for callers that tell refusals from answers. The message is the
 * text for the model.
 *
 * @since 0.1.0
 */
public final class RefusedToolCallException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final RefusalCode code;

	RefusedToolCallException(RefusalCode code, String text) {
		// An answer to a model, not a failure: nobody reads the stack.
		super(text, null, false, false);
		this.code = code;
	}

	/**
	 * Returns why the call was refused.
	 * @return the code
	 */
	public RefusalCode code() {
		return this.code;
	}

}
