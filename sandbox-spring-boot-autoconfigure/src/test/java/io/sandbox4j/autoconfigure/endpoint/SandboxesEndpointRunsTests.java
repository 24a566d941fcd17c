package io.sandbox4j.autoconfigure.endpoint;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.autoconfigure.endpoint.SandboxesEndpoint.SandboxDescriptor;
import io.sandbox4j.run.DurableSandbox;
import io.sandbox4j.run.OperationStatus;
import io.sandbox4j.run.RunSpec;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.SandboxRuns;
import io.sandbox4j.run.SandboxWork;
import io.sandbox4j.test.FakeSandboxBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the durable runs in {@link SandboxesEndpoint}.
 */
class SandboxesEndpointRunsTests {

	private final CountDownLatch running = new CountDownLatch(1);

	private final CountDownLatch go = new CountDownLatch(1);

	private final FakeSandboxBackend backend = new FakeSandboxBackend();

	private final RunStore store = RunStore.inMemory();

	private final SandboxRuns runs = SandboxRuns
		.builder(this.backend, this.backend.prewarm(SandboxTemplate.named("empty").build()), this.store, (turn) -> {
			this.running.countDown();
			assertThat(this.go.await(30, TimeUnit.SECONDS)).isTrue();
			return "hush";
		})
		.network(NetworkPolicy.denyAll())
		.build();

	private final SandboxesEndpoint endpoint = new SandboxesEndpoint(this.backend, null, null, null, null, this.runs,
			null, null);

	@AfterEach
	void close() {
		this.go.countDown();
		this.runs.close();
		this.store.close();
		this.backend.close();
	}

	@Test
	void runsAreShownWithTheirSandboxByIdsAndStates() throws Exception {
		DurableSandbox sandbox = this.runs.sandbox("s");
		sandbox.createRun(RunSpec.of("r"));
		sandbox.submit("r", "first", "hush");
		sandbox.submit("r", "second", "hush");
		assertThat(this.running.await(30, TimeUnit.SECONDS)).isTrue();
		SandboxDescriptor shown = (SandboxDescriptor) this.endpoint.show(sandbox.ensureRunning());
		assertThat(shown.work().key()).isEqualTo("s");
		assertThat(shown.work().runs()).containsExactly(new SandboxWork.Run("r", false));
		assertThat(shown.work().unsettled()).containsExactly(
				new SandboxWork.Operation("r", "first", OperationStatus.RUNNING),
				new SandboxWork.Operation("r", "second", OperationStatus.QUEUED));
		assertThat(JsonMapper.shared().writeValueAsString(shown)).contains("first").doesNotContain("hush");
	}

	@Test
	void aSandboxOfNobodysRunsHasNone() {
		String other = this.backend
			.create(SandboxRequest.from(this.backend.prewarm(SandboxTemplate.named("empty").build()))
				.network(NetworkPolicy.denyAll())
				.build())
			.session()
			.id();
		assertThat(((SandboxDescriptor) this.endpoint.show(other)).work()).isNull();
	}

}
