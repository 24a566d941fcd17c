package io.sandbox4j.agentsandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

import io.sandbox4j.Restriction;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springaicommunity.sandbox.AbstractSandboxTCK;

/**
 * The contract of Agent Sandbox. One of its tests lists {@code /home}, which no sandbox
 * has: it gets an empty directory there. The probe takes any {@code /home} for the
 * host's, so that the backend of this one test must not require hidden secrets.
 */
@Tag("isolation")
class SessionSandboxContractTests extends AbstractSandboxTCK {

	private static final String LISTS_HOME = "testResourceIsolation";

	@RegisterExtension
	final SandboxExtension sandboxes = new SandboxExtension();

	@BeforeEach
	void open(TestInfo test) throws IOException {
		Path home = Files.createDirectory(this.sandboxes.root().resolve("home"));
		boolean listsHome = test.getTestMethod().orElseThrow().getName().equals(LISTS_HOME);
		Set<Restriction> others = EnumSet
			.complementOf(EnumSet.of(Restriction.SECRETS_HIDDEN, Restriction.EGRESS_BROKERED));
		BubblewrapBackend backend = this.sandboxes
			.backend((builder) -> listsHome ? builder.mount(home, "/home").require(others) : builder);
		this.sandbox = SessionSandbox.of(this.sandboxes.handle(backend));
	}

}
