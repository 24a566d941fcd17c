package io.sandbox4j.tools;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A failure tells the model which edit failed, why, and what to do.
 */
class EditFailureTests {

	@ParameterizedTest
	@CsvSource({ "61ff62, 1", "c328, 0", "6161c3, 2", "c0af, 0", "eda080, 0", "f4908080, 0", "61e282, 1", "fffe6100, 0",
			"80, 0", "f8a1a1a1a1, 0" })
	void whatIsNotUtf8IsRefusedWithTheOffset(String hex, int offset) {
		EditFailure failure = Failures.of(bytes(hex), List.of(edit("a", "b")));
		assertThat(failure.kind()).isEqualTo(EditFailure.Kind.NOT_TEXT);
		assertThat(failure).hasMessageContaining("not valid UTF-8 text").hasMessageContaining("offset " + offset + " ");
		assertThat(failure.edit()).isEqualTo(EditFailure.NO_EDIT);
		assertThat(failure.hint()).isNotBlank();
	}

	@ParameterizedTest
	@CsvSource({ "00, 0", "610061, 1", "6100ff, 1", "efbbbf00, 3" })
	void aNulIsRefusedWithTheOffset(String hex, int offset) {
		EditFailure failure = Failures.of(bytes(hex), List.of(edit("a", "b")));
		assertThat(failure.kind()).isEqualTo(EditFailure.Kind.NOT_TEXT);
		assertThat(failure).hasMessageContaining("not valid UTF-8 text").hasMessageContaining("offset " + offset + ".");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "abc", "\ufeff" })
	void anEmptyOldTextIsRefused(String content) {
		EditFailure failure = fail(content, edit("", "b"));
		assertThat(failure.kind()).isEqualTo(EditFailure.Kind.EMPTY_OLD_TEXT);
		assertThat(failure.edit()).isZero();
		assertThat(failure.hint()).contains("write_file").contains("append");
	}

	@Test
	void theSameTextIsNoChange() {
		EditFailure failure = fail("abc", edit("b", "b"));
		assertThat(failure.kind()).isEqualTo(EditFailure.Kind.NOTHING_TO_DO);
		assertThat(failure).hasMessageContaining("no change");
		assertThat(failure.edit()).isZero();
	}

	@Test
	void oneEditWithoutChangeFailsThemAll() {
		EditFailure failure = fail("abc", edit("a", "x"), edit("b", "b"));
		assertThat(failure.kind()).isEqualTo(EditFailure.Kind.NOTHING_TO_DO);
		assertThat(failure.edit()).isEqualTo(1);
	}

	@Test
	void editsThatUndoEachOtherAreNoChange() {
		EditFailure failure = fail("abc", edit("a", "x"), edit("x", "a"));
		assertThat(failure.kind()).isEqualTo(EditFailure.Kind.NOTHING_TO_DO);
		assertThat(failure.edit()).isEqualTo(EditFailure.NO_EDIT);
	}

	@Test
	void noEditsAreNoChange() {
		assertThat(fail("abc").kind()).isEqualTo(EditFailure.Kind.NOTHING_TO_DO);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a", "xyz", "\ufeff" })
	void whatIsNotThereIsNotFound(String content) {
		EditFailure failure = fail(content, edit("q", "r"));
		assertThat(failure.kind()).isEqualTo(EditFailure.Kind.NOT_FOUND);
		assertThat(failure).hasMessage("oldText was not found, and nothing like it.");
		assertThat(failure.hint()).contains("Read the file again");
		assertThat(failure.lines()).isEmpty();
		assertThat(failure.occurrences()).isZero();
	}

	@Test
	void replacingAllNeedsOneAtLeast() {
		assertThat(Failures.of(utf8("abc"), List.of(new TextEdit("x", "y", true))).kind())
			.isEqualTo(EditFailure.Kind.NOT_FOUND);
	}

	@Test
	void anAmbiguousTextIsToldWithItsLines() {
		EditFailure failure = fail("a\nb a\n\na", edit("a", "x"));
		assertThat(failure.kind()).isEqualTo(EditFailure.Kind.AMBIGUOUS);
		assertThat(failure.occurrences()).isEqualTo(3);
		assertThat(failure.lines()).containsExactly(1, 2, 4);
		assertThat(failure).hasMessage("oldText occurs 3 times, at lines 1, 2, 4.");
		assertThat(failure.hint()).contains("replaceAll");
	}

	@Test
	void onlyTheFirstTenLinesAreTold() {
		EditFailure failure = fail("\na".repeat(12), edit("a", "x"));
		assertThat(failure.occurrences()).isEqualTo(12);
		assertThat(failure.lines()).containsExactly(2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
		assertThat(failure).hasMessageContaining("12 times, the first 10 at lines 2, 3");
	}

	@Test
	void tenOccurrencesAreAllTold() {
		EditFailure failure = fail("a\n".repeat(10), edit("a", "x"));
		assertThat(failure.lines()).hasSize(10).endsWith(10);
		assertThat(failure).hasMessage("oldText occurs 10 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10.");
	}

	@Test
	void anAmbiguityOfEqualLineEndsIsToldToo() {
		EditFailure failure = fail("\ufeffa\r\nb\r\na\r\nb\r\n", edit("a\nb", "x"));
		assertThat(failure.kind()).isEqualTo(EditFailure.Kind.AMBIGUOUS);
		assertThat(failure.lines()).containsExactly(1, 3);
	}

	@Test
	void anEarlierEditCanMakeALaterOneAmbiguous() {
		EditFailure failure = fail("a\nb\n", edit("b", "a"), edit("a", "x"));
		assertThat(failure.kind()).isEqualTo(EditFailure.Kind.AMBIGUOUS);
		assertThat(failure.edit()).isEqualTo(1);
	}

	@Test
	void oneOfSeveralSaysThatNoneWasMade() {
		EditFailure failure = fail("abc", edit("a", "x"), edit("b", "y"), edit("q", "z"));
		assertThat(failure.edit()).isEqualTo(2);
		assertThat(failure).hasMessageStartingWith("edits[2] failed, so none of the edits was made: oldText was not");
	}

	@Test
	void linesAfterEarlierEditsAreCalledSo() {
		EditFailure failure = fail("b\nc\nc\n", edit("b", "b\nb"), edit("c", "z"));
		assertThat(failure.lines()).containsExactly(3, 4);
		assertThat(failure).hasMessageContaining("(lines are counted after the edits before it)");
	}

	@Test
	void aFileCannotGrowWithoutLimit() {
		TextEdit doubling = new TextEdit("a", "aa", true);
		EditFailure failure = Failures.of(utf8("a"), Collections.nCopies(64, doubling));
		assertThat(failure.kind()).isEqualTo(EditFailure.Kind.TOO_LARGE);
		assertThat(failure.edit()).isEqualTo(24);
		assertThat(failure).hasMessageContaining(String.valueOf(EditPlan.MAX_BYTES));
	}

	@Test
	void aLargeTextInManyPlacesIsRefusedBeforeItIsMade() {
		String large = "x".repeat(1 << 20);
		EditFailure failure = Failures.of(utf8("a".repeat(1 << 20)), List.of(new TextEdit("a", large, true)));
		assertThat(failure.kind()).isEqualTo(EditFailure.Kind.TOO_LARGE);
	}

	@Test
	void aFileBeyondTheLimitCanStillShrink() throws Exception {
		byte[] content = utf8("a".repeat(EditPlan.MAX_BYTES) + "bc");
		assertThat(EditPlan.of(content, List.of(edit("b", ""))).result()).hasSize(EditPlan.MAX_BYTES + 1);
		assertThat(Failures.of(content, List.of(edit("b", "xx"))).kind()).isEqualTo(EditFailure.Kind.TOO_LARGE);
	}

	private static EditFailure fail(String content, TextEdit... edits) {
		return Failures.of(utf8(content), List.of(edits));
	}

	private static TextEdit edit(String oldText, String newText) {
		return new TextEdit(oldText, newText, false);
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static byte[] bytes(String hex) {
		return HexFormat.of().parseHex(hex);
	}

}
