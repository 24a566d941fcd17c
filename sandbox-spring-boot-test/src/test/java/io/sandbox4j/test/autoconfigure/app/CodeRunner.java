package io.sandbox4j.test.autoconfigure.app;

import java.util.List;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;

import org.springframework.stereotype.Service;

/**
 * What an application does with sandboxes.
 */
@Service
public class CodeRunner {

	private final SandboxBackend backend;

	private final NetworkPolicy network;

	CodeRunner(SandboxBackend backend, NetworkPolicy network) {
		this.backend = backend;
		this.network = network;
	}

	public String run(String... command) {
		SandboxTemplate template = SandboxTemplate.named("runner").file("in.txt", "from the template").build();
		SandboxRequest request = SandboxRequest.from(this.backend.prewarm(template)).network(this.network).build();
		SandboxHandle sandbox = this.backend.create(request);
		try {
			return sandbox.session()
				.run(ExecSpec.of(command[0], List.of(command).subList(1, command.length)))
				.stdoutText();
		}
		finally {
			sandbox.delete();
		}
	}

}
