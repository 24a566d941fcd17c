package io.sandbox4j.tools;

/**
 * Gives an inserted text the line ends of what it replaces, or else of the lines around
 * it. A line ends with LF or CRLF; a CR elsewhere is a character like others.
 */
final class LineEnds {

	private final String text;

	// Where the next line end is that was looked for: every replacement looks, from left
	// to right, and one long line must not be walked again for each.
	private int next = -1;

	private final int last;

	LineEnds(String text) {
		this.text = text;
		this.last = text.lastIndexOf('\n');
	}

	/**
	 * Adapts a text to its place. Places come from left to right.
	 * @param inserted the text as it came
	 * @param start where the replaced piece starts
	 * @param end where it ends
	 * @return the text as it is inserted
	 */
	String adapt(String inserted, int start, int end) {
		if (inserted.indexOf('\n') < 0) {
			return inserted;
		}
		String piece = this.text.substring(start, end);
		int ends = count(piece, "\n");
		int crlf = count(piece, "\r\n");
		String plain = inserted.replace("\r\n", "\n");
		if (crlf > 0 && crlf < ends) {
			return aligned(plain, piece);
		}
		if (ends > 0) {
			return (crlf > 0) ? plain.replace("\n", "\r\n") : plain;
		}
		int neighbour = neighbour(end);
		if (neighbour < 0) {
			return inserted;
		}
		return isCrlf(this.text, neighbour) ? plain.replace("\n", "\r\n") : plain;
	}

	// The end of the line itself; the last line may have none, and takes the one before.
	private int neighbour(int from) {
		if (from > this.last) {
			return this.last;
		}
		if (this.next < from) {
			this.next = this.text.indexOf('\n', from);
		}
		return this.next;
	}

	// Both kinds are in the piece: lines that stay keep theirs, lines that are new take
	// that of the line whose place they have.
	private static String aligned(String inserted, String piece) {
		String[] oldLines = piece.split("\n", -1);
		String[] newLines = inserted.split("\n", -1);
		int kept = keptAtTheEnd(oldLines, newLines);
		int oldEnds = oldLines.length - 1;
		int newEnds = newLines.length - 1;
		int keptEnds = Math.max(kept - 1, 0);
		int lastReplaced = Math.max(oldEnds - keptEnds - 1, 0);
		StringBuilder adapted = new StringBuilder(newLines[0]);
		for (int i = 0; i < newEnds; i++) {
			int same = (i >= newEnds - keptEnds) ? i + oldEnds - newEnds : Math.min(i, lastReplaced);
			adapted.append(oldLines[same].endsWith("\r") ? "\r\n" : "\n").append(newLines[i + 1]);
		}
		return adapted.toString();
	}

	private static int keptAtTheEnd(String[] oldLines, String[] newLines) {
		int most = Math.min(oldLines.length, newLines.length);
		int start = 0;
		while (start < most && line(oldLines, start).equals(newLines[start])) {
			start++;
		}
		int kept = 0;
		while (kept < most - start
				&& line(oldLines, oldLines.length - 1 - kept).equals(newLines[newLines.length - 1 - kept])) {
			kept++;
		}
		return kept;
	}

	private static String line(String[] lines, int index) {
		String line = lines[index];
		// Behind the last line there is no LF, so its CR would be a character.
		boolean crlf = index < lines.length - 1 && line.endsWith("\r");
		return crlf ? line.substring(0, line.length() - 1) : line;
	}

	private static boolean isCrlf(String text, int lineEnd) {
		return lineEnd > 0 && text.charAt(lineEnd - 1) == '\r';
	}

	private static int count(String text, String wanted) {
		int count = 0;
		for (int i = text.indexOf(wanted); i >= 0; i = text.indexOf(wanted, i + wanted.length())) {
			count++;
		}
		return count;
	}

}
