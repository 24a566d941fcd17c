package io.sandbox4j.test;

import io.sandbox4j.SandboxBackend;

class FakeSandboxBackendTests extends SandboxBackendContract {

	private final FakeStorage storage = new FakeStorage();

	@Override
	protected SandboxBackend openBackend(BackendSetup setup) {
		return FakeCommands.registerOn(FakeSandboxBackend.builder()
			.name(setup.name())
			.storage(this.storage)
			.sessionLimits(setup.sessionLimits())
			.listener(setup.listener())
			.build());
	}

	@Override
	protected ContractCommands vocabulary() {
		return new FakeCommands();
	}

}
