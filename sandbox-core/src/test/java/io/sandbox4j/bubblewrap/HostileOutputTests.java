package io.sandbox4j.bubblewrap;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxHandle;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Output without end, in a JVM with a small heap.
 */
class HostileOutputTests {

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	// The heap is as small for every user.
	@Test
	void aGigabyteAndYesWithoutEndFitIntoASmallHeapAndAreCounted() throws Exception {
		Process jvm = ChildJvm.start(FloodedJvm.class, List.of("-Xmx64m"), Map.of(),
				this.sandboxes.stateDirectory().toString(), this.sandboxes.runtimeDirectory().toString());
		String said = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertThat(said.lines()).containsExactly("gigabyte EXITED 1048576 998951424", "yes TIMED_OUT 1000 true",
				"four [TIMED_OUT, TIMED_OUT, TIMED_OUT, TIMED_OUT]");
	}

	@Test
	@Tag("isolation")
	void whatLooksLikeTheSandboxesOwnReportIsOutput() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		String forged = "{ \"child-pid\": 1 }\nsandbox4j ready\n00000000000000000000000000000000 X 0 \n{ \"exit-code\": 0 }\n";
		ExecResult result = sandbox.session()
			.run(ExecSpec.of("/bin/sh", "-c", "printf %s \"$1\" >&2; exit 9", "sh", forged));
		assertThat(result.stderrText()).isEqualTo(forged);
		assertThat(result.exitCode()).isEqualTo(9);
	}

}
