package io.sandbox4j.tools;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Every byte that no edit replaces stays as it is.
 */
class EditPlanTests {

	private static final String BOM = "\ufeff";

	@Test
	void theOneOccurrenceIsReplaced() throws Exception {
		EditPlan plan = plan("a\nb\nc\n", edit("b", "B"));
		assertResult(plan, "a\nB\nc\n");
		assertThat(plan.replacements()).isEqualTo(1);
		assertThat(plan.changed()).containsExactly(new LineRange(2, 2));
	}

	@Test
	void theGivenContentIsLeftAlone() throws Exception {
		byte[] content = utf8("abc");
		EditPlan plan = EditPlan.of(content, List.of(edit("b", "B")));
		plan.result()[0] = 'x';
		assertThat(content).isEqualTo(utf8("abc"));
		assertResult(plan, "aBc");
	}

	@Test
	void theWholeFileCanBeReplaced() throws Exception {
		assertResult(plan("a\nb", edit("a\nb", "c")), "c");
	}

	@Test
	void theWholeFileCanBeDeleted() throws Exception {
		EditPlan plan = plan("a\nb\n", edit("a\nb\n", ""));
		assertResult(plan, "");
		assertThat(plan.changed()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "$1", "$&", "$$", "${x}", "\\", "\\1", "\\n", "%s", "%n", "\\Q", "\\E", "#{x}", "(?i)" })
	void newTextIsLiteral(String text) throws Exception {
		assertResult(plan("a(b)c", edit("(b)", text)), "a" + text + "c");
	}

	@ParameterizedTest
	@ValueSource(strings = { ".*", "$1", "\\", "(", "[a", "\\Q", "\\E", "^", "a{2}", "%s", "*" })
	void oldTextIsLiteral(String text) throws Exception {
		assertResult(plan("<" + text + ">", edit(text, "x")), "<x>");
	}

	@Test
	void textOfAnyPlaneIsFound() throws Exception {
		assertResult(plan("a\u00e9\u20ac\ud83d\ude00z", edit("\u20ac\ud83d\ude00", "\ud83d\ude01\u00e8")),
				"a\u00e9\ud83d\ude01\u00e8z");
	}

	@Test
	void editsApplyInSequence() throws Exception {
		EditPlan plan = plan("a\n", edit("a", "b"), edit("b", "c\nd"), edit("d", "e"));
		assertResult(plan, "c\ne\n");
		assertThat(plan.replacements()).isEqualTo(3);
		assertThat(plan.changed()).containsExactly(new LineRange(1, 2));
	}

	@Test
	void everyOccurrenceIsReplacedWhenAsked() throws Exception {
		EditPlan plan = plan("a\nb\na\na\n", all("a", "xy"));
		assertResult(plan, "xy\nb\nxy\nxy\n");
		assertThat(plan.replacements()).isEqualTo(3);
		assertThat(plan.changed()).containsExactly(new LineRange(1, 1), new LineRange(3, 4));
	}

	@Test
	void aSingleOccurrenceIsEnoughForAll() throws Exception {
		assertThat(plan("ab", all("a", "")).replacements()).isEqualTo(1);
	}

	@Test
	void whatWasInsertedIsNotSearchedAgain() throws Exception {
		assertResult(plan("aa", all("a", "aa")), "aaaa");
	}

	@ParameterizedTest
	@CsvSource({ "aaa, aa, b, ba", "aaaa, aa, b, bb", "ababa, aba, x, xba", "abababa, aba, x, xbx",
			"aabaabaa, aabaa, x, xbaa" })
	void overlappingOccurrencesCountOnceFromTheLeft(String content, String oldText, String newText, String result)
			throws Exception {
		assertResult(plan(content, all(oldText, newText)), result);
	}

