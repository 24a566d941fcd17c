package io.sandbox4j.test;

import io.sandbox4j.SandboxDriver;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;

import static org.assertj.core.api.Assertions.assertThat;

class FakeDriverContractTests extends SandboxDriverContract {

	private final FakeSandboxBackend backend = FakeCommands.registerOn(new FakeSandboxBackend());

	@AfterEach
	void close() {
		this.backend.close();
	}

	@Override
	protected SandboxDriver openDriver() {
		return assertThat(ContractFixture.sandbox(this.backend).session())
			.extracting("driver", InstanceOfAssertFactories.type(SandboxDriver.class))
			.actual();
	}

	@Override
	protected ContractCommands vocabulary() {
		return new FakeCommands();
	}

}
