package io.sandbox4j.tools;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * What a file becomes by edits, all of them or none. Bytes that no edit replaces stay as
 * they are.
 */
final class EditPlan {

	/**
	 * How large a file may become, unless it is larger already. Without a limit, a dozen
	 * edits that double a text each fill the host's memory.
	 */
	static final int MAX_BYTES = 16 * 1024 * 1024;

	private final byte[] result;

	private final int replacements;

	private final List<LineRange> changed;

	private EditPlan(byte[] result, int replacements, List<LineRange> changed) {
		this.result = result;
		this.replacements = replacements;
		this.changed = changed;
	}

	/**
	 * Makes edits one after the other, each on what those before it left.
	 * @param content the file
	 * @param edits the edits
	 * @return the outcome
	 * @throws EditFailure if one of them cannot be made, or the file stays as it is
	 * @throws IllegalArgumentException if a new text has half of a surrogate pair or a
	 * NUL, so that no text file can hold it
	 */
	static EditPlan of(byte[] content, List<TextEdit> edits) throws EditFailure {
		for (int i = 0; i < edits.size(); i++) {
			checkNewText(i, edits.get(i).newText());
		}
		checkContent(content);
		EditedText text = new EditedText(content, Math.max(MAX_BYTES, content.length));
		int replacements = 0;
		for (int i = 0; i < edits.size(); i++) {
			try {
				replacements += text.apply(edits.get(i));
			}
			catch (EditFailure ex) {
				throw ex.at(i, edits.size());
			}
		}
		byte[] result = text.toBytes();
		if (Arrays.equals(result, content)) {
			String why = edits.isEmpty() ? "no edit was given" : "the edits undo each other";
			throw EditFailure.of(EditFailure.Kind.NOTHING_TO_DO, "There is no change: " + why + ".",
					"Give at least one edit whose newText differs from its oldText.");
		}
		return new EditPlan(result, replacements, text.changed());
	}

	private static void checkNewText(int index, String newText) {
		if (!EditedText.isWellFormed(newText)) {
			throw new IllegalArgumentException("edits[" + index
					+ "]: newText is not well-formed Unicode, it has one half of a surrogate pair without the other");
		}
		if (newText.indexOf('\0') >= 0) {
			throw new IllegalArgumentException("edits[" + index + "]: newText has a NUL, which no text file has");
		}
	}

	private static void checkContent(byte[] content) throws EditFailure {
		CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
		ByteBuffer bytes = ByteBuffer.wrap(content);
		CharBuffer chars = CharBuffer.allocate(content.length);
		boolean malformed = decoder.decode(bytes, chars, true).isError();
		int valid = bytes.position();
		for (int i = 0; i < valid; i++) {
			if (content[i] == 0) {
				throw notText("there is a NUL at byte offset " + i);
			}
		}
		if (malformed) {
			throw notText("the byte at offset " + valid + " is no part of a character");
		}
	}

	private static EditFailure notText(String why) {
		return EditFailure.of(EditFailure.Kind.NOT_TEXT, "The file is not valid UTF-8 text: " + why + ".",
				"Change a file that is not text with a command, or write it anew with write_file.");
	}

	/**
	 * Returns what the file becomes.
	 * @return its bytes, which are the caller's
	 */
	byte[] result() {
		return this.result.clone();
	}

	/**
	 * Returns how many pieces of text were replaced by all edits together.
	 * @return the count, at least 1
	 */
	int replacements() {
		return this.replacements;
	}

	/**
	 * Returns the lines of the result that the edits touched. Where lines were deleted it
	 * is the one that now has their place, or the last.
	 * @return ranges in ascending order that neither overlap nor adjoin, none if the
	 * result is empty
	 */
	List<LineRange> changed() {
		return this.changed;
	}

}
