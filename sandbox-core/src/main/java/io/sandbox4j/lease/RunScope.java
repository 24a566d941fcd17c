package io.sandbox4j.lease;

import java.time.Duration;
import java.util.function.Function;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one run, while it lasts.
 *
 * @since 0.1.0
 */
public final class RunScope {

	private final SandboxLeases leases;

	private final String run;

	RunScope(SandboxLeases leases, String run) {
		this.leases = leases;
		this.run = run;
	}

	/**
	 * Returns the run.
	 * @return its id
	 */
	public String run() {
		return this.run;
	}

	/**
	 * Opens a lease of the run, as {@link SandboxLeases#open(LeaseSpec)} does.
	 * @param spec what to open
	 * @return a use of the lease
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if its key is of another
	 * run or of none
	 */
	public SandboxLease open(LeaseSpec spec) {
		requireOwn(spec);
		return this.leases.open(spec);
	}

	/**
	 * Opens a lease of the run, as {@link SandboxLeases#open(LeaseSpec, Duration)} does.
	 * @param spec what to open
	 * @param patience how long to wait at most
	 * @return a use of the lease
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if its key is of another
	 * run or of none
	 */
	public SandboxLease open(LeaseSpec spec, Duration patience) {
		requireOwn(spec);
		return this.leases.open(spec, patience);
	}

	/**
	 * Uses a lease of the run, as {@link SandboxLeases#use(LeaseSpec, Function)} does.
	 * @param <T> what the work returns
	 * @param spec what to open
	 * @param work what is done with it
	 * @return what the work returned
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if its key is of another
	 * run or of none
	 */
	public <T extends @Nullable Object> T use(LeaseSpec spec, Function<SandboxLease, T> work) {
		requireOwn(spec);
		return this.leases.use(spec, work);
	}

	private void requireOwn(LeaseSpec spec) {
		if (!spec.key().isOfRun(this.run)) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "The lease's key is not of run '" + this.run
					+ "', so its end would not end the lease. Make the key with 'forRun' or 'forAgent'.");
		}
	}

}
