package io.sandbox4j.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.install.InstallStore;
import io.sandbox4j.install.Installs;
import io.sandbox4j.install.InstallsBuilder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The installs of each session, that have what {@code sandbox.install.*} says. They end
 * when the session stops, and what is written down of them when it is deleted.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class SandboxInstalls implements SandboxListener, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(SandboxInstalls.class);

	private final Supplier<Path> directories;

	private final UnaryOperator<InstallsBuilder> defaults;

	private final Predicate<String> live;

	private final Map<String, Installs> installs = new HashMap<>();

	private @Nullable InstallStore opened;

	/**
	 * Creates installs.
	 * @param directories finds the directory where they are written down, when it is
	 * needed
	 * @param defaults what the properties say
	 * @param live whether the session of an id runs here
	 */
	SandboxInstalls(Supplier<Path> directories, UnaryOperator<InstallsBuilder> defaults, Predicate<String> live) {
		this.directories = directories;
		this.defaults = defaults;
		this.live = live;
	}

	/**
	 * Returns the installs of a session, made when they are first asked for. They are not
	 * to be closed.
	 * @param session the session, owned by this application, such as that of a lease or
	 * of a durable sandbox
	 * @return the installs, until the session is stopped
	 * @throws SandboxException {@link ErrorCode#SANDBOX_STOPPED} if it does not run here
	 */
	public Installs of(SandboxSession session) {
		Installs known = known(session);
		// Asked afterwards: a stop that came before they were known did not end them.
		if (!this.live.test(session.id())) {
			discard(session.id(), known);
			throw new SandboxException(ErrorCode.SANDBOX_STOPPED,
					"The session is stopped. Ask for the installs of the one that runs now.");
		}
		return known;
	}

	private synchronized Installs known(SandboxSession session) {
		Installs known = this.installs.get(session.id());
		if (known == null) {
			known = this.defaults.apply(Installs.builder(session, store())).build();
			this.installs.put(session.id(), known);
		}
		return known;
	}

	private void discard(String sessionId, Installs ended) {
		synchronized (this) {
			this.installs.remove(sessionId, ended);
		}
		ended.close();
	}

	/**
	 * Returns the installs of a session if they were asked for since it runs.
	 * @param sessionId the session's id
	 * @return the installs, or {@code null}
	 */
	public synchronized @Nullable Installs find(String sessionId) {
		return this.installs.get(sessionId);
	}

	private InstallStore store() {
		InstallStore known = this.opened;
		if (known == null) {
			known = InstallStore.directory(this.directories.get());
			this.opened = known;
		}
		return known;
	}

	@Override
	public void onEvent(SandboxEvent event) {
		if (event instanceof SandboxEvent.SessionStopped || event instanceof SandboxEvent.SessionDeleted) {
			end(event.sessionId());
		}
		if (event instanceof SandboxEvent.SessionDeleted) {
			forget(event.sessionId());
		}
	}

	private void end(String sessionId) {
		Installs ended;
		synchronized (this) {
			ended = this.installs.remove(sessionId);
		}
		if (ended != null) {
			ended.close();
		}
	}

	// Where there can be no directory nothing is written down.
	private synchronized void forget(String sessionId) {
		try {
			if (this.opened != null || Files.isDirectory(this.directories.get())) {
				store().removeSession(sessionId);
			}
		}
		catch (RuntimeException ex) {
			logger.debug("The installs of session {} cannot be removed", sessionId, ex);
		}
	}

	/**
	 * Kills what runs, which then failed.
	 */
	@Override
	public void close() {
		List<String> all;
		synchronized (this) {
			all = List.copyOf(this.installs.keySet());
		}
		all.forEach(this::end);
	}

}
