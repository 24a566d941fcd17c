package io.sandbox4j.install;

import java.time.Duration;
import java.time.InstantSource;

import io.sandbox4j.ExecResult;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.WorkspacePath;
import io.sandbox4j.install.InstallLedger.Page;
import org.jspecify.annotations.Nullable;

/**
 * What became of a run: by its result, or by what it left if nobody was there to hear it.
 */
final class InstallSettlement {

	private final SandboxSession session;

	private final Duration timeout;

	private final Duration pause;

	private final InstantSource clock;

	InstallSettlement(InstallsBuilder builder) {
		this.session = builder.session;
		this.timeout = builder.plan.timeout();
		this.pause = builder.pause;
		this.clock = builder.clock;
	}

	InstallRecord of(String directory, InstallRecord record, InstallProcess process, @Nullable ExecResult result) {
		String tail = process.tail();
		if (result == null) {
			return ended(record, process, "It could not be followed to its end.", this.pause);
		}
		InstallRecord settled = switch (result.status()) {
			case EXITED -> exited(directory, record, tail, result.exitCode());
			case SIGNALLED ->
				record.failed(this.clock.instant(), "A signal ended the command.", result.exitCode(), tail, this.pause);
			case TIMED_OUT -> record.failed(this.clock.instant(), "It took longer than " + this.timeout + ".", null,
					tail, this.pause);
			case OUTPUT_LIMIT, RESOURCE_LIMIT -> record.failed(this.clock.instant(),
					"A limit of the sandbox ended the command.", null, tail, this.pause);
			case STOPPED, CANCELLED -> ended(record, process, "The sandbox was stopped meanwhile.", Duration.ZERO);
			case LAUNCH_FAILED ->
				record.failed(this.clock.instant(), "The sandbox has no shell.", null, tail, Duration.ZERO);
		};
		script(directory).discardCache(record.run());
		return settled;
	}

	private InstallRecord ended(InstallRecord record, InstallProcess process, String otherwise, Duration pause) {
		InstallProcess.Cancellation cancelled = process.cancellation();
		return (cancelled != null)
				? record.failed(this.clock.instant(), cancelled.error(), null, process.tail(), cancelled.pause())
				: record.failed(this.clock.instant(), otherwise, null, process.tail(), pause);
	}

	private InstallRecord exited(String directory, InstallRecord record, @Nullable String tail, int code) {
		if (code == 0) {
			return record.done(this.clock.instant(), tail, treePresent(directory, record));
		}
		return record.failed(this.clock.instant(), "The command ended with exit code " + code + ".", code, tail,
				this.pause);
	}

	/**
	 * Sees that the session is still owned, by a write that the guest cannot make fail.
	 * @throws SandboxException if it is not
	 */
	void requireOwned() {
		this.session.files().createDirectories(".");
	}

	InstallRecord recovered(Page page) {
		// Another owner would know better.
		requireOwned();
		InstallScript script = script(page.directory());
		Integer code = script.exitCode(page.record().run());
		script.discardCache(page.record().run());
		if (code != null) {
			return exited(page.directory(), page.record(), null, code);
		}
		return page.record()
			.failed(this.clock.instant(), "It was lost: the application that had started it ended.", null, null,
					Duration.ZERO);
	}

	private InstallScript script(String directory) {
		return new InstallScript(this.session.files(), directory);
	}

	boolean treePresent(String directory, InstallRecord record) {
		WorkspacePath path = WorkspacePath.parse(directory);
		return record.trees().stream().anyMatch((tree) -> PlanResolver.exists(this.session.files(), path, tree));
	}

}
