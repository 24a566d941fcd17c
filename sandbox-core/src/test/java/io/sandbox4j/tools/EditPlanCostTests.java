package io.sandbox4j.tools;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Text and edits that repeat themselves cost no more than others. What takes the product
 * of lengths would take minutes here; the limit has room for a busy machine.
 */
class EditPlanCostTests {

	private static final int MIB = 1 << 20;

	private static final String A = "a".repeat(MIB);

	private static final String HALF = "a".repeat(MIB / 2);

	@ParameterizedTest(name = "{0}")
	@MethodSource("attacks")
	@Timeout(value = 5, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void noTextIsSlow(String name, String content, TextEdit edit) {
		byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
		assertThat(made(bytes, edit)).isEqualTo(edit.replaceAll());
	}

	static Stream<Arguments> attacks() {
		return Stream.of(attack("absent at the end", A, HALF + "b"), attack("absent at the start", A, "b" + HALF),
				attack("absent in the middle", A, HALF.substring(1) + "b" + HALF), attack("one letter", A, "a"),
				attack("half", A, HALF), attack("long absent line", A + "\n" + A, HALF + "\nb"),
				attack("blanks", " ".repeat(MIB), " ".repeat(MIB / 2) + "b"),
				attack("blanks and letters", "a ".repeat(MIB / 2), "a  ".repeat(MIB / 4) + "b"),
				attack("lines", "a\n".repeat(MIB / 2), "a\n".repeat(MIB / 4) + "b"),
				attack("lines of CRLF", "a\r\n".repeat(MIB / 3), "a\n".repeat(MIB / 8) + "b"),
				attack("carriage returns", "\r".repeat(MIB), "\r".repeat(MIB / 2) + "\n"),
				attack("half line ends", "\r\n".repeat(MIB / 2), "\n".repeat(MIB / 8) + "b"),
				attack("numbers", "1\t\n".repeat(MIB / 3), "1\t".repeat(MIB / 4) + "\nb"),
				attack("marks out of order", "a" + "\u0301".repeat(MIB / 4) + "\u0316".repeat(MIB / 4), "\u00e9"),
				attack("marks in oldText", "\u00e9", "e" + "\u0301".repeat(MIB / 4) + "\u0316".repeat(MIB / 4)),
				attack("composed", "e\u0301".repeat(MIB / 3), "\u00e9".repeat(MIB / 4) + "b"),
				attack("expanding", "\u0958".repeat(MIB / 3), "\u0958".repeat(MIB / 8) + "b"),
				attack("faces", "\ud83d\ude00".repeat(MIB / 4), "\ud83d\ude00".repeat(MIB / 8) + "b"),
				attack("all deleted", A + "b", "a", ""), attack("all of a line", A, "a", "\nb"),
				attack("all of a line before the end", A + "\n", "a", "\nb"),
				attack("all line ends", "\r\n".repeat(MIB / 2), "\n", "x\n"),
				attack("all mixed pieces", "\r\n\n".repeat(MIB / 3), "\n\n", "x\ny\n"));
	}

	private static Arguments attack(String name, String content, String oldText) {
		return Arguments.of(name, content, new TextEdit(oldText, "new", false));
	}

	private static Arguments attack(String name, String content, String oldText, String newText) {
		return Arguments.of(name, content, new TextEdit(oldText, newText, true));
	}

	private static boolean made(byte[] content, TextEdit edit) {
		try {
			return EditPlan.of(content, List.of(edit)).replacements() > 0;
		}
		catch (EditFailure ex) {
			return false;
		}
	}

}
