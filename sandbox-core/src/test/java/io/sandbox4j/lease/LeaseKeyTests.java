package io.sandbox4j.lease;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LeaseKeyTests {

	@Test
	void anAgentHasAKeyOfItsOwnWithinItsRun() {
		LeaseKey first = LeaseKey.forAgent("r1", "coder");
		assertThat(first).isNotEqualTo(LeaseKey.forAgent("r1", "tester"))
			.isNotEqualTo(LeaseKey.forRun("r1"))
			.isEqualTo(LeaseKey.forAgent("r1", "coder"));
		assertThat(first.run()).isEqualTo("r1");
	}

	@Test
	void aConversationIsOfNoRun() {
		assertThat(LeaseKey.forConversation("r1").run()).isNull();
		assertThat(LeaseKey.forConversation("r1")).isNotEqualTo(LeaseKey.forRun("r1"));
	}

	@Test
	void partsDoNotRunIntoEachOther() {
		assertThat(LeaseKey.forAgent("a/b", "c")).isNotEqualTo(LeaseKey.forAgent("a", "b/c"));
		assertThat(LeaseKey.forAgent("a/b", "c").toString()).isNotEqualTo(LeaseKey.forAgent("a", "b/c").toString());
		assertThat(LeaseKey.forRun("a%2Fb").toString()).isNotEqualTo(LeaseKey.forRun("a/b").toString());
	}

	@ParameterizedTest
	@ValueSource(strings = { "plain", "a/b", "a%2Fb", "%25", "%252F", "///", "~!@#$^&*()" })
	void itsTextIsReadBack(String part) {
		for (LeaseKey key : new LeaseKey[] { LeaseKey.forRun(part), LeaseKey.forAgent(part, part),
				LeaseKey.forConversation(part) }) {
			assertThat(LeaseKey.parse(key.toString())).isEqualTo(key);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a b", "a\n", "\u00e9", "\u007f", "a\u0000", "\ud83d\ude00" })
	void onlyPrintableAsciiIsAPart(String part) {
		assertRefused(() -> LeaseKey.forRun(part));
		assertRefused(() -> LeaseKey.forAgent("r", part));
		assertRefused(() -> LeaseKey.forAgent(part, "a"));
		assertRefused(() -> LeaseKey.forConversation(part));
	}

	@Test
	void aPartHasAtMost256Characters() {
		assertThat(LeaseKey.forRun("x".repeat(256)).run()).hasSize(256);
		assertRefused(() -> LeaseKey.forRun("x".repeat(257)));
	}

	@Test
	void whatIsRefusedIsNotRepeated() {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> LeaseKey.forConversation("top secret"))
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("top secret").contains("'conversation'"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "run", "run/", "run/a/b", "agent/a", "conversation/a/b", "Run/a", "other/a" })
	void anotherTextIsNoKey(String text) {
		assertRefused(() -> LeaseKey.parse(text));
	}

	private static void assertRefused(Runnable call) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call::run)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
	}

}
