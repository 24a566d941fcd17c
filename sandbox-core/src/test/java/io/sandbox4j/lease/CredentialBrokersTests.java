package io.sandbox4j.lease;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.sandbox4j.Credential;
import io.sandbox4j.CredentialSource;
import io.sandbox4j.CredentialUnavailableException;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.Origin;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CredentialBrokersTests {

	private static final LeaseKey KEY = LeaseKey.forRun("r");

	private static final Origin ORIGIN = Origin.parse("https://api.example.com");

	private static final Map<String, String> VALUES = Map.of("B_KEY", "hush-b", "A_KEY", "hush-a", "PATH", "/bin");

	@Test
	void exactlyTwoAreBuiltIn() {
		assertThat(CredentialBrokers.builder().build().ids()).containsExactly("gateway", "static");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Static", "static ", "vault", "" })
	void anUnknownIdIsRefusedWithTheKnownOnes(String id) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> CredentialBrokers.builder().build().get(id))
			.withMessageContaining("'sandbox.credentials.broker' is '" + id + "'")
			.withMessageContaining("gateway, static")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
	}

	@ParameterizedTest
	@ValueSource(strings = { "static", "gateway", "Vault", "a_b", "", "9a" })
	void anIdIsStrictAndStandsOnce(String id) {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> CredentialBrokers.builder().broker(new Named(id)))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
	}

	@Test
	void ownOnesAreFound() {
		CredentialBroker own = new Named("vault");
		assertThat(CredentialBrokers.builder().broker(own).build().get("vault")).isSameAs(own);
	}

	@Test
	void noListLetsNothingThrough() {
		assertThat(issue(Set.of(), null).environment()).isEmpty();
		assertThat(issue(Set.of("A_KEY"), Set.of()).environment()).isEmpty();
	}

	@Test
	void bothListsMustLetAVariableThrough() {
		assertThat(issue(Set.of("A_KEY", "B_KEY", "ABSENT"), Set.of("B_KEY", "PATH")).environment())
			.containsExactly(Map.entry("B_KEY", "hush-b"));
	}

	@Test
	void agentsGetTheirOwnVariablesOnly() {
		CredentialBroker broker = environment(Set.of("A_KEY", "B_KEY"));
		assertThat(broker.issue(new GrantRequest(KEY, Set.of("A_KEY"))).environment()).containsOnlyKeys("A_KEY");
		assertThat(broker.issue(new GrantRequest(KEY, Set.of("B_KEY"))).environment()).containsOnlyKeys("B_KEY");
	}

	@Test
	void aDescriptionHasNamesInOrderAndNoValue() {
		CredentialGrant grant = issue(Set.of("B_KEY", "A_KEY"), null);
		assertThat(grant.describe()).contains("2 environment variables: A_KEY, B_KEY.")
			.contains("does not rotate")
			.doesNotContain("hush");
		assertThat(grant).asString().doesNotContain("hush");
		assertThat(environment(Set.of("A_KEY"))).asString().doesNotContain("hush");
		assertThat(issue(Set.of(), null).describe()).contains("no credentials were issued");
	}

	@Test
	void namesAreCountedOnce() {
		assertThat(StaticBroker.describe("x", "things", List.of("b", "a", "b"), null)).isEqualTo("x: 2 things: a, b.");
	}

	@Test
	void revokingEmptiesOneGrantAndCanBeRepeated() {
		CredentialBroker broker = environment(Set.of("A_KEY"));
		CredentialGrant first = broker.issue(new GrantRequest(KEY, null));
		CredentialGrant second = broker.issue(new GrantRequest(KEY, null));
		first.revoke();
		first.revoke();
		assertThat(first.environment()).isEmpty();
		assertThat(first.describe()).contains("A_KEY");
		assertThat(second.environment()).containsOnlyKeys("A_KEY");
	}

	@Test
	void theGatewayAsksTheSourceForGrantedSessionsOnly() {
		LeasedCredentials credentials = LeasedCredentials.of((use) -> Credential.of("hush"));
		CredentialGrant grant = gateway(credentials).issue(new GrantRequest(KEY, null));
		grant.bind("session-1");
		assertThat(credentials.get(new CredentialSource.Use("session-1", ORIGIN)).value()).isEqualTo("hush");
		assertThatExceptionOfType(CredentialUnavailableException.class)
			.isThrownBy(() -> credentials.get(new CredentialSource.Use("session-2", ORIGIN)));
	}

	@Test
	void aRevokedGrantOfTheGatewayIsRefused() {
		LeasedCredentials credentials = LeasedCredentials.of((use) -> Credential.of("hush"));
		CredentialGrant grant = gateway(credentials).issue(new GrantRequest(KEY, null));
		grant.bind("session-1");
		grant.revoke();
		grant.bind("session-1");
		assertThatExceptionOfType(CredentialUnavailableException.class)
			.isThrownBy(() -> credentials.get(new CredentialSource.Use("session-1", ORIGIN)));
		assertThat(grant.rules()).isEmpty();
	}

	@Test
	void aSecondSourceIsGrantedAndRevokedWithTheFirst() {
		LeasedCredentials first = LeasedCredentials.of((use) -> Credential.of("hush-1"));
		LeasedCredentials second = first.and((use) -> Credential.of("hush-2"));
		CredentialSource.Use use = new CredentialSource.Use("session-1", ORIGIN);
		assertThatExceptionOfType(CredentialUnavailableException.class).isThrownBy(() -> second.get(use));
		CredentialGrant grant = gateway(first).issue(new GrantRequest(KEY, null));
		grant.bind("session-1");
		assertThat(second.get(use).value()).isEqualTo("hush-2");
		assertThat(first.get(use).value()).isEqualTo("hush-1");
		grant.revoke();
		assertThatExceptionOfType(CredentialUnavailableException.class).isThrownBy(() -> second.get(use));
	}

	@Test
	void theGatewayGrantsRulesAndNoVariables() {
		CredentialGrant grant = gateway(LeasedCredentials.of((use) -> Credential.of("hush")))
			.issue(new GrantRequest(KEY, null));
		assertThat(grant.environment()).isEmpty();
		assertThat(grant.rules()).hasSize(1);
		assertThat(grant.describe()).isEqualTo("gateway: 1 origins: https://api.example.com.");
	}

	@Test
	void rulesJoinAPolicyThatDeniesOrLists() {
		OriginRule granted = rule();
		OriginRule own = OriginRule.builder("https://other.example.com").build();
		assertThat(GrantedPolicy.of(NetworkPolicy.denyAll(), List.of(granted))).isEqualTo(NetworkPolicy.allow(granted));
		assertThat(GrantedPolicy.of(NetworkPolicy.allow(own), List.of(granted)))
			.isEqualTo(NetworkPolicy.allow(own, granted));
		assertThat(GrantedPolicy.of(NetworkPolicy.allowAll(), List.of())).isEqualTo(NetworkPolicy.allowAll());
	}

	@Test
	void rulesCannotJoinAPolicyThatPassesTheGatewayBy() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> GrantedPolicy.of(NetworkPolicy.allowAll(), List.of(rule())))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
	}

	private static CredentialBroker environment(Set<String> names) {
		return CredentialBrokers.builder().environment(VALUES, names).build().get("static");
	}

	private static CredentialGrant issue(Set<String> names, @Nullable Set<String> narrowed) {
		return environment(names).issue(new GrantRequest(KEY, narrowed));
	}

	private static CredentialBroker gateway(LeasedCredentials credentials) {
		return CredentialBrokers.builder().gateway(credentials, (request) -> List.of(rule())).build().get("gateway");
	}

	private static OriginRule rule() {
		return OriginRule.builder("https://api.example.com").credential("authorization", "leased", "Bearer ").build();
	}

	/**
	 * A broker that has an id only.
	 */
	private record Named(String id) implements CredentialBroker {

		@Override
		public CredentialGrant issue(GrantRequest request) {
			throw new UnsupportedOperationException();
		}

	}

}
