package io.sandbox4j.tools;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Edits that were not made, none of them. The message and the hint are sentences for the
 * model that asked.
 */
final class EditFailure extends Exception {

	/**
	 * The index of a failure that belongs to no single edit.
	 */
	static final int NO_EDIT = -1;

	/**
	 * How many lines are listed.
	 */
	static final int MAX_LINES = 10;

	private final Kind kind;

	private final int edit;

	private final String hint;

	private final int occurrences;

	private final List<Integer> lines;

	private EditFailure(Kind kind, int edit, String message, String hint, int occurrences, List<Integer> lines) {
		// A model's slip is an answer: nobody reads where in our code it was found.
		super(message, null, false, false);
		this.kind = kind;
		this.edit = edit;
		this.hint = hint;
		this.occurrences = occurrences;
		this.lines = List.copyOf(lines);
	}

	static EditFailure of(Kind kind, String message, String hint) {
		return new EditFailure(kind, NO_EDIT, message, hint, 0, List.of());
	}

	static EditFailure near(NearMiss miss) {
		return new EditFailure(Kind.NOT_FOUND, NO_EDIT, "oldText was not found. " + miss.message(), miss.hint(), 0,
				miss.lines());
	}

	static EditFailure ambiguous(int occurrences, List<Integer> lines) {
		String listed = lines.stream().map(String::valueOf).collect(Collectors.joining(", "));
		String where = (lines.size() < occurrences) ? ", the first " + lines.size() + " at lines " : ", at lines ";
		return new EditFailure(Kind.AMBIGUOUS, NO_EDIT,
				"oldText occurs " + occurrences + " times" + where + listed + ".",
				"Take lines before or after into oldText until it occurs once, or set replaceAll to change every one.",
				occurrences, lines);
	}

	/**
	 * Says which edit failed.
	 * @param index the edit's index
	 * @param edits how many edits were asked for
	 * @return the same failure of this edit
	 */
	EditFailure at(int index, int edits) {
		String message = getMessage();
		if (edits > 1) {
			String counted = (this.lines.isEmpty() || index == 0) ? ""
					: " (lines are counted after the edits before it)";
			message = "edits[" + index + "] failed" + counted + ", so none of the edits was made: " + message;
		}
		return new EditFailure(this.kind, index, message, this.hint, this.occurrences, this.lines);
	}

	@Override
	public String getMessage() {
		return String.valueOf(super.getMessage());
	}

	Kind kind() {
		return this.kind;
	}

	/**
	 * Returns which edit failed.
	 * @return its index from 0, or {@link #NO_EDIT} if it is the file or all the edits
	 */
	int edit() {
		return this.edit;
	}

	/**
	 * Returns what the model should do next.
	 * @return a sentence
	 */
	String hint() {
		return this.hint;
	}

	/**
	 * Returns how often an ambiguous text occurs.
	 * @return the count, 0 for every other kind
	 */
	int occurrences() {
		return this.occurrences;
	}

	/**
	 * Returns where an ambiguous text occurs, or where a near miss is. Lines are those of
	 * the text that the edits before this one leave.
	 * @return at most ten line numbers, from 1
	 */
	List<Integer> lines() {
		return this.lines;
	}

	/**
	 * Why edits were not made.
	 */
	enum Kind {

		/**
		 * The file is not UTF-8, or has a NUL.
		 */
		NOT_TEXT,

		/**
		 * The file would stay as it is.
		 */
		NOTHING_TO_DO,

		/**
		 * There is no text to look for.
		 */
		EMPTY_OLD_TEXT,

		/**
		 * The text does not occur.
		 */
		NOT_FOUND,

		/**
		 * The text occurs more than once, and not all were asked for.
		 */
		AMBIGUOUS,

		/**
		 * The file would grow beyond {@link EditPlan#MAX_BYTES}.
		 */
		TOO_LARGE

	}

}
