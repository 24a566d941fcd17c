package io.sandbox4j.git;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commits as a guest may have written them.
 */
class CommitTextTests {

	private static AgentCommit parse(String raw) {
		return CommitText.parse("1".repeat(40), raw.getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void aCommitHasAuthorTimeSubjectAndBody() {
		AgentCommit commit = parse("""
				tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904
				author A U Thor <a@example.org> 1700000000 +0100
				committer C <c@example.org> 1800000000 +0000
				gpgsig -----BEGIN PGP SIGNATURE-----
				 author X <x@example.org> 1 +0000

				Repair the parser
				and its tests

				It read one byte
				too many.

				Really.
				""");
		assertThat(commit.author()).isEqualTo("A U Thor <a@example.org>");
		assertThat(commit.time()).isEqualTo(Instant.ofEpochSecond(1_700_000_000));
		assertThat(commit.subject()).isEqualTo("Repair the parser and its tests");
		assertThat(commit.body()).isEqualTo("It read one byte\ntoo many.\n\nReally.");
	}

	@Test
	void nothingThatATerminalActsOnIsLeft() {
		AgentCommit commit = parse(
				"author \u001b[2JA <a@b> 1 +0000\n\n\u001b]0;t\u0007s\rx\u202Ey\u0085\n\nb\u0000\b\u2066c\td\n");
		assertThat(commit.author()).isEqualTo("\uFFFD[2JA <a@b>");
		assertThat(commit.subject()).isEqualTo("\uFFFD]0;t\uFFFDs\uFFFDx\uFFFDy\uFFFD");
		assertThat(commit.body()).isEqualTo("b\uFFFD\uFFFD\uFFFDc\td");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "\n\n", "author", "author  <> x y\n\n", "author A <a> 999999999999999 +0000",
			"author A <a> 99999999999999999999999 +0000\n\n" })
	void aCommitThatIsNoneHasNoTime(String raw) {
		AgentCommit commit = parse(raw);
		assertThat(commit.time()).isEqualTo(Instant.EPOCH);
		assertThat(commit.subject() + commit.body()).isEmpty();
	}

	@Test
	void bytesThatAreNotUtf8AreReplaced() {
		byte[] raw = "author A <a> 1 +0000\n\ncaf\u00e9".getBytes(StandardCharsets.ISO_8859_1);
		assertThat(CommitText.parse("1".repeat(40), raw).subject()).isEqualTo("caf\uFFFD");
	}

	@Test
	void oneMessageStandsForSeveralCommits() {
		AgentCommit newest = parse("author A <a> 2 +0000\n\nSecond\n\nWhy\n");
		AgentCommit oldest = parse("author A <a> 1 +0000\n\nFirst\n");
		assertThat(AgentCommit.message(List.of())).isEmpty();
		assertThat(AgentCommit.message(List.of(oldest))).isEqualTo("First\n");
		assertThat(AgentCommit.message(List.of(newest))).isEqualTo("Second\n\nWhy\n");
		assertThat(AgentCommit.message(List.of(newest, oldest))).isEqualTo("Second\n\n* First\n\n* Second\n\n  Why\n");
	}

}
