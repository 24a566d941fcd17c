package io.sandbox4j.tools;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a model nearly got right is told, with the line.
 */
class NearMissTests {

	@ParameterizedTest
	@ValueSource(strings = { "    if (x) {\n      y();", "if  (x)  {\n\ty();", "if (x) {  \n\ty();",
			"if (x) {\n\n\ty();", "  if (x) {\n\ty();\n  }\n", "if (x) {\n\ty();\n}   \n\n", "if (x) { y(); }",
			"if (x) {\r\n  y();", "if\u00a0(x) {\n\ty();" })
	void otherWhitespaceIsToldWithTheLine(String oldText) {
		EditFailure failure = fail("a\nb\n\tif (x) {\n\t\ty();\n\t}\n", oldText);
		assertThat(failure).hasMessageContaining("A near match at line 3 differs in whitespace");
		assertThat(failure.lines()).containsExactly(3);
		assertThat(failure.hint()).endsWith("Line 3 is: \tif (x) {");
	}

	@Test
	void blanksAtTheBordersOfTheFileAreWhitespaceToo() {
		assertThat(fail("foo\nbar", "  foo\n")).hasMessageContaining("line 1 differs in whitespace");
		assertThat(fail("foo\nbar", "bar\n\n")).hasMessageContaining("line 2 differs in whitespace");
		assertThat(fail("\n\n  foo", "\n foo")).hasMessageContaining("line 3 differs in whitespace");
	}

	@Test
	void aLongerWordIsNoMatterOfWhitespace() {
		assertThat(fail("foobar", "foo ")).hasMessageContaining("nothing like it");
	}

	@Test
	void blanksAloneAreNearNothing() {
		assertThat(fail("a b\nc", "   \n  ")).hasMessageContaining("nothing like it");
	}

	@Test
	void otherLettersCaseIsToldWithTheLine() {
		EditFailure failure = fail("a\r\nString Name;\r\nint \u00c4;\r\n", "string name;\nINT \u00e4;");
		assertThat(failure).hasMessageContaining("A near match at line 2 differs in upper and lower case");
		assertThat(failure.hint()).endsWith("Line 2 is: String Name;");
	}

	@Test
	void caseOfOtherPlanesIsFoldedToo() {
		assertThat(fail("x\n\ud801\udc00\n", "\ud801\udc28")).hasMessageContaining("line 2 differs in upper");
	}

	@Test
	void typographicQuotesAndDashesAreTold() {
		assertThat(fail("a\nsay(\u201chi\u201d) \u2014 it\u2019s\n", "say(\"hi\") - it's"))
			.hasMessageContaining("A near match at line 2 differs in the kind of quotes or dashes");
		assertThat(fail("a\nsay(\"hi\") - it's\n", "say(\u201chi\u201d) \u2013 it\u2019s"))
			.hasMessageContaining("A near match at line 2 differs in the kind of quotes or dashes");
	}

	@Test
	void otherEncodingsOfAccentsAreTold() {
		assertThat(fail("a\r\ncafe\u0301\r\nb\r\n", "caf\u00e9\nb")).hasMessageContaining("A near match at line 2");
		assertThat(fail("a\ncaf\u00e9\n", "cafe\u0301")).hasMessageContaining("how accents are encoded");
		assertThat(fail("\u0958 \u0958\nx\n\u1e9b\u0323", "\u017f\u0323\u0307"))
			.hasMessageContaining("A near match at line 3");
	}

	@Test
	void whitespaceComesBeforeCase() {
		assertThat(fail("A B\na  b\n", "a b")).hasMessageContaining("line 2 differs in whitespace");
	}

	@Test
	void aFirstLineIsToldWithWhereTheRestDiffers() {
		EditFailure failure = fail("x\nvoid f() {\n\ta();\n\tb();\n}\n", "void f() {\n\ta();\n\tc();\n}\n");
		assertThat(failure)
			.hasMessageContaining("The first line of oldText is at line 2, but what follows differs from line 4 on.");
		assertThat(failure.lines()).containsExactly(2);
		assertThat(failure.hint()).endsWith("Line 4 is: \tb();");
	}

