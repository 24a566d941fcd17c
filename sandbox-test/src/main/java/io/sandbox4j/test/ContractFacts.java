package io.sandbox4j.test;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxHandle;

/**
 * What the parts of {@link SandboxBackendContract} have in common.
 */
interface ContractFacts {

	ContractFixture fixture();

	ContractCommands commands();

	default SandboxBackend backend() {
		return fixture().backend();
	}

	default SandboxHandle sandbox() {
		return fixture().sandbox();
	}

}
