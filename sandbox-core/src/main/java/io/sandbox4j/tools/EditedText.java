package io.sandbox4j.tools;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * A file while it is edited. Its bytes are kept as the characters of a string (ISO
 * 8859-1), where an index is the offset of a byte: as UTF-8 never has one character
 * inside another, bytes are found where the text is.
 */
final class EditedText {

	private static final String BOM = bytes("\ufeff");

	private static final char UNTOUCHED = '0';

	private static final char TOUCHED = '1';

	private final boolean hasBom;

	private final int limit;

	// With a BOM in any case, so that a text that starts with one is found at the start.
	private String text;

	// A mark for each byte and for the end, spliced as the text is.
	private String marks;

	EditedText(byte[] content, int limit) {
		String text = new String(content, StandardCharsets.ISO_8859_1);
		this.hasBom = text.startsWith(BOM);
		this.text = this.hasBom ? text : BOM + text;
		this.marks = String.valueOf(UNTOUCHED).repeat(this.text.length() + 1);
		this.limit = limit;
	}

	/**
	 * Makes one edit.
	 * @param edit the edit
	 * @return how many pieces were replaced
	 * @throws EditFailure if it cannot be made; the text is as before
	 */
	int apply(TextEdit edit) throws EditFailure {
		if (edit.oldText().isEmpty()) {
			throw emptyOldText();
		}
		if (unix(edit.oldText()).equals(unix(edit.newText()))) {
			throw nothingToDo();
		}
		Pieces pieces = pieces(edit.oldText());
		if (pieces.count() == 0) {
			throw notFound(edit.oldText());
		}
		if (pieces.count() > 1 && !edit.replaceAll()) {
			throw EditFailure.ambiguous(pieces.count(), firstLines(pieces));
		}
		String before = this.text;
		splice(pieces, bytes(edit.newText()));
		if (this.text.equals(before)) {
			throw nothingToDo();
		}
		return pieces.count();
	}

	private Pieces pieces(String oldText) throws EditFailure {
		if (!isWellFormed(oldText)) {
			return Pieces.NONE;
		}
		String wanted = bytes(oldText);
		int[] exact = new TextSearch(wanted).all(this.text, (start) -> isWhole(start, wanted));
		if (exact.length > 0) {
			return Pieces.of(exact, wanted.length(), IntUnaryOperator.identity());
		}
		if (wanted.equals(BOM)) {
			throw emptyOldText();
		}
		if (wanted.indexOf('\n') < 0) {
			return Pieces.NONE;
		}
		FoldedText folded = FoldedText.lineEnds(this.text);
		String same = unix(wanted);
		return Pieces.of(new TextSearch(same).all(folded.text(), (start) -> true), same.length(), folded::origin);
	}

	// The LF of a CRLF is half of a line end, and the BOM at the start is no text.
	private boolean isWhole(int start, String wanted) {
		boolean half = start > 0 && this.text.charAt(start) == '\n' && this.text.charAt(start - 1) == '\r';
		return !half && (start > 0 || !wanted.equals(BOM));
	}

	private void splice(Pieces pieces, String newText) throws EditFailure {
		LineEnds lineEnds = new LineEnds(this.text);
		StringBuilder text = new StringBuilder(this.text.length());
		StringBuilder marks = new StringBuilder(this.marks.length());
		// The character after a piece is touched too, unless both are whole lines.
		int after = -1;
		int copied = 0;
		for (int i = 0; i < pieces.count(); i++) {
			int start = pieces.starts()[i];
			int end = pieces.ends()[i];
			String inserted = lineEnds.adapt((start == BOM.length()) ? withoutBom(newText) : newText, start, end);
			text.append(this.text, copied, start).append(inserted);
			marks.append(this.marks, copied, start).append(String.valueOf(TOUCHED).repeat(inserted.length()));
			touch(marks, after);
			boolean wholeLines = inserted.endsWith("\n") && this.text.charAt(end - 1) == '\n';
			after = wholeLines ? -1 : text.length();
			copied = end;
			checkLength(text);
		}
		text.append(this.text, copied, this.text.length());
		marks.append(this.marks, copied, this.marks.length());
		touch(marks, after);
		checkLength(text);
		this.text = text.toString();
		this.marks = marks.toString();
	}

	// Pieces that adjoin and are deleted leave nothing yet, and share the one after them.
	private static void touch(StringBuilder marks, int index) {
		if (index >= 0 && index < marks.length()) {
			marks.setCharAt(index, TOUCHED);
		}
	}

