package io.sandbox4j.bubblewrap;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.git.WorkspaceTransport;
import io.sandbox4j.git.WorkspaceTransportBuilder;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A repository of the host, a sandbox with an empty workspace, and what is between them.
 */
final class TransportExtension implements BeforeEachCallback, AfterEachCallback {

	private final BackendExtension sandboxes = new BackendExtension();

	private HostRepository host;

	private SandboxHandle sandbox;

	@Override
	public void beforeEach(ExtensionContext context) throws Exception {
		this.sandboxes.beforeEach(context);
		this.host = HostRepository.create(this.sandboxes.root().resolve("host"));
		this.sandbox = this.sandboxes.emptySandbox();
	}

	@Override
	public void afterEach(ExtensionContext context) throws Exception {
		this.sandboxes.afterEach(context);
	}

	Path root() {
		return this.sandboxes.root();
	}

	HostRepository host() {
		return this.host;
	}

	SandboxHandle sandbox() {
		return this.sandbox;
	}

	BackendExtension sandboxes() {
		return this.sandboxes;
	}

	// Another handle of the same session, as after a restart.
	void attachAgain() {
		SandboxState state = this.sandbox.captureState();
		this.sandbox.stop();
		this.sandbox = this.sandboxes.backend()
			.create(SandboxRequest.attach(state).network(NetworkPolicy.denyAll()).build());
	}

	WorkspaceTransportBuilder builder() {
		return builder(this.host.root());
	}

	WorkspaceTransportBuilder builder(Path tree) {
		return WorkspaceTransport.builder(this.sandbox.session(), tree, this.sandboxes.root().resolve("transport"));
	}

	WorkspaceTransport seeded() {
		WorkspaceTransport transport = builder().build();
		transport.seed();
		return transport;
	}

	String guest(String script) {
		return BackendExtension.out(this.sandbox, script);
	}

	Map<String, String> inside() throws Exception {
		return HostRepository.content(workspace(), ".git");
	}

	Path workspace() throws Exception {
		try (Stream<Path> found = Files.walk(this.sandboxes.stateDirectory(), 4)) {
			return found.filter((path) -> path.endsWith(this.sandbox.session().id() + "/workspace"))
				.findFirst()
				.orElseThrow();
		}
	}

}
