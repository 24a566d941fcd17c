package io.sandbox4j.install;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.install.InstallLedger.Page;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands of installs: started for what is written down, and settled when they are
 * gone or were lost. Whoever ends one waits until it is gone, so that no two run in one
 * directory. Thread-safe.
 */
final class RunningInstalls {

	private static final Logger logger = LoggerFactory.getLogger(RunningInstalls.class);

	private static final String PROCESS = UUID.randomUUID().toString();

	private final String owner = PROCESS + "/" + UUID.randomUUID();

	private final SandboxSession session;

	private final Duration timeout;

	private final Duration pause;

	private final InstantSource clock;

	private final InstallLedger ledger;

	private final InstallSettlement settlement;

	private final Map<String, InstallProcess> running = new HashMap<>();

	RunningInstalls(InstallsBuilder builder, InstallLedger ledger) {
		this.session = builder.session;
		this.timeout = builder.plan.timeout();
		this.pause = builder.pause;
		this.clock = builder.clock;
		this.ledger = ledger;
		this.settlement = new InstallSettlement(builder);
	}

	boolean treePresent(Page page) {
		return this.settlement.treePresent(page.directory(), page.record());
	}

	synchronized @Nullable String tail(Page page) {
		InstallProcess process = own(page);
		return (process != null) ? process.tail() : null;
	}

	private @Nullable InstallProcess own(Page page) {
		InstallProcess process = this.running.get(page.directory());
		return (process != null && process.run().equals(page.record().run())) ? process : null;
	}

	/**
	 * Writes a run down and starts it, unless somebody was first.
	 * @param page what was read
	 * @param repository the repository, to resolve a repair by
	 * @param command the command
	 * @param fingerprint what it is made of
	 * @return what is there now
	 */
	synchronized Page start(Page page, @Nullable String repository, InstallResolution.Command command,
			@Nullable String fingerprint) {
		// Who has lost the session writes nothing over what its owner wrote.
		this.settlement.requireOwned();
		String run = UUID.randomUUID().toString();
		Instant now = this.clock.instant();
		Page claimed = this.ledger.write(page, InstallRecord.running(run, this.owner, repository, command, fingerprint,
				now, now.plus(this.timeout).plus(Installs.STALE)));
		return claimed.record().run().equals(run) ? launch(claimed) : claimed;
	}

	private Page launch(Page page) {
		InstallRecord record = page.record();
		try {
			InstallScript script = new InstallScript(this.session.files(), page.directory());
			script.prepare();
			SandboxProcess process = this.session.start(script.command(record, this.timeout));
			InstallProcess install = new InstallProcess(record.run(), process);
			this.running.put(page.directory(), install);
			install.begin((ended, result) -> ended(page.directory(), ended, result));
			return page;
		}
		catch (SandboxException ex) {
			logger.warn("An install of session {} could not be started", this.session.id(), ex);
			return this.ledger.write(page, record.failed(this.clock.instant(),
					"It could not be started (" + ex.code() + ").", null, null, Duration.ZERO));
		}
	}

	private synchronized void ended(String directory, InstallProcess process, @Nullable ExecResult result) {
		if (!this.running.remove(directory, process)) {
			// Whoever cancelled it has settled it.
			return;
		}
		try {
			finish(directory, process, result);
		}
		catch (RuntimeException ex) {
			// The watchdog settles it by the file that the run left.
			logger.warn("The end of an install of session {} could not be written", this.session.id(), ex);
		}
	}

	private Page finish(String directory, InstallProcess process, @Nullable ExecResult result) {
		return finish(directory, process.run(), (record) -> this.settlement.of(directory, record, process, result));
	}

	// Another result than that of the run that is written down comes too late.
	private Page finish(String directory, String run, UnaryOperator<InstallRecord> outcome) {
		Page page = this.ledger.load(directory);
		while (page.record().isRunning() && page.record().run().equals(run)) {
			page = this.ledger.write(page, outcome.apply(page.record()));
		}
		return page;
	}

	/**
	 * Settles a run that has ended unseen, or takes too long.
	 * @param page what was read
	 * @return what is there now
	 */
	synchronized Page settled(Page page) {
		InstallRecord record = page.record();
		if (!record.isRunning()) {
			return page;
		}
		boolean stale = this.clock.instant().toEpochMilli() >= record.staleMillis();
		InstallProcess process = own(page);
		if (process != null) {
			return stale ? end(page.directory(), process, "It did not end in time.", this.pause) : page;
		}
		boolean elsewhere = !record.owner().equals(this.owner) && record.owner().startsWith(PROCESS + "/");
		if (elsewhere && !stale) {
			return page;
		}
		return this.ledger.write(page, this.settlement.recovered(page));
	}

	/**
	 * Kills a run of this object.
	 * @param page what was read
	 * @return what is there now
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if another object runs it
	 */
	synchronized Page cancel(Page page) {
		InstallProcess process = own(page);
		if (process == null) {
			throw new SandboxException(ErrorCode.SANDBOX_BUSY,
					"The install is run by another part of the application. Cancel it there.");
		}
		return end(page.directory(), process, "It was cancelled.", Duration.ZERO);
	}

	private Page end(String directory, InstallProcess process, String error, Duration pause) {
		process.cancel(error, pause);
		ExecResult result = process.awaitEnd();
		this.running.remove(directory, process);
		return finish(directory, process, result);
	}

	/**
	 * Kills all, which then failed, and returns when they are gone.
	 */
	synchronized void close() {
		List<Map.Entry<String, InstallProcess>> all = List.copyOf(this.running.entrySet());
		String error = "The application ended it as it stopped.";
		all.forEach((entry) -> entry.getValue().cancel(error, Duration.ZERO));
		for (Map.Entry<String, InstallProcess> entry : all) {
			try {
				end(entry.getKey(), entry.getValue(), error, Duration.ZERO);
			}
			catch (RuntimeException ex) {
				// The next application settles it by what it left.
				logger.warn("The end of an install of session {} could not be written", this.session.id(), ex);
			}
		}
		this.running.clear();
	}

}
