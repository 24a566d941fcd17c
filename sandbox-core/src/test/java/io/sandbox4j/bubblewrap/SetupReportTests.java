package io.sandbox4j.bubblewrap;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SetupReportTests {

	private static final String DOCUMENT = "{\n    \"child-pid\": 77,\n    \"net-namespace\": 4026\n}\n";

	private final List<String> heard = new ArrayList<>();

	private final SetupReport report = new SetupReport((pid, network) -> this.heard.add(pid + " " + network));

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 7, 33, 1000 })
	void tellsTheInitAndThatTheSandboxIsReadyHoweverTheBytesArrive(int chunk) {
		assertThat(feed(DOCUMENT, chunk)).isFalse();
		assertThat(feed("sandbox4j ready\n", chunk)).isTrue();
		assertThat(this.heard).containsExactly("77 4026");
		assertThat(this.report.text()).isEmpty();
	}

	@Test
	void whatFollowsReadyIsLeftToTheCommand() {
		assertThat(feed(DOCUMENT + "sandbox4j ready\nearly\n", 1000)).isTrue();
		assertThat(this.report.rest()).asString(StandardCharsets.UTF_8).isEqualTo("early\n");
	}

	@Test
	void whatBubblewrapSaysOfAFailureIsKept() {
		feed("bwrap: Can't find source path /x: No such file or directory\nand half a line", 9);
		assertThat(this.report.text())
			.isEqualTo("bwrap: Can't find source path /x: No such file or directory\nand half a line");
		assertThat(this.heard).isEmpty();
		assertThat(this.report.rest()).isEmpty();
	}

	@Test
	void endlessTextIsBounded() {
		feed("x\n".repeat(100_000), 1000);
		assertThat(this.report.text()).hasSizeLessThan(17_000);
	}

	@Test
	void aLineWithoutAnEndIsNotKept() {
		feed("x".repeat(100_000), 4096);
		assertThat(this.report.text()).hasSizeLessThan(17_000);
	}

	private boolean feed(String text, int chunk) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		boolean ready = false;
		for (int i = 0; i < bytes.length; i += chunk) {
			ready = this.report.feed(bytes, i, Math.min(chunk, bytes.length - i));
		}
		return ready;
	}

}