	@Test
	void thePlaceWhereMostFollowsIsTaken() {
		assertThat(fail("if {\nq\nif {\na\nb\nc\nif {\na\n", "if {\na\nb\nd\n"))
			.hasMessageContaining("is at line 3, but what follows differs from line 6 on");
	}

	@Test
	void leadingBlankLinesAreNoFirstLine() {
		assertThat(fail("a\r\n  foo\r\nbar\r\n", "\n\n\tfoo\nqux\n"))
			.hasMessageContaining("is at line 2, but what follows differs from line 3 on");
	}

	@Test
	void aFileThatEndsTooEarlyIsTold() {
		assertThat(fail("x\nfoo\nbar\n", "foo\nbar\nbaz\n"))
			.hasMessageContaining("The first line of oldText is at line 2, but the file ends where oldText goes on.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "2\tfoo\n3\tbar", "     2\tfoo\n     3\tbar\n", "  2| foo\n  3| bar", "2|foo\n3|bar",
			"2: foo\n3: bar\n", "2\u2192foo\n3\u2192bar", "9\tfoo\r\n10\tbar", "000000002\tfoo", "999999999\tbar" })
	void lineNumbersInOldTextAreTold(String oldText) {
		EditFailure failure = fail("x\n  foo\n  bar\n", oldText);
		assertThat(failure).hasMessageContaining("Every line of oldText starts with a line number");
		assertThat(failure.hint()).contains("Leave the line numbers");
		assertThat(failure.lines()).hasSize(1).first().isIn(2, 3);
	}

	@Test
	void lineNumbersOfTextThatIsNotThereAreToldToo() {
		EditFailure failure = fail("x\n", "1\tfoo\n2\tbar\n");
		assertThat(failure).hasMessageContaining("looks like a line number");
		assertThat(failure.lines()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "2\tfoo\nbar", "3\tfoo\n3\tbar", "3\tfoo\n2\tbar", "2 foo\n3 bar", "\tfoo", "2",
			"1234567890\tfoo", "-2\tfoo", "2\tfoo\n\n3\tbar", "\u0662\tfoo" })
	void otherNumbersAreNoLineNumbers(String oldText) {
		assertThat(fail("x\ny\n", oldText)).hasMessageContaining("nothing like it");
	}

	@Test
	void dataThatStartsWithNumbersIsStillCompared() {
		assertThat(fail("1 a\n2 b\n", "1\ta\n2\tb\n")).hasMessageContaining("line 1 differs in whitespace");
	}

	@Test
	void aHintQuotesLittleOfTheFile() {
		String line = "foo(" + "x".repeat(500) + ")";
		EditFailure failure = fail(line, "FOO(" + "x".repeat(500) + ")");
		assertThat(failure.hint()).endsWith("Line 1 starts with: " + line.substring(0, 120));
	}

	@Test
	void aHintDoesNotCutACharacter() {
		String line = "x".repeat(119) + "\ud83d\ude00y";
		assertThat(fail(line, line.toUpperCase(Locale.ROOT)).hint()).endsWith(": " + "x".repeat(119));
	}

	@Test
	void aLineOfTheLongestQuoteIsQuotedWhole() {
		String line = "x".repeat(120);
		assertThat(fail(line + "\r\na", "X".repeat(120)).hint()).contains("Line 1 ").contains(line);
		assertThat(fail(line + "\na", "X".repeat(120)).hint()).endsWith("Line 1 is: " + line);
	}

	@Test
	void aHintDoesNotDriveATerminal() {
		assertThat(fail("\u001b[2Jfoo\u0007\u009b\t1", "FOO").hint()).endsWith("Line 1 is: [2Jfoo\t1");
	}

	@Test
	void aByteOrderMarkDoesNotHideANearMiss() {
		assertThat(fail("\ufeffFoo\n", "\ufefffoo")).hasMessageContaining("line 1 differs in upper and lower case");
	}

	private static EditFailure fail(String content, String oldText) {
		EditFailure failure = Failures.of(content.getBytes(StandardCharsets.UTF_8),
				List.of(new TextEdit(oldText, "new", false)));
		assertThat(failure.kind()).isEqualTo(EditFailure.Kind.NOT_FOUND);
		return failure;
	}

}