	@Test
	void anOccurrenceThatOnlyOverlapsIsNotAmbiguous() throws Exception {
		assertResult(plan("aaa", edit("aa", "b")), "ba");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\nb", "a\nb\n", "a\nb\n\n", "a\r\nb", "a\r\nb\r\n", "a\rb" })
	void theFinalNewlineIsNeitherAddedNorDropped(String content) throws Exception {
		assertResult(plan(content, edit("b", "c")), content.replace("b", "c"));
	}

	@Test
	void aFinalNewlineGoesWhenItIsAskedFor() throws Exception {
		assertResult(plan("a\nb\n", edit("b\n", "b")), "a\nb");
		assertResult(plan("a\nb", edit("b", "b\n")), "a\nb\n");
	}

	@Test
	void aBomStaysWhereItIs() throws Exception {
		EditPlan plan = plan(BOM + "abc", edit("a", "x"));
		assertResult(plan, BOM + "xbc");
		assertThat(plan.changed()).containsExactly(new LineRange(1, 1));
	}

	@Test
	void aBomStaysWhenEverythingElseGoes() throws Exception {
		assertResult(plan(BOM + "abc", edit("abc", "")), BOM);
		assertResult(plan(BOM + "abc", edit(BOM + "abc", "")), BOM);
	}

	@ParameterizedTest
	@CsvSource({ "false, false", "false, true", "true, false", "true, true" })
	void aBomInEitherTextIsDroppedAtTheStart(boolean inOld, boolean inNew) throws Exception {
		TextEdit edit = edit((inOld ? BOM : "") + "ab", (inNew ? BOM : "") + "x");
		assertResult(plan(BOM + "abc", edit), BOM + "xc");
		assertResult(plan("abc", edit), "xc");
	}

	@Test
	void noSecondBomIsMade() throws Exception {
		assertResult(plan(BOM + "abc", edit("a", BOM + BOM + "x")), BOM + "xbc");
	}

	@Test
	void aBomInOldTextBindsItToTheStart() throws Exception {
		assertResult(plan("ab\nab\n", edit(BOM + "ab", "x")), "x\nab\n");
		assertFails(EditFailure.Kind.NOT_FOUND, "cab", edit(BOM + "ab", "x"));
	}

	@Test
	void aByteOrderMarkInTheMiddleIsUntouched() throws Exception {
		assertResult(plan(BOM + "a" + BOM + "b" + BOM, edit("b", "c")), BOM + "a" + BOM + "c" + BOM);
		assertResult(plan("a" + BOM + "b", edit(BOM, "")), "ab");
		assertResult(plan("a", edit("a", "b" + BOM)), "b" + BOM);
		assertResult(plan("ab", edit("b", BOM)), "a" + BOM);
	}

	@Test
	void theBomItselfIsNoText() {
		assertFails(EditFailure.Kind.EMPTY_OLD_TEXT, BOM + "a", edit(BOM, ""));
		assertFails(EditFailure.Kind.EMPTY_OLD_TEXT, "a", edit(BOM, "x"));
		assertFails(EditFailure.Kind.NOT_FOUND, "a", edit(BOM + BOM, "x"));
	}

	@Test
	void aNewTextThatOnlyAddsABomIsNoChange() {
		assertFails(EditFailure.Kind.NOTHING_TO_DO, "abc", edit("a", BOM + "a"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "\ud800", "\udc00", "a\ud83d", "\ude00\ud83d", "\ud83dx\ude00" })
	void halfASurrogatePairCannotBeWritten(String newText) {
		assertThatIllegalArgumentException().isThrownBy(() -> plan("abc", edit("b", "x"), edit("c", newText)))
			.withMessageContaining("edits[1]")
			.withMessageContaining("surrogate");
	}

	@Test
	void aNulCannotBeWritten() {
		assertThatIllegalArgumentException().isThrownBy(() -> plan("abc", edit("b", "x\0")))
			.withMessageContaining("edits[0]");
	}

	// The encoder would make a question mark of it.
	@Test
	void halfASurrogatePairIsNotFoundAsSomethingElse() {
		assertFails(EditFailure.Kind.NOT_FOUND, "a?", edit("a\ud83d", "x"));
		assertFails(EditFailure.Kind.NOT_FOUND, "a\ud83d\ude00", edit("a\ud83d", "x"));
		assertFails(EditFailure.Kind.NOT_FOUND, "a\ud83d\ude00", edit("\ude00", "x"));
	}

	@Test
	void deletedLinesAreReportedWhereTheyWere() throws Exception {
		assertThat(plan("a\nb\nc\n", edit("b\n", "")).changed()).containsExactly(new LineRange(2, 2));
		assertThat(plan("a\nb\nc\n", edit("c\n", "")).changed()).containsExactly(new LineRange(2, 2));
		assertThat(plan("a\nb\nc", edit("\nc", "")).changed()).containsExactly(new LineRange(2, 2));
		assertThat(plan("a\nb\nc", edit("b\nc", "")).changed()).containsExactly(new LineRange(1, 1));
	}

	@Test
	void wholeLinesDoNotTouchTheNextOne() throws Exception {
		assertThat(plan("a\nb\nc\n", edit("a\n", "x\ny\n")).changed()).containsExactly(new LineRange(1, 2));
		assertThat(plan("a\r\nb\r\nc\r\n", edit("a\n", "x\ny\n")).changed()).containsExactly(new LineRange(1, 2));
	}

	@Test
	void aLineThatIsSplitOrJoinedIsTouched() throws Exception {
		assertThat(plan("ab\nc\n", edit("a", "a\n")).changed()).containsExactly(new LineRange(1, 2));
		assertThat(plan("a\nb\nc\n", edit("a\n", "x")).changed()).containsExactly(new LineRange(1, 1));
	}

	@Test
	void rangesThatAdjoinAreMerged() throws Exception {
		assertThat(plan("a\nb\nc\nd\ne\n", edit("b", "B"), edit("a", "A"), edit("e", "E")).changed())
			.containsExactly(new LineRange(1, 2), new LineRange(5, 5));
	}

	@Test
	void rangesMoveWithLaterEdits() throws Exception {
		EditPlan plan = plan("a\nb\nc\nd\ne\n", edit("d", "D"), edit("a", "1\n2\n3"), edit("b\n", ""));
		assertResult(plan, "1\n2\n3\nc\nD\ne\n");
		assertThat(plan.changed()).containsExactly(new LineRange(1, 5));
		EditPlan apart = plan("a\nb\nc\nd\ne\n", edit("e", "E"), edit("a", "1\n2\n3"));
		assertThat(apart.changed()).containsExactly(new LineRange(1, 3), new LineRange(7, 7));
	}

	@Test
	void whatAnEarlierEditTouchedAndALaterDeletedIsGone() throws Exception {
		EditPlan plan = plan("a\nb\nc\nd\n", edit("b", "x\ny\nz"), edit("x\ny\nz\n", ""), edit("d", "D"));
		assertResult(plan, "a\nc\nD\n");
		assertThat(plan.changed()).containsExactly(new LineRange(2, 3));
	}

	private static EditPlan plan(String content, TextEdit... edits) throws EditFailure {
		return EditPlan.of(utf8(content), List.of(edits));
	}

	private static TextEdit edit(String oldText, String newText) {
		return new TextEdit(oldText, newText, false);
	}

	private static TextEdit all(String oldText, String newText) {
		return new TextEdit(oldText, newText, true);
	}

	private static void assertResult(EditPlan plan, String expected) {
		assertThat(plan.result()).isEqualTo(utf8(expected));
	}

	private static void assertFails(EditFailure.Kind kind, String content, TextEdit... edits) {
		assertThat(Failures.of(utf8(content), List.of(edits)).kind()).isEqualTo(kind);
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
