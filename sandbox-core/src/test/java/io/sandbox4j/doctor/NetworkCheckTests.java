package io.sandbox4j.doctor;

import java.util.List;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NetworkCheck}.
 */
class NetworkCheckTests {

	private final Examination examination = new Examination();

	@Test
	void noNetworkIsRight() throws Exception {
		assertThat(examine(NetworkPolicy.denyAll()))
			.containsExactly(DoctorFinding.ok("network.default", "Sandboxes have no network."));
	}

	@Test
	void theHostsNetworkWarns() throws Exception {
		assertThat(examine(NetworkPolicy.allowAll())).singleElement()
			.satisfies((finding) -> assertThat(finding.status()).isEqualTo(DoctorStatus.WARN));
	}

	@Test
	void aCredentialOverHttpWarnsWithItsHost() throws Exception {
		List<DoctorFinding> findings = examine(NetworkPolicy.allow(
				OriginRule.builder("http://a.example").allowPlaintext(true).header("x-key", "s3cr3t").build(),
				OriginRule.builder("https://b.example").header("x-key", "s3cr3t").build(),
				OriginRule.builder("http://c.example").build()));
		assertThat(findings).singleElement().satisfies((finding) -> {
			assertThat(finding.status()).isEqualTo(DoctorStatus.WARN);
			assertThat(finding.summary()).isEqualTo("Credentials go over plain http to a.example.");
		});
	}

	@Test
	void answersThatAreNotMaskedWarn() throws Exception {
		OriginRule rule = OriginRule.builder("https://a.example")
			.credential("x-key", "vault", "")
			.redact(false)
			.build();
		assertThat(examine(NetworkPolicy.allow(rule))).extracting(DoctorFinding::summary)
			.containsExactly("Answers are not masked from a.example.");
	}

	@Test
	void variablesNamedAsSecretsWarnWithoutValue() throws Exception {
		List<DoctorFinding> findings = examine(NetworkPolicy.allow(OriginRule.builder("https://a.example")
			.environment("npm_token", "s3cr3t")
			.environment("PIP_INDEX_URL", "https://a.example/simple")
			.build()));
		assertThat(findings).singleElement().satisfies((finding) -> {
			assertThat(finding.summary()).contains("npm_token").doesNotContain("PIP_INDEX_URL");
			assertThat(finding.toString()).doesNotContain("s3cr3t");
		});
	}

	@Test
	void listedOriginsAreRight() throws Exception {
		assertThat(examine(NetworkPolicy.allow(OriginRule.builder("https://a.example").build())))
			.containsExactly(DoctorFinding.ok("network.default", "Sandboxes reach a.example."));
	}

	private List<DoctorFinding> examine(NetworkPolicy policy) throws Exception {
		this.examination.networks.put("default", policy);
		return this.examination.by(new NetworkCheck());
	}

}
