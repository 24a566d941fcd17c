package io.sandbox4j.tools;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The line ends of a file survive a model that knows LF only.
 */
class LineEndsTests {

	@ParameterizedTest
	@ValueSource(strings = { "b\nc", "b\r\nc" })
	void oldTextMatchesEitherKind(String oldText) throws Exception {
		assertEdit("a\r\nb\r\nc\r\n", oldText, "x", "a\r\nx\r\n");
		assertEdit("a\nb\nc\n", oldText, "x", "a\nx\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "x\ny\nz", "x\r\ny\r\nz", "x\r\ny\nz" })
	void newTextGetsTheLineEndsOfWhatItReplaces(String newText) throws Exception {
		assertEdit("a\r\nb\r\nc\r\n", "a\nb", newText, "x\r\ny\r\nz\r\nc\r\n");
		assertEdit("a\r\nb\r\nc\r\n", "a\r\nb", newText, "x\r\ny\r\nz\r\nc\r\n");
		assertEdit("a\nb\nc\n", "a\nb", newText, "x\ny\nz\nc\n");
		assertEdit("a\nb\nc\n", "a\r\nb", newText, "x\ny\nz\nc\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "x\ny", "x\r\ny" })
	void withoutALineEndThatOfItsLineDecides(String newText) throws Exception {
		assertEdit("a\r\nb\r\n", "a", newText, "x\r\ny\r\nb\r\n");
		assertEdit("a\nb\n", "a", newText, "x\ny\nb\n");
		assertEdit("a\nb\r\nc\nd\n", "b", newText, "a\nx\r\ny\r\nc\nd\n");
		assertEdit("a\r\nb\nc\r\nd\r\n", "b", newText, "a\r\nx\ny\nc\r\nd\r\n");
	}

	@Test
	void theLastLineTakesThatOfTheLineBefore() throws Exception {
		assertEdit("a\r\nb", "b", "x\ny", "a\r\nx\r\ny");
		assertEdit("a\nb", "b", "x\r\ny", "a\nx\ny");
		assertEdit("a\nb\r\nc", "c", "x\ny\n", "a\nb\r\nx\r\ny\r\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "x\ny\n", "x\r\ny\r\n", "x\r\ny\n" })
	void aFileWithoutLineEndsTakesThemAsTheyCome(String newText) throws Exception {
		assertEdit("ab", "b", newText, "a" + newText);
	}

	@Test
	void oneLineOfAHundredChangesAlone() throws Exception {
		StringBuilder content = new StringBuilder();
		for (int i = 1; i <= 100; i++) {
			content.append("line ").append(i).append(";\r\n");
		}
		EditPlan plan = plan(content.toString(), "line 57;\n", "one\ntwo\n");
		assertThat(text(plan)).isEqualTo(content.toString().replace("line 57;\r\n", "one\r\ntwo\r\n"));
		assertThat(plan.changed()).containsExactly(new LineRange(57, 58));
	}

	@Test
	void aMixedFileKeepsItsOtherLines() throws Exception {
		assertEdit("a\r\nb\nc\r\nd\n", "b\nc", "x\ny", "a\r\nx\ny\r\nd\n");
		assertEdit("a\r\nb\nc\r\nd\n\r\n", "c\nd", "x", "a\r\nb\nx\n\r\n");
	}

	@Test
	void aMixedPieceKeepsTheEndsOfLinesThatStay() throws Exception {
		assertEdit("a\r\nb\nc\r\n", "a\nb\nc\n", "a\nB\nc\n", "a\r\nB\nc\r\n");
		assertEdit("a\r\nb\nc\r\n", "a\nb\nc\n", "a\nB1\nB2\nc\n", "a\r\nB1\nB2\nc\r\n");
		assertEdit("a\nb\r\nc\n", "a\nb\nc\n", "a\nc\n", "a\nc\n");
		assertEdit("a\r\nb\n", "a\nb\n", "a\nx\nb\n", "a\r\nx\r\nb\n");
		assertEdit("a\nb\r\n", "a\nb\n", "x\n", "x\n");
		assertEdit("a\nb\r\nc", "a\nb\nc", "x\ny\nz\n", "x\ny\r\nz\r\n");
	}

	@Test
	void anExactMatchComesFirst() throws Exception {
		assertEdit("a\r\nb\r\na\nb\n", "a\nb", "x", "a\r\nb\r\nx\n");
		assertEdit("a\r\nb\r\na\nb\n", "a\r\nb", "x", "x\r\na\nb\n");
	}

	@Test
	void allMeansAllExactOnesIfThereAreAny() throws Exception {
		EditPlan plan = EditPlan.of(utf8("a\r\nb\r\na\nb\na\nb\n"), List.of(new TextEdit("a\nb", "x", true)));
		assertThat(text(plan)).isEqualTo("a\r\nb\r\nx\nx\n");
	}

	@Test
	void aMatchIsNeverHalfALineEnd() throws Exception {
		assertEdit("a\r\nb\r\n", "\nb", "\nc", "a\r\nc\r\n");
		assertEdit("a\r\nb\r\n", "\nb", "x\nc", "ax\r\nc\r\n");
		assertEdit("a\r\nb\r\n", "\nb", "", "a\r\n");
		assertEdit("a\r\nb", "\n", "", "ab");
		assertEdit("a\r\nb\nc", "\n", "", "a\r\nbc");
	}

	@Test
	void everyLineEndCanBeReplaced() throws Exception {
		EditPlan plan = EditPlan.of(utf8("a\r\n\r\nb\r\n"), List.of(new TextEdit("\n", "\n\n", true)));
		assertThat(text(plan)).isEqualTo("a\r\n\r\n\r\n\r\nb\r\n\r\n");
	}

	@Test
	void aLoneCarriageReturnIsACharacter() throws Exception {
		assertEdit("a\rb\rc", "b", "x\ry", "a\rx\ry\rc");
		assertEdit("a\rb\nc", "a\rb", "x\ny", "x\ny\nc");
		assertEdit("a\r\r\nb", "\r\nb", "\nc", "a\r\r\nc");
	}

	@Test
	void aTrailingCarriageReturnIsTakenAsItIs() throws Exception {
		assertEdit("a\r\nb\r\n", "a\r", "x\r", "x\r\nb\r\n");
	}

	@Test
	void otherLineSeparatorsAreCharacters() throws Exception {
		assertEdit("a\u2028b\u0085c\fd\n", "b", "x\u2029", "a\u2028x\u2029\u0085c\fd\n");
	}

	@Test
	void aBomIsNoPartOfALineEnd() throws Exception {
		assertEdit("\ufeff\r\na", "\na", "\nb", "\ufeff\r\nb");
		assertEdit("\ufeff\na", "\r\na", "\r\nb", "\ufeff\nb");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\r\nb\r\n", "a\nb\n", "a\nb\r\n" })
	void otherLineEndsAloneAreNoChange(String content) {
		for (String oldText : List.of("a\nb\n", "a\r\nb\r\n")) {
			for (String newText : List.of("a\nb\n", "a\r\nb\r\n")) {
				EditFailure failure = Failures.of(utf8(content), List.of(new TextEdit(oldText, newText, false)));
				assertThat(failure.kind()).isEqualTo(EditFailure.Kind.NOTHING_TO_DO);
			}
		}
	}

	private static void assertEdit(String content, String oldText, String newText, String expected) throws Exception {
		assertThat(text(plan(content, oldText, newText))).isEqualTo(expected);
	}

	private static EditPlan plan(String content, String oldText, String newText) throws EditFailure {
		return EditPlan.of(utf8(content), List.of(new TextEdit(oldText, newText, false)));
	}

	private static String text(EditPlan plan) {
		return new String(plan.result(), StandardCharsets.UTF_8);
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
