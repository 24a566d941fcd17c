package io.sandbox4j.install;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is written down of an install. It has no variable and no value of the environment.
 *
 * @param status where it stands
 * @param run the random word of this run: results of another one are discarded
 * @param owner which process, and which object in it, runs it
 * @param repository the repository, to resolve a repair by
 * @param command the command
 * @param trees where it installs to
 * @param fingerprint what it is made of, or {@code null} if it must not be skipped
 * @param scriptsSkipped whether scripts of packages are left out
 * @param startedMillis when it was started
 * @param staleMillis from when on it cannot run any more
 * @param finishedMillis when it ended
 * @param tookMillis how long it took
 * @param exitCode its exit code
 * @param reason why it was skipped or failed
 * @param tail the end of its output
 * @param retryMillis until when the same is not run again after a failure
 * @param repairMillis when it is run again; zero for never
 */
record InstallRecord(Status status, String run, String owner, @Nullable String repository, String command,
		List<String> trees, @Nullable String fingerprint, boolean scriptsSkipped, long startedMillis, long staleMillis,
		long finishedMillis, long tookMillis, @Nullable Integer exitCode, @Nullable String reason,
		@Nullable String tail, long retryMillis, long repairMillis) {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	static final InstallRecord IDLE = new InstallRecord(Status.IDLE, "", "", null, "", List.of(), null, false, 0, 0, 0,
			0, null, null, null, 0, 0);

	InstallRecord {
		Objects.requireNonNull(status, "'status' must not be null");
		Objects.requireNonNull(run, "'run' must not be null");
		Objects.requireNonNull(owner, "'owner' must not be null");
		Objects.requireNonNull(command, "'command' must not be null");
		trees = List.copyOf(trees);
	}

	static InstallRecord skipped(String reason) {
		return new InstallRecord(Status.SKIPPED, "", "", null, "", List.of(), null, false, 0, 0, 0, 0, null, reason,
				null, 0, 0);
	}

	static InstallRecord running(String run, String owner, @Nullable String repository,
			InstallResolution.Command command, @Nullable String fingerprint, Instant now, Instant stale) {
		return new InstallRecord(Status.RUNNING, run, owner, repository, command.command(), command.trees(),
				fingerprint, command.scriptsSkipped(), now.toEpochMilli(), stale.toEpochMilli(), 0, 0, null, null, null,
				0, 0);
	}

	// Without a tree there is nothing to skip for, whatever the files say.
	InstallRecord done(Instant now, @Nullable String output, boolean treePresent) {
		long time = Math.max(0, now.toEpochMilli() - this.startedMillis);
		return new InstallRecord(Status.DONE, this.run, this.owner, this.repository, this.command, this.trees,
				treePresent ? this.fingerprint : null, this.scriptsSkipped, this.startedMillis, this.staleMillis,
				now.toEpochMilli(), time, 0, null, output, 0, 0);
	}

	// Only shown, never written: what was done, and when, stays as it is.
	InstallRecord notNeeded(Instant now) {
		return new InstallRecord(Status.DONE, this.run, this.owner, this.repository, this.command, this.trees,
				this.fingerprint, this.scriptsSkipped, this.startedMillis, this.staleMillis, now.toEpochMilli(), 0, 0,
				null, this.tail, 0, this.repairMillis);
	}

	InstallRecord failed(Instant now, String error, @Nullable Integer code, @Nullable String output, Duration pause) {
		return new InstallRecord(Status.FAILED, this.run, this.owner, this.repository, this.command, this.trees,
				this.fingerprint, this.scriptsSkipped, this.startedMillis, this.staleMillis, now.toEpochMilli(), 0,
				code, error, output, now.plus(pause).toEpochMilli(), 0);
	}

	InstallRecord armed(long repair) {
		return new InstallRecord(this.status, this.run, this.owner, this.repository, this.command, this.trees,
				this.fingerprint, this.scriptsSkipped, this.startedMillis, this.staleMillis, this.finishedMillis,
				this.tookMillis, this.exitCode, this.reason, this.tail, this.retryMillis, repair);
	}

	boolean isRunning() {
		return this.status == Status.RUNNING;
	}

	boolean isFinished() {
		return this.status == Status.DONE || this.status == Status.FAILED;
	}

	InstallState state(@Nullable String liveTail) {
		Instant finished = Instant.ofEpochMilli(this.finishedMillis);
		Instant repair = (this.repairMillis > 0) ? Instant.ofEpochMilli(this.repairMillis) : null;
		return switch (this.status) {
			case IDLE -> new InstallState.Idle();
			case SKIPPED -> new InstallState.Skipped(String.valueOf(this.reason));
			case RUNNING -> new InstallState.Running(this.command, Instant.ofEpochMilli(this.startedMillis), liveTail);
			case DONE -> new InstallState.Done(this.command, 0, finished, Duration.ofMillis(this.tookMillis),
					this.scriptsSkipped, this.tail, repair);
			case FAILED -> new InstallState.Failed(this.command, String.valueOf(this.reason), this.exitCode, finished,
					this.scriptsSkipped, this.tail, repair);
		};
	}

	String document() {
		return MAPPER.writeValueAsString(this);
	}

	/**
	 * Reads a document. One that cannot be read is a failure that a start replaces: what
	 * it was is not known, so nothing is skipped for it.
	 * @param document the document
	 * @return the record
	 */
	static InstallRecord parse(String document) {
		try {
			return Objects.requireNonNull(MAPPER.readValue(document, InstallRecord.class));
		}
		catch (JacksonException | NullPointerException ex) {
			return IDLE.failed(Instant.EPOCH, "The record of the install cannot be read.", null, null, Duration.ZERO);
		}
	}

	/**
	 * Where an install stands.
	 */
	enum Status {

		IDLE, SKIPPED, RUNNING, DONE, FAILED

	}

}
