package io.sandbox4j.bubblewrap;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class CommandReportTests {

	private static final String MARK = "0123456789abcdef0123456789abcdef";

	private final Heard heard = new Heard();

	private final CommandReport report = new CommandReport(new Mark(MARK), this.heard);

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 7, 33, 1000 })
	void tellsThePartsApartHoweverTheBytesArrive(int chunk) {
		feed(MARK + " S\nwarning\n" + MARK.substring(0, 20) + "no mark" + MARK + " X 137 k\n{ \"exit-code\": 0 }\n",
				chunk);
		assertThat(this.heard.words).containsExactly("started", "exited 137 true");
		assertThat(this.heard.output()).isEqualTo("warning\n" + MARK.substring(0, 20) + "no mark");
	}

	@Test
	void anExitCodeIsToldFromASignal() {
		feed(MARK + " S\n" + MARK + " X 137 \n", 10);
		assertThat(this.heard.words).endsWith("exited 137 false");
	}

	@Test
	void aProgramThatCouldNotBeStartedIsReportedOnce() {
		feed(MARK + " S\nsh: exec: x: not found\n" + MARK + " F\n" + MARK + " X 127 \n", 10);
		assertThat(this.heard.words).endsWith("started", "launchFailed");
		assertThat(this.heard.output()).isEqualTo("sh: exec: x: not found\n");
	}

	@Test
	void aMarkThatTheGuestFoundOutDoesNotMakeTheHostKeepWhatFollows() {
		String flood = "x".repeat(100_000);
		feed(MARK + " S\n" + MARK + flood + MARK + flood + "\n" + MARK + " X 3 \n", 4096);
		assertThat(this.heard.output()).isEqualTo(MARK + flood + MARK + flood + "\n");
		assertThat(this.heard.words).endsWith("exited 3 false");
	}

	@Test
	void aForgedReportThatIsNoNumberIsAnEndAllTheSame() {
		feed(MARK + " S\n" + MARK + " X nonsense \n", 100);
		assertThat(this.heard.words).endsWith("exited 0 false");
	}

	@Test
	void theStartOfAMarkAtTheEndIsOutput() {
		feed(MARK + " S\nend " + MARK.substring(0, 10), 3);
		assertThat(this.heard.output()).isEqualTo("end " + MARK.substring(0, 10));
	}

	@Test
	void outputBeforeTheProgramIsCutOffIsDelivered() {
		feed(MARK + " S\npartial", 100);
		assertThat(this.heard.output()).isEqualTo("partial");
	}

	private void feed(String text, int chunk) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		for (int i = 0; i < bytes.length; i += chunk) {
			this.report.feed(bytes, i, Math.min(chunk, bytes.length - i));
		}
		this.report.finish();
	}

	private static final class Heard implements CommandReport.Listener {

		private final List<String> words = new ArrayList<>();

		private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

		@Override
		public void started() {
			this.words.add("started");
		}

		@Override
		public void launchFailed() {
			this.words.add("launchFailed");
		}

		@Override
		public void exited(int status, boolean signalled) {
			this.words.add("exited " + status + " " + signalled);
		}

		@Override
		public void output(byte[] buffer, int offset, int length) {
			this.bytes.write(buffer, offset, length);
		}

		private String output() {
			return this.bytes.toString(StandardCharsets.UTF_8);
		}

	}

}
