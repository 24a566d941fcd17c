package io.sandbox4j.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LimitsCheck}.
 */
class LimitsCheckTests {

	private final Examination examination = new Examination();

	@TempDir
	Path root;

	@Test
	void limitsThatDoNotHoldWarn() throws Exception {
		this.examination.backend.isolation = () -> ScriptedBackend.isolation(false);
		assertThat(find("limits").status()).isEqualTo(DoctorStatus.WARN);
	}

	@Test
	void limitsThatHoldAreNamed() throws Exception {
		assertThat(find("limits")).isEqualTo(DoctorFinding.ok("limits", "The limits of each process hold (seen)."));
	}

	@Test
	void whereNoSandboxRunsTheyAreNotKnown() throws Exception {
		this.examination.backend.isolation = () -> {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, "No.");
		};
		assertThat(find("limits").status()).isEqualTo(DoctorStatus.WARN);
	}

	@ParameterizedTest
	@CsvSource({ "0::/a/b,sys/fs/cgroup/a/b/memory.max,1073741824,OK", "0::/a/b,sys/fs/cgroup/a/memory.max,4096,OK",
			"0::/a/b,sys/fs/cgroup/a/b/memory.max,max,WARN", "0::/,sys/fs/cgroup/memory.max,4096,OK",
			"0::/a,sys/fs/cgroup/other/memory.max,4096,WARN", "0::/../a,sys/fs/cgroup/a/memory.max,4096,OK",
			"'4:cpu,memory:/a',sys/fs/cgroup/memory/a/memory.limit_in_bytes,4096,OK",
			"4:memory:/a,sys/fs/cgroup/memory/a/memory.limit_in_bytes,9223372036854771712,WARN",
			"nonsense,sys/fs/cgroup/a/memory.max,4096,WARN" })
	void theMemoryIsThatOfTheNearestGroup(String group, String file, String limit, DoctorStatus status)
			throws Exception {
		write("proc/self/cgroup", group + "\n");
		write(file, limit + "\n");
		assertThat(find("limits.memory").status()).isEqualTo(status);
	}

	private DoctorFinding find(String name) throws Exception {
		return this.examination.finding(new LimitsCheck(this.root), name);
	}

	private void write(String path, String text) throws IOException {
		Path file = this.root.resolve(path);
		Files.createDirectories(file.getParent());
		Files.writeString(file, text);
	}

}
