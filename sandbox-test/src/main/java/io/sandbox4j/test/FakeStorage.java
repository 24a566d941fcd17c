package io.sandbox4j.test;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.LeaseOwner;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.SessionInfo;
import org.jspecify.annotations.Nullable;

/**
 * What a state directory is for a real backend: templates, sessions and leases, in the
 * memory of this process. Give one to several {@link FakeSandboxBackend}s to play several
 * processes over one directory. Thread-safe.
 *
 * @since 0.1.0
 */
public final class FakeStorage {

	private final Map<String, FakeTemplate> templates = new HashMap<>();

	private final Map<String, Session> sessions = new LinkedHashMap<>();

	private final SecureRandom random = new SecureRandom();

	/**
	 * Creates an empty storage.
	 */
	public FakeStorage() {
	}

	/**
	 * Takes the lease of a session away from its owner, as an operator can who removes it
	 * by hand. Whatever the owner's handle does from then on is
	 * {@link ErrorCode#SANDBOX_LEASE_LOST}. Does nothing if there is no owner.
	 * @param sessionId the session's id
	 */
	public synchronized void revokeLease(String sessionId) {
		Session session = this.sessions.get(sessionId);
		if (session != null) {
			session.lease = null;
		}
	}

	PreparedTemplate prewarm(String backend, SandboxTemplate template) {
		FakeTemplate prepared = FakeTemplate.of(backend, template);
		synchronized (this) {
			boolean reused = this.templates.putIfAbsent(prepared.key(), prepared) != null;
			return new PreparedTemplate(prepared.key(), reused);
		}
	}

	synchronized Lease create(String backend, String templateKey, String owner) {
		FakeTemplate template = this.templates.get(templateKey);
		if (template == null || !template.backend().equals(backend)) {
			throw new SandboxException(ErrorCode.SANDBOX_NOT_FOUND,
					"There is no template '" + templateKey + "'. Prewarm it first, with this backend's name.");
		}
		SandboxState state = new SandboxState(backend, randomId(), templateKey);
		Session session = new Session(state, template.files().copy());
		this.sessions.put(state.sessionId(), session);
		return take(session, owner);
	}

	synchronized Lease attach(SandboxState state, String owner) {
		Session session = this.sessions.get(state.sessionId());
		if (session == null) {
			throw new SandboxException(ErrorCode.SANDBOX_NOT_FOUND,
					"There is no session '" + state.sessionId() + "': it was deleted, or the storage is another.");
		}
		if (!session.state.equals(state)) {
			throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH, "The state of session '" + state.sessionId()
					+ "' is not the one that is stored. Use the one that its handle returned.");
		}
		return take(session, owner);
	}

	synchronized List<SessionInfo> list(String backend, String owner) {
		List<SessionInfo> infos = new ArrayList<>();
		this.sessions.values()
			.stream()
			.filter((session) -> session.state.backend().equals(backend))
			.forEach((session) -> infos.add(session.info(owner)));
		infos.sort(Comparator.comparing(SessionInfo::created));
		return infos;
	}

	synchronized boolean delete(String backend, String sessionId) {
		Session session = this.sessions.get(sessionId);
		if (session == null || !session.state.backend().equals(backend)) {
			return false;
		}
		requireFree(session);
		this.sessions.remove(sessionId);
		return true;
	}

	private Lease take(Session session, String owner) {
		requireFree(session);
		session.token++;
		session.owner = new LeaseOwner(owner, "fake", "fake", ProcessHandle.current().pid(), 0, session.token,
				Instant.now());
		Lease lease = new Lease(session, owner);
		session.lease = lease;
		return lease;
	}

	private static void requireFree(Session session) {
		if (session.lease != null) {
			throw new SandboxException(ErrorCode.SANDBOX_BUSY,
					"Session '" + session.state.sessionId() + "' has an owner. Stop that one, or try again later.");
		}
	}

	private String randomId() {
		byte[] bytes = new byte[32];
		this.random.nextBytes(bytes);
		return HexFormat.of().formatHex(bytes);
	}

	/**
	 * The right to work in a session.
	 */
	final class Lease {

		private final Session session;

		private final String owner;

		Lease(Session session, String owner) {
			this.session = session;
			this.owner = owner;
		}

		SandboxState state() {
			return this.session.state;
		}

		SandboxDriver.Files workspace() {
			return this.session.workspace;
		}

		void ensureValid() {
			synchronized (FakeStorage.this) {
				if (this.session.lease != this) {
					throw new SandboxException(ErrorCode.SANDBOX_LEASE_LOST, "The lease of session '"
							+ this.session.state.sessionId() + "' was taken. Attach to it for a new handle.");
				}
			}
		}

		void release() {
			synchronized (FakeStorage.this) {
				if (this.session.lease == this) {
					this.session.lease = null;
				}
			}
		}

	}

	private static final class Session {

		private final SandboxState state;

		private final FakeWorkspace workspace;

		private final Instant created = Instant.now();

		private long token;

		private @Nullable LeaseOwner owner;

		private @Nullable Lease lease;

		Session(SandboxState state, FakeWorkspace workspace) {
			this.state = state;
			this.workspace = workspace;
		}

		SessionInfo info(String asker) {
			return new SessionInfo(this.state.sessionId(), this.state.templateKey(), this.created, status(asker),
					this.owner);
		}

		private SessionInfo.Status status(String asker) {
			Lease held = this.lease;
			if (held == null) {
				return SessionInfo.Status.STOPPED;
			}
			return held.owner.equals(asker) ? SessionInfo.Status.RUNNING : SessionInfo.Status.OWNED_ELSEWHERE;
		}

	}

}
