package io.sandbox4j.tools;

import java.util.Objects;

/**
 * Thrown by a {@link ToolAuthorization} that tells the model why it refuses. All of it is
 * shown to the model, so it must name nothing that the model may not know, and no path of
 * the host.
 *
 * @since 0.1.0
 */
public final class ToolRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final RefusalCode code;

	private final String hint;

	/**
	 * Creates a refusal.
	 * @param code the kind
	 * @param reason why, as a sentence
	 * @param hint what to do next, as a sentence
	 */
	public ToolRefusedException(RefusalCode code, String reason, String hint) {
		super(Objects.requireNonNull(reason, "'reason' must not be null"));
		this.code = Objects.requireNonNull(code, "'code' must not be null");
		this.hint = Objects.requireNonNull(hint, "'hint' must not be null");
	}

	/**
	 * Returns the kind.
	 * @return the kind
	 */
	public RefusalCode code() {
		return this.code;
	}

	/**
	 * Returns what to do next.
	 * @return a sentence
	 */
	public String hint() {
		return this.hint;
	}

}
