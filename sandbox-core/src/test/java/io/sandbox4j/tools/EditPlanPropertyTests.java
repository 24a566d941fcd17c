package io.sandbox4j.tools;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random edits of random texts do what a replacement in a string does.
 */
class EditPlanPropertyTests {

	private static final int ROUNDS = 20_000;

	private static final String[] LETTERS = { "a", "b", "\n", " ", "$1", "\\", "\u00e9", "\u20ac", "\ud83d\ude00",
			"\t" };

	private final Random random = new Random(20240607);

	@Test
	void textOfOneLineEndIsReplacedAsAString() {
		int made = 0;
		for (int i = 0; i < ROUNDS; i++) {
			String content = text(this.random.nextInt(40));
			List<TextEdit> edits = edits(content);
			String expected = replaced(content, edits);
			boolean done = assertSame(content, edits, expected);
			String dos = content.replace("\n", "\r\n");
			String dosExpected = (expected != null && content.contains("\n")) ? expected.replace("\n", "\r\n")
					: expected;
			if (content.contains("\n") && everyStepHasALine(content, edits)) {
				assertSame(dos, edits, dosExpected);
			}
			made += done ? 1 : 0;
		}
		assertThat(made).isGreaterThan(ROUNDS / 10);
	}

	@Test
	void bytesOutsideTheChangedLinesStay() {
		int made = 0;
		for (int i = 0; i < ROUNDS; i++) {
			String content = mixed(text(this.random.nextInt(60)));
			EditPlan plan = planOrNull(content, edits(content));
			if (plan == null) {
				continue;
			}
			made++;
			assertUntouchedLinesStay(content, plan);
		}
		assertThat(made).isGreaterThan(ROUNDS / 10);
	}

	private static void assertUntouchedLinesStay(String content, EditPlan plan) {
		List<String> before = lines(content);
		List<String> after = lines(new String(plan.result(), StandardCharsets.UTF_8));
		List<LineRange> changed = plan.changed();
		int next = 0;
		int line = 1;
		for (LineRange range : changed) {
			assertThat(range.first()).isBetween(line, range.last());
			assertThat(range.last()).isLessThanOrEqualTo(after.size());
			next = assertFollow(before, next, after.subList(line - 1, range.first() - 1), line == 1);
			line = range.last() + 1;
		}
		if (!changed.isEmpty()) {
			List<String> rest = after.subList(line - 1, after.size());
			assertThat(before.subList(next, before.size())).endsWith(rest.toArray(String[]::new));
		}
	}

	private static int assertFollow(List<String> before, int from, List<String> lines, boolean atStart) {
		if (lines.isEmpty()) {
			return from;
		}
		for (int start = from; start + lines.size() <= before.size(); start++) {
			if (before.subList(start, start + lines.size()).equals(lines)) {
				assertThat(!atStart || start == 0).isTrue();
				return start + lines.size();
			}
		}
		throw new AssertionError("Lines that were not touched are gone: " + lines + " of " + before);
	}

	private static boolean assertSame(String content, List<TextEdit> edits, String expected) {
		EditPlan plan = planOrNull(content, edits);
		if (expected == null) {
			assertThat(plan).as("%s %s", content, edits).isNull();
			return false;
		}
		assertThat(plan).as("%s %s", content, edits).isNotNull();
		assertThat(new String(plan.result(), StandardCharsets.UTF_8)).as("%s %s", content, edits).isEqualTo(expected);
		return true;
	}

	private static EditPlan planOrNull(String content, List<TextEdit> edits) {
		byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
		byte[] copy = bytes.clone();
		try {
			return EditPlan.of(bytes, edits);
		}
		catch (EditFailure ex) {
			return null;
		}
		finally {
			assertThat(Arrays.equals(bytes, copy)).isTrue();
		}
	}

	private static String replaced(String content, List<TextEdit> edits) {
		String text = content;
		for (TextEdit edit : edits) {
			int first = text.indexOf(edit.oldText());
			boolean twice = first >= 0 && text.indexOf(edit.oldText(), first + edit.oldText().length()) >= 0;
			String next = text.replace(edit.oldText(), edit.newText());
			if (first < 0 || (twice && !edit.replaceAll()) || next.equals(text)) {
				return null;
			}
			text = next;
		}
		return text.equals(content) ? null : text;
	}

	// A text that has lost its last line end no longer says which kind it had.
	private static boolean everyStepHasALine(String content, List<TextEdit> edits) {
		String text = content;
		for (TextEdit edit : edits) {
			if (!text.contains("\n")) {
				return false;
			}
			text = text.replace(edit.oldText(), edit.newText());
		}
		return true;
	}

	private List<TextEdit> edits(String content) {
		List<TextEdit> edits = new ArrayList<>();
		int count = 1 + this.random.nextInt(3);
		for (int i = 0; i < count; i++) {
			edits.add(new TextEdit(piece(content), text(this.random.nextInt(6)), this.random.nextBoolean()));
		}
		return edits;
	}

	private String piece(String content) {
		String plain = content.replace("\r\n", "\n");
		int length = 1 + this.random.nextInt(8);
		int start = this.random.nextInt(plain.length() + 1);
		String piece = plain.substring(start, Math.min(plain.length(), start + length));
		boolean cut = piece.isEmpty() || Character.isLowSurrogate(piece.charAt(0))
				|| Character.isHighSurrogate(piece.charAt(piece.length() - 1));
		return cut ? "a" : piece;
	}

	private String text(int length) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < length; i++) {
			text.append(LETTERS[this.random.nextInt(LETTERS.length)]);
		}
		return text.toString();
	}

	private String mixed(String text) {
		StringBuilder mixed = new StringBuilder();
		for (char c : text.toCharArray()) {
			mixed.append((c == '\n' && this.random.nextBoolean()) ? "\r" : "").append(c);
		}
		return mixed.toString();
	}

	private static List<String> lines(String text) {
		List<String> lines = new ArrayList<>(Arrays.asList(text.split("(?<=\n)")));
		lines.removeIf(String::isEmpty);
		return lines;
	}

}
