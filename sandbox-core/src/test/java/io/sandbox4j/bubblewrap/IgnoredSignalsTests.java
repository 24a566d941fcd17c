package io.sandbox4j.bubblewrap;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that was started in the background of a script.
 */
@Tag("isolation")
class IgnoredSignalsTests {

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	@ParameterizedTest
	@CsvSource({ "0000000000000000, false", "0000000000001000, false", "0000000000000001, true",
			"0000000000000002, true", "0000000000000006, true", "0000000000004000, true" })
	void onlyTheSignalsThatShellsTouchMatter(String mask, boolean restored) {
		assertThat(IgnoredSignals.restoring(List.of("Name:\tjava", "SigIgn:\t" + mask))).hasSize(restored ? 2 : 0);
		assertThat(IgnoredSignals.restoring(List.of("Name:\tjava"))).isEmpty();
	}

	@Test
	void anInterruptReachesACommandThoughTheApplicationIgnoresIt() throws Exception {
		Process jvm = new ProcessBuilder("/bin/sh", "-c", "trap '' INT QUIT; exec \"$@\"", "sh",
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-cp",
				System.getProperty("java.class.path"), InterruptingJvm.class.getName(),
				this.sandboxes.stateDirectory().toString(), this.sandboxes.runtimeDirectory().toString())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		String said = new String(jvm.getInputStream().readAllBytes());
		assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertThat(said.strip()).endsWith("exit 3");
	}

}
