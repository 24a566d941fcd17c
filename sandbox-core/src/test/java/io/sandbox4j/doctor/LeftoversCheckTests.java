package io.sandbox4j.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

import io.sandbox4j.storage.Guests;
import io.sandbox4j.storage.StateDirectory;
import io.sandbox4j.storage.StorageSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LeftoversCheck}.
 */
class LeftoversCheckTests {

	private final Examination examination = new Examination();

	private final String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()).repeat(4);

	private Clock clock = Clock.systemUTC();

	@Test
	void aProcessOfASessionThatNobodyOwnsWarns() throws Exception {
		Process process = new ProcessBuilder("/bin/sh", "-c", "read x", Guests.marker(this.id)).start();
		try {
			assertThat(find("leftovers.processes").status()).isEqualTo(DoctorStatus.OK);
			this.examination.backend.stopped(this.id);
			await().untilAsserted(() -> assertThat(find("leftovers.processes").status()).isEqualTo(DoctorStatus.WARN));
			assertThat(find("leftovers.processes").summary()).contains(this.id);
			assertThat(process.isAlive()).isTrue();
		}
		finally {
			process.destroyForcibly().waitFor();
		}
		assertThat(find("leftovers.processes").status()).isEqualTo(DoctorStatus.OK);
	}

	@Test
	void trashThatStaysWarns(@TempDir Path directory) throws Exception {
		this.examination.stateDirectory = directory;
		StateDirectory.open(directory, "scripted", StorageSettings.defaults()).close();
		assertThat(find("leftovers.trash").status()).isEqualTo(DoctorStatus.OK);
		Path trash;
		try (Stream<Path> all = Files.walk(directory)) {
			trash = all.filter((path) -> path.endsWith("trash")).findFirst().orElseThrow();
		}
		Files.createDirectory(trash.resolve("old"));
		assertThat(find("leftovers.trash").status()).isEqualTo(DoctorStatus.OK);
		this.clock = Clock.offset(this.clock, Duration.ofMinutes(16));
		assertThat(find("leftovers.trash").status()).isEqualTo(DoctorStatus.WARN);
		assertThat(trash.resolve("old")).exists();
	}

	private DoctorFinding find(String name) throws Exception {
		return this.examination.finding(new LeftoversCheck(this.clock), name);
	}

}
