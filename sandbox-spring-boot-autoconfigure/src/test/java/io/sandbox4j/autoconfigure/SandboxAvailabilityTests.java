package io.sandbox4j.autoconfigure;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import io.sandbox4j.autoconfigure.SandboxAvailability.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SandboxAvailability}.
 */
class SandboxAvailabilityTests {

	private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

	private final SandboxAvailability availability = new SandboxAvailability(this.nanos::get);

	private final StubSandboxBackend backend = new StubSandboxBackend();

	@Test
	void knowsNothingAtFirst() {
		assertThat(this.availability.status()).isEqualTo(Status.UNKNOWN);
		assertThat(this.availability.isolation()).isEmpty();
		assertThat(this.availability.failure()).isEmpty();
	}

	@Test
	void keepsWhatTheProbeFound() {
		assertThat(this.availability.probe(this.backend)).isSameAs(StubSandboxBackend.ISOLATION);
		assertThat(this.availability.status()).isEqualTo(Status.AVAILABLE);
		assertThat(this.availability.isolation()).hasValue(StubSandboxBackend.ISOLATION);
	}

	@Test
	void keepsWhyTheProbeFailed() {
		this.backend.isolation = () -> {
			throw new SandboxUnavailableException(Cause.BWRAP_MISSING, "No.", "Install.", null);
		};
		assertThatExceptionOfType(SandboxUnavailableException.class)
			.isThrownBy(() -> this.availability.probe(this.backend));
		assertThat(this.availability.status()).isEqualTo(Status.UNAVAILABLE);
		assertThat(this.availability.failure()).hasValue("bwrap-missing");
	}

	@Test
	void isUnavailableAfterARefusalForAMinute() {
		this.availability.probe(this.backend);
		this.availability.onEvent(new SandboxEvent.CommandRefused("1", ErrorCode.SANDBOX_UNAVAILABLE));
		assertThat(this.availability.status()).isEqualTo(Status.UNAVAILABLE);
		assertThat(this.availability.failure()).hasValue("command-refused");
		this.nanos.addAndGet(Duration.ofSeconds(59).toNanos());
		assertThat(this.availability.status()).isEqualTo(Status.UNAVAILABLE);
		this.nanos.addAndGet(Duration.ofSeconds(1).toNanos());
		assertThat(this.availability.status()).isEqualTo(Status.AVAILABLE);
		assertThat(this.availability.failure()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(value = ExecStatus.class, mode = EnumSource.Mode.EXCLUDE, names = { "STOPPED", "CANCELLED" })
	void isAvailableOnceACommandRan(ExecStatus status) {
		this.availability.onEvent(new SandboxEvent.CommandRefused("1", ErrorCode.SANDBOX_UNAVAILABLE));
		this.availability.onEvent(new SandboxEvent.CommandFinished("1", "command", status, Duration.ZERO));
		assertThat(this.availability.status()).isEqualTo(Status.AVAILABLE);
	}

	@ParameterizedTest
	@EnumSource(value = ExecStatus.class, names = { "STOPPED", "CANCELLED" })
	void learnsNothingFromACommandThatMayNeverHaveStarted(ExecStatus status) {
		this.availability.onEvent(new SandboxEvent.CommandFinished("1", "command", status, Duration.ZERO));
		assertThat(this.availability.status()).isEqualTo(Status.UNKNOWN);
	}

	@ParameterizedTest
	@EnumSource(value = ErrorCode.class, mode = EnumSource.Mode.EXCLUDE, names = "SANDBOX_UNAVAILABLE")
	void otherRefusalsAreNoFailure(ErrorCode code) {
		this.availability.probe(this.backend);
		this.availability.onEvent(new SandboxEvent.CommandRefused("1", code));
		assertThat(this.availability.status()).isEqualTo(Status.AVAILABLE);
	}

	@Test
	void countsWhatWasRecovered() {
		this.availability.onEvent(new SandboxEvent.SessionAttached("1", true, 3));
		this.availability.onEvent(new SandboxEvent.SessionAttached("2", true, 0));
		this.availability.onEvent(new SandboxEvent.SessionAttached("3", false, 0));
		assertThat(this.availability.recoveredSessions()).isEqualTo(2);
		assertThat(this.availability.killedGuests()).isEqualTo(3);
	}

	@Test
	void drainingComesFirst() {
		this.availability.probe(this.backend);
		this.availability.drain();
		assertThat(this.availability.status()).isEqualTo(Status.DRAINING);
	}

}