	private void checkLength(StringBuilder text) throws EditFailure {
		if (text.length() - added() > this.limit) {
			throw EditFailure.of(EditFailure.Kind.TOO_LARGE,
					"The file would become larger than " + this.limit + " bytes.",
					"Insert less, or produce the file with a command.");
		}
	}

	private List<Integer> firstLines(Pieces pieces) {
		List<Integer> lines = new ArrayList<>();
		int line = 1;
		int counted = 0;
		for (int i = 0; i < Math.min(pieces.count(), EditFailure.MAX_LINES); i++) {
			for (; counted < pieces.starts()[i]; counted++) {
				line += (this.text.charAt(counted) == '\n') ? 1 : 0;
			}
			lines.add(line);
		}
		return lines;
	}

	/**
	 * Returns the lines that edits touched.
	 * @return ranges in ascending order, merged
	 */
	List<LineRange> changed() {
		List<LineRange> changed = new ArrayList<>();
		int line = 0;
		int first = 0;
		int start = BOM.length();
		while (start < this.text.length()) {
			line++;
			int end = this.text.indexOf('\n', start) + 1;
			end = (end == 0) ? this.text.length() : end;
			boolean isLast = end == this.text.length();
			// What was touched behind the last line has no line but that.
			boolean touched = this.marks.substring(start, isLast ? end + 1 : end).indexOf(TOUCHED) >= 0;
			if (touched && first == 0) {
				first = line;
			}
			if (!touched && first > 0) {
				changed.add(new LineRange(first, line - 1));
				first = 0;
			}
			start = end;
		}
		if (first > 0) {
			changed.add(new LineRange(first, line));
		}
		return List.copyOf(changed);
	}

	/**
	 * Returns the file.
	 * @return its bytes
	 */
	byte[] toBytes() {
		return this.text.substring(added()).getBytes(StandardCharsets.ISO_8859_1);
	}

	/**
	 * Whether a text is well-formed Unicode; what is not cannot be written as UTF-8.
	 * @param text the text
	 * @return {@code true} if it has no half of a surrogate pair
	 */
	static boolean isWellFormed(String text) {
		return StandardCharsets.UTF_8.newEncoder().canEncode(text);
	}

	// How much of the text the file does not have.
	private int added() {
		return this.hasBom ? 0 : BOM.length();
	}

	private static String bytes(String text) {
		return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
	}

	private static String unix(String text) {
		return text.replace("\r\n", "\n");
	}

	// All of them: one that is left would be a second BOM, or the first of a file that
	// has none.
	private static String withoutBom(String bytes) {
		int start = 0;
		while (bytes.startsWith(BOM, start)) {
			start += BOM.length();
		}
		return bytes.substring(start);
	}

	private EditFailure notFound(String oldText) {
		if (!isWellFormed(oldText)) {
			return EditFailure.of(EditFailure.Kind.NOT_FOUND,
					"oldText was not found: it has one half of a surrogate pair without the other.",
					"Give the whole character, or leave it out of oldText.");
		}
		String wanted = text(withoutBom(bytes(oldText)));
		NearMiss miss = wanted.isEmpty() ? null : NearMiss.find(text(this.text.substring(BOM.length())), wanted);
		if (miss != null) {
			return EditFailure.near(miss);
		}
		return EditFailure.of(EditFailure.Kind.NOT_FOUND, "oldText was not found, and nothing like it.",
				"Read the file again and copy oldText from it exactly as it is there.");
	}

	private static String text(String bytes) {
		return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
	}

	private static EditFailure emptyOldText() {
		return EditFailure.of(EditFailure.Kind.EMPTY_OLD_TEXT, "oldText is empty.",
				"Use write_file for a new or empty file or to append; to insert, give a line that is there as oldText "
						+ "and repeat it in newText.");
	}

	private static EditFailure nothingToDo() {
		return EditFailure.of(EditFailure.Kind.NOTHING_TO_DO, "There is no change: newText is what oldText is already.",
				"Leave this edit out; newText gets the line ends of the file, so a change of these alone is none.");
	}

	/**
	 * The pieces of the text that are replaced. Arrays, as there may be one for each
	 * byte.
	 *
	 * @param starts where they start
	 * @param ends where they end, excluded
	 */
	private record Pieces(int[] starts, int[] ends) {

		static final Pieces NONE = new Pieces(new int[0], new int[0]);

		static Pieces of(int[] found, int length, IntUnaryOperator origin) {
			int[] starts = IntStream.of(found).map(origin).map((start) -> Math.max(start, BOM.length())).toArray();
			return new Pieces(starts, IntStream.of(found).map((start) -> origin.applyAsInt(start + length)).toArray());
		}

		int count() {
			return this.starts.length;
		}

	}

}
