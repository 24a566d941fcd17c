package io.sandbox4j.lease;

import java.util.List;
import java.util.Objects;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * What a lease is found by. Two keys are equal if their kind and their parts are; parts
 * never run into each other. A key is at least as fine as what its sandbox was made with:
 * whoever shares a key shares files and credentials.
 *
 * @since 0.1.0
 */
public final class LeaseKey {

	private static final int MAX_LENGTH = 256;

	private final Kind kind;

	private final List<String> parts;

	private LeaseKey(Kind kind, String... parts) {
		this.kind = kind;
		this.parts = List.of(parts);
	}

	/**
	 * Returns the key of the one sandbox that all agents of a run share.
	 * @param run the run's id: 1 to 256 printable ASCII characters, no blank among them
	 * @return the key
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} for another id
	 */
	public static LeaseKey forRun(String run) {
		return new LeaseKey(Kind.RUN, part("run", run));
	}

	/**
	 * Returns the key of the sandbox that one agent of a run has for itself.
	 * @param run the run's id: 1 to 256 printable ASCII characters, no blank among them
	 * @param agent the agent's name, of the same form
	 * @return the key
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} for another id or name
	 */
	public static LeaseKey forAgent(String run, String agent) {
		return new LeaseKey(Kind.AGENT, part("run", run), part("agent", agent));
	}

	/**
	 * Returns the key of the sandbox of a conversation, which is of no run.
	 * @param id the conversation's id: 1 to 256 printable ASCII characters, no blank
	 * among them
	 * @return the key
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} for another id
	 */
	public static LeaseKey forConversation(String id) {
		return new LeaseKey(Kind.CONVERSATION, part("conversation", id));
	}

	// What is refused is not repeated: it may be an id that gives access elsewhere.
	static String part(String name, String value) {
		Objects.requireNonNull(value, () -> "'" + name + "' must not be null");
		if (value.isEmpty() || value.length() > MAX_LENGTH || !value.chars().allMatch((c) -> c > 0x20 && c < 0x7f)) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'" + name + "' of a lease's key must have 1 to "
					+ MAX_LENGTH + " printable ASCII characters, and no blank among them.");
		}
		return value;
	}

	/**
	 * Returns the run.
	 * @return the run's id, or {@code null} for a conversation
	 */
	public @Nullable String run() {
		return (this.kind != Kind.CONVERSATION) ? this.parts.get(0) : null;
	}

	boolean isOfRun(String run) {
		return run.equals(run());
	}

	/**
	 * Reads what {@link #toString()} wrote.
	 * @param text the text
	 * @return the key
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if it is none
	 */
	static LeaseKey parse(String text) {
		String[] words = text.split("/", -1);
		if (words.length == 2 && words[0].equals(Kind.RUN.word)) {
			return forRun(decoded(words[1]));
		}
		if (words.length == 3 && words[0].equals(Kind.AGENT.word)) {
			return forAgent(decoded(words[1]), decoded(words[2]));
		}
		if (words.length == 2 && words[0].equals(Kind.CONVERSATION.word)) {
			return forConversation(decoded(words[1]));
		}
		throw new SandboxException(ErrorCode.SANDBOX_INVALID, "A text is no key of a lease.");
	}

	private static String encoded(String part) {
		return part.replace("%", "%25").replace("/", "%2F");
	}

	private static String decoded(String part) {
		return part.replace("%2F", "/").replace("%25", "%");
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof LeaseKey key && key.kind == this.kind && key.parts.equals(this.parts);
	}

	@Override
	public int hashCode() {
		return 31 * this.kind.word.hashCode() + this.parts.hashCode();
	}

	/**
	 * Writes the kind and the parts, with a slash between them and none in them. No two
	 * keys have the same text.
	 */
	@Override
	public String toString() {
		StringBuilder text = new StringBuilder(this.kind.word);
		this.parts.forEach((part) -> text.append('/').append(encoded(part)));
		return text.toString();
	}

	private enum Kind {

		RUN("run"), AGENT("agent"), CONVERSATION("conversation");

		private final String word;

		Kind(String word) {
			this.word = word;
		}

	}

}
