package io.sandbox4j.tools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.FileEntry;
import org.jspecify.annotations.Nullable;

/**
 * Searches the lines of one file after the other. Thread-safe.
 */
final class FileSearch {

	private static final int EXCERPT = 500;

	private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

	private final LineQuery query;

	private final int context;

	private final int maxBytes;

	private final int maxMatches;

	private final long end;

	/**
	 * Describes a search.
	 * @param query what is searched for
	 * @param context how many lines to show around a match
	 * @param maxBytes how large a file may be
	 * @param maxMatches how many matches of a file are wanted
	 * @param end after which time of {@link System#nanoTime()} nothing is looked at any
	 * more: a slow expression takes most of a second for one long line
	 */
	FileSearch(LineQuery query, int context, int maxBytes, int maxMatches, long end) {
		this.query = query;
		this.context = context;
		this.maxBytes = Math.min(maxBytes, MAX_ARRAY - 1);
		this.maxMatches = maxMatches;
		this.end = end;
	}

	boolean showsContext() {
		return this.context > 0;
	}

	/**
	 * Searches a file.
	 * @param file the file
	 * @param content its content
	 * @return what is in it, or {@code null} if it is too large or no text
	 * @throws IOException if it cannot be read
	 */
	@Nullable Found search(FileEntry file, InputStream content) throws IOException {
		if (isLate()) {
			return Found.NOTHING;
		}
		String text = text(file, content);
		if (text == null) {
			return null;
		}
		return this.query.maybeIn(text) ? lines(text) : Found.NOTHING;
	}

	// Most files are as large as they were listed: one byte more finds the end.
	private @Nullable String text(FileEntry file, InputStream content) throws IOException {
		if (file.size() > this.maxBytes) {
			return null;
		}
		byte[] bytes = new byte[(int) file.size() + 1];
		int length = content.readNBytes(bytes, 0, bytes.length);
		if (length == bytes.length) {
			byte[] more = content.readNBytes(this.maxBytes + 1 - length);
			byte[] grown = new byte[length + more.length];
			System.arraycopy(bytes, 0, grown, 0, length);
			System.arraycopy(more, 0, grown, length, more.length);
			bytes = grown;
			length = grown.length;
		}
		if (length > this.maxBytes) {
			return null;
		}
		String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
		boolean doubtful = text.indexOf('\uFFFD') >= 0 && !isUtf8(bytes, length);
		return (doubtful || text.indexOf('\0') >= 0) ? null : text;
	}

	private static boolean isUtf8(byte[] bytes, int length) {
		try {
			StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
			return true;
		}
		catch (CharacterCodingException ex) {
			return false;
		}
	}

	private Found lines(String text) {
		List<String> lines = split(text);
		List<Match> matches = new ArrayList<>();
		int skipped = 0;
		for (int i = 0; i < lines.size() && matches.size() < this.maxMatches && !isLate(); i++) {
			if (this.query.skips(lines.get(i))) {
				skipped++;
				continue;
			}
			LineQuery.Span span = this.query.find(lines.get(i));
			if (span != null) {
				matches.add(match(lines, i, span));
			}
		}
		return new Found(matches, skipped);
	}

	private boolean isLate() {
		return System.nanoTime() - this.end > 0;
	}

	private static List<String> split(String text) {
		List<String> lines = new ArrayList<>();
		// A byte order mark is no text.
		int start = text.startsWith("\uFEFF") ? 1 : 0;
		for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
			lines.add(text.substring(start, (end > start && text.charAt(end - 1) == '\r') ? end - 1 : end));
			start = end + 1;
		}
		// Behind the last line end is no line.
		if (start < text.length()) {
			lines.add(text.substring(start));
		}
		return lines;
	}

	private Match match(List<String> lines, int index, LineQuery.Span span) {
		return new Match(index + 1, Excerpts.middle(lines.get(index), span.start(), span.end(), EXCERPT),
				around(lines, Math.max(0, index - this.context), index),
				around(lines, index + 1, Math.min(lines.size(), index + 1 + this.context)));
	}

	private static List<String> around(List<String> lines, int from, int to) {
		List<String> shown = new ArrayList<>();
		for (int i = from; i < to; i++) {
			shown.add(Excerpts.middle(lines.get(i), 0, 0, EXCERPT));
		}
		return shown;
	}

	/**
	 * What is in a file.
	 *
	 * @param matches the lines that match, at most as many as are wanted
	 * @param skippedLines how many lines were too long
	 */
	record Found(List<Match> matches, int skippedLines) {

		static final Found NOTHING = new Found(List.of(), 0);

		/**
		 * Returns how much it holds.
		 * @return the characters of all lines
		 */
		long size() {
			return this.matches.stream().mapToLong(Match::size).sum();
		}

	}

	/**
	 * A line that matches.
	 *
	 * @param line its number, from 1
	 * @param text an excerpt around the match
	 * @param before lines before it
	 * @param after lines after it
	 */
	record Match(int line, String text, List<String> before, List<String> after) {

		private long size() {
			return this.text.length() + this.before.stream().mapToLong(String::length).sum()
					+ this.after.stream().mapToLong(String::length).sum();
		}

	}

}
