package io.sandbox4j.doctor;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxException;

/**
 * The clock: later than this program, and the same inside and outside.
 */
final class ClockCheck implements DoctorCheck {

	private static final String NAME = "clock";

	/**
	 * Before this program was written.
	 */
	private static final Instant EARLIEST = Instant.parse("2026-01-01T00:00:00Z");

	private static final Duration MOST = Duration.ofSeconds(2);

	private static final Duration TIMEOUT = Duration.ofSeconds(8);

	private final Clock clock;

	/**
	 * Creates a check.
	 * @param clock the host's clock
	 */
	ClockCheck(Clock clock) {
		this.clock = clock;
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public List<DoctorFinding> check(DoctorContext context) throws InterruptedException {
		Instant before = this.clock.instant();
		if (before.isBefore(EARLIEST)) {
			return List.of(DoctorFinding.fail(NAME, "It is " + before + " here, before this program was made.",
					"Certificates of upstream servers are refused, and dates in records are wrong.",
					"Set the host's clock, and keep it by NTP."));
		}
		try {
			context.isolation();
			ExecResult result = context.session().run(ExecSpec.of("date", "+%s").withTimeout(TIMEOUT));
			return List.of(compare(before, result, this.clock.instant()));
		}
		catch (SandboxException ex) {
			return List.of(DoctorFinding.warn(NAME, "The clock inside is not known, as no command could be run.", "",
					"See 'isolation'."));
		}
	}

	private static DoctorFinding compare(Instant before, ExecResult result, Instant after) {
		String said = result.stdoutText().strip();
		if (!result.succeeded() || !said.matches("-?\\d{1,15}")) {
			return DoctorFinding.warn(NAME, "The clock inside is not known, as 'date' does not work there.", "",
					"Install coreutils on the host, or in the tree of 'sandbox.rootfs'.");
		}
		Instant inside = Instant.ofEpochSecond(Long.parseLong(said));
		if (inside.isBefore(before.minus(MOST)) || inside.isAfter(after.plus(MOST))) {
			return DoctorFinding.warn(NAME, "It is " + inside + " inside a sandbox and " + after + " outside.",
					"Builds by file date and signatures with a date go wrong.",
					"Look for a library that changes the time, such as libfaketime, in one of the two.");
		}
		return DoctorFinding.ok(NAME, "It is the same inside and outside, " + after + ".");
	}

}
