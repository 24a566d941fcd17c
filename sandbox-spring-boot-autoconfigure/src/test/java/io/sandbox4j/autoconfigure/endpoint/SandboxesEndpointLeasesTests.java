package io.sandbox4j.autoconfigure.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.autoconfigure.endpoint.SandboxesEndpoint.LeasesDescriptor;
import io.sandbox4j.lease.CredentialBrokers;
import io.sandbox4j.lease.LeaseInfo.Phase;
import io.sandbox4j.lease.LeaseKey;
import io.sandbox4j.lease.LeaseSpec;
import io.sandbox4j.lease.SandboxLease;
import io.sandbox4j.lease.SandboxLeases;
import io.sandbox4j.test.FakeSandboxBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the leases in {@link SandboxesEndpoint}.
 */
class SandboxesEndpointLeasesTests {

	private static final LeaseKey KEY = LeaseKey.forAgent("run-1", "coder");

	private final FakeSandboxBackend backend = new FakeSandboxBackend();

	private final PreparedTemplate template = this.backend.prewarm(SandboxTemplate.named("empty").build());

	private final SandboxLeases leases = SandboxLeases.builder(this.backend)
		.brokers(CredentialBrokers.builder().environment(Map.of("TOKEN", "hush"), Set.of("TOKEN")).build())
		.build();

	private final SandboxesEndpoint endpoint = new SandboxesEndpoint(this.backend, null, null, null, this.leases, null,
			null, null);

	@AfterEach
	void close() {
		this.leases.close();
		this.backend.close();
	}

	@Test
	void leasesAreListedWithoutTheirCredentials() {
		try (SandboxLease lease = open()) {
			LeasesDescriptor shown = this.endpoint.sandboxes().leases();
			assertThat(shown.active()).isOne();
			assertThat(shown.leases()).singleElement().satisfies((found) -> {
				assertThat(found.key()).isEqualTo("agent/run-1/coder");
				assertThat(found.phase()).isEqualTo(Phase.LIVE);
				assertThat(found.sandbox()).isEqualTo(lease.session().id());
				assertThat(found.uses()).isOne();
				assertThat(found.ageSeconds()).isBetween(0L, 60L);
				assertThat(found.remainingSeconds()).isBetween(3500L, 3600L);
			});
		}
		assertThat(JsonMapper.shared().writeValueAsString(this.endpoint.sandboxes())).contains("agent/run-1/coder")
			.doesNotContain("hush")
			.doesNotContain("TOKEN");
	}

	@Test
	void toLookRenewsNothing() {
		open().close();
		this.endpoint.sandboxes();
		assertThat(this.leases.info(KEY).orElseThrow().uses()).isZero();
	}

	@Test
	void deletingASandboxEndsItsLease() {
		List<String> steps = new ArrayList<>();
		String id;
		try (SandboxLease lease = open()) {
			id = lease.session().id();
			lease.pushTeardown("mine", () -> steps.add("done"));
		}
		assertThat(this.endpoint.delete(id)).isTrue();
		assertThat(steps).containsExactly("done");
		assertThat(this.leases.list()).isEmpty();
		assertThat(this.backend.sessions()).isEmpty();
		assertThat(this.endpoint.delete(id)).isFalse();
	}

	@Test
	void theSandboxOfAnotherLeaseStays() {
		open().close();
		LeaseKey other = LeaseKey.forRun("run-2");
		this.leases.open(spec(other)).close();
		this.endpoint.delete(this.leases.info(KEY).orElseThrow().sessionId());
		assertThat(this.leases.info(other)).isPresent();
		assertThat(this.backend.sessions()).hasSize(1);
	}

	private SandboxLease open() {
		return this.leases.open(spec(KEY));
	}

	private LeaseSpec spec(LeaseKey key) {
		return LeaseSpec.builder(key, this.template).network(NetworkPolicy.denyAll()).build();
	}

}
