package io.sandbox4j.advisory;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * One thing that a caller must not assume away.
 *
 * @param kind what it is about
 * @param detail the reason, the error or the numbers, or {@code null}
 * @param treePresent whether a tree of dependencies is there all the same; it only
 * qualifies what is broken
 * @param startedAt when the install began, if one runs
 * @param tail the end of the install's output; written by the sandbox, so not to be
 * trusted, and no part of the wording
 * @since 0.1.0
 */
public record Advisory(AdvisoryKind kind, @Nullable String detail, boolean treePresent, @Nullable Instant startedAt,
		@Nullable String tail) {

	/**
	 * Validates the components.
	 */
	public Advisory {
		Objects.requireNonNull(kind, "'kind' must not be null");
	}

	/**
	 * Says it in words. They never claim what became of a command: whoever words it does
	 * not know.
	 * @param audience who reads it
	 * @return one or more sentences
	 */
	public String wording(Audience audience) {
		boolean session = audience == Audience.SESSION;
		return switch (this.kind) {
			case STORAGE_EXHAUSTED -> "The storage of the workspace is full" + inBrackets()
					+ ". What is written now is lost. Stop, and write nothing more"
					+ (session ? " until somebody has made room." : ".");
			case DEPS_BUILDING ->
				"The dependencies are being installed" + since() + ". What needs them can fail for that reason alone."
						+ (session ? " Wait and retry what needs them; what does not can go on." : "");
			case DEPS_BROKEN -> "The install of the dependencies failed" + after() + tree()
					+ " What needs them can fail for that reason alone."
					+ (session ? " To wait does not help: repair the install, or do without." : "");
			case DEPS_ABSENT -> "The dependencies are not installed" + after()
					+ " What needs them can fail for that reason alone." + (session ? " To wait does not help." : "");
		};
	}

	private String inBrackets() {
		return (this.detail != null) ? " (" + this.detail + ")" : "";
	}

	private String after() {
		return (this.detail != null) ? ": " + this.detail : ".";
	}

	private String since() {
		return (this.startedAt != null) ? " since " + this.startedAt : "";
	}

	private String tree() {
		return this.treePresent ? " A tree of dependencies is there; it can be old or incomplete." : "";
	}

}
