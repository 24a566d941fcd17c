package io.sandbox4j.doctor;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClockCheck}.
 */
class ClockCheckTests {

	private final Examination examination = new Examination();

	@ParameterizedTest
	@CsvSource({ "0,OK", "-2,OK", "2,OK", "-3,WARN", "3,WARN", "-2000000000,WARN" })
	void theClockInsideMayNotDiffer(long seconds, DoctorStatus status) throws Exception {
		Instant now = Instant.parse("2026-12-01T00:00:00Z");
		assertThat(examine(now, (now.getEpochSecond() + seconds) + "\n").status()).isEqualTo(status);
	}

	@Test
	void aClockBeforeThisProgramFails() throws Exception {
		assertThat(examine(Instant.EPOCH, "0").status()).isEqualTo(DoctorStatus.FAIL);
	}

	@ParameterizedTest
	@CsvSource({ "''", "today", "99999999999999999999" })
	void whatIsNoTimeWarns(String said) throws Exception {
		assertThat(examine(Instant.parse("2026-12-01T00:00:00Z"), said).status()).isEqualTo(DoctorStatus.WARN);
	}

	private DoctorFinding examine(Instant now, String said) throws Exception {
		this.examination.backend.program = (command) -> ScriptedBackend.exited(0, said);
		return this.examination.by(new ClockCheck(Clock.fixed(now, ZoneOffset.UTC))).get(0);
	}

}
