package io.sandbox4j.sample;

import java.util.List;
import java.util.Optional;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SessionInfo;
import io.sandbox4j.autoconfigure.SandboxTemplates;

import org.springframework.stereotype.Component;

/**
 * The sandboxes by id. It keeps nothing of its own: the backend knows its sessions, also
 * those of an application that was killed, and which of them this application runs.
 */
@Component
class Sandboxes {

	private final SandboxBackend backend;

	private final SandboxTemplates templates;

	private final NetworkPolicy network;

	/**
	 * Creates the sandboxes.
	 * @param backend makes and keeps them
	 * @param templates what they start with
	 * @param network what they reach: 'sandbox.network' says it
	 */
	Sandboxes(SandboxBackend backend, SandboxTemplates templates, NetworkPolicy network) {
		this.backend = backend;
		this.templates = templates;
		this.network = network;
	}

	List<SessionInfo> list() {
		return this.backend.sessions();
	}

	SessionInfo info(String id) {
		return find(id).orElseThrow(() -> new SandboxException(ErrorCode.SANDBOX_NOT_FOUND,
				"There is no sandbox '" + id + "'. List them with GET /sandboxes."));
	}

	SessionInfo create(String template) {
		SandboxHandle handle = this.backend
			.create(SandboxRequest.from(this.templates.get(template)).network(this.network).build());
		return info(handle.session().id());
	}

	/**
	 * Takes over a sandbox that nobody runs, or whose application was killed.
	 * @param id the sandbox
	 * @return what is known of it
	 */
	SessionInfo attach(String id) {
		if (this.backend.handle(id).isEmpty()) {
			SandboxState state = new SandboxState(this.backend.name(), id, info(id).templateKey());
			this.backend.create(SandboxRequest.attach(state).network(this.network).build());
		}
		return info(id);
	}

	/**
	 * Returns a sandbox that this application runs.
	 * @param id the sandbox
	 * @return its handle
	 */
	SandboxHandle running(String id) {
		return this.backend.handle(id).orElseThrow(() -> notRunning(info(id)));
	}

	void delete(String id) {
		info(id);
		this.backend.delete(id);
	}

	private Optional<SessionInfo> find(String id) {
		return this.backend.sessions().stream().filter((session) -> session.id().equals(id)).findFirst();
	}

	private static SandboxException notRunning(SessionInfo session) {
		return new SandboxException(ErrorCode.SANDBOX_STOPPED, "The sandbox does not run here. POST /sandboxes/"
				+ session.id() + "/attach starts it again, with the files it has.");
	}

}
