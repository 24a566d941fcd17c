package io.sandbox4j.autoconfigure.metrics;

import java.time.Duration;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.run.AgentFailedException;
import io.sandbox4j.run.DurableSandbox;
import io.sandbox4j.run.RunSpec;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.SandboxRuns;
import io.sandbox4j.test.FakeSandboxBackend;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxRunsMetrics}.
 */
class SandboxRunsMetricsTests {

	@Test
	void settledTurnsAreCountedByTheirOutcome() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		try (FakeSandboxBackend backend = new FakeSandboxBackend();
				RunStore store = RunStore.inMemory();
				SandboxRuns runs = SandboxRuns
					.builder(backend, backend.prewarm(SandboxTemplate.named("empty").build()), store, (turn) -> {
						if (turn.text().equals("fail")) {
							throw new AgentFailedException("no");
						}
						return "yes";
					})
					.network(NetworkPolicy.denyAll())
					.build()) {
			new SandboxRunsMetrics(runs).bindTo(registry);
			DurableSandbox sandbox = runs.sandbox("s");
			sandbox.createRun(RunSpec.of("r"));
			for (String text : new String[] { "one", "fail", "two" }) {
				sandbox.submit("r", text, text);
				assertThat(sandbox.poll("r", text, Duration.ofSeconds(30), 0).operation().isSettled()).isTrue();
			}
			assertThat(settled(registry, "done")).isEqualTo(2);
			assertThat(settled(registry, "failed")).isOne();
			assertThat(settled(registry, "sandbox-lost")).isZero();
			assertThat(registry.get("sandbox.runs.active").gauge().value()).isZero();
			assertThat(registry.get("sandbox.runs.limit").gauge().value()).isEqualTo(16);
			assertThat(registry.get("sandbox.runs.sandboxes").gauge().value()).isOne();
		}
	}

	private static double settled(SimpleMeterRegistry registry, String outcome) {
		return registry.get("sandbox.runs.settled").tag("outcome", outcome).functionCounter().count();
	}

}
