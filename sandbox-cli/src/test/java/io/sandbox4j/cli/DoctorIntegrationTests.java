package io.sandbox4j.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.sandbox4j.cli.Cli.Result;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code doctor} on this host, which can run sandboxes. Nothing of it is left.
 */
@Tag("isolation")
class DoctorIntegrationTests {

	@TempDir
	Path directory;

	private Path temporary;

	private Cli cli;

	@BeforeEach
	void makeDirectories() throws IOException {
		Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.temporary = Files.createDirectory(this.directory.resolve("tmp"));
		this.cli = new Cli(this.temporary, Files.createDirectory(this.directory.resolve("logs")));
	}

	@AfterEach
	void leavesNothing() {
		assertThat(this.temporary).isEmptyDirectory();
	}

	@Test
	void printsAListAndSucceeds() throws Exception {
		Result result = this.cli.run("doctor");
		assertThat(result.exitCode()).as(result.text()).isZero();
		assertThat(result.text()).contains("OK    isolation: A sandbox runs").contains("toolchain: ");
	}

	@Test
	void printsJson() throws Exception {
		Result result = this.cli.run("doctor", "--json");
		assertThat(result.exitCode()).as(result.text()).isZero();
		JsonNode report = JsonMapper.shared().readTree(result.out());
		assertThat(report.path("status").asString()).isIn("OK", "WARN");
		assertThat(report.path("findings").findValuesAsString("name")).contains("bubblewrap", "isolation", "jvm");
	}

	@Test
	void failsWhereDirectoriesCannotBeUsed() throws Exception {
		Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwx------"));
		Files.setPosixFilePermissions(this.temporary, PosixFilePermissions.fromString("rwx------"));
		Result result = this.cli.run("doctor");
		// Its guests are other users for root alone.
		if (System.getProperty("user.name").equals("root")) {
			assertThat(result.exitCode()).isEqualTo(1);
			assertThat(result.text()).startsWith("FAIL  isolation: ").contains("chmod o+x");
		}
		else {
			assertThat(result.exitCode()).isZero();
		}
	}

}
