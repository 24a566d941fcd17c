package io.sandbox4j.test.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class FaultPlanTests {

	@Test
	void aPlanHasSteps() {
		assertThatIllegalArgumentException().isThrownBy(FaultPlan::of);
		assertThatIllegalArgumentException().isThrownBy(() -> new FaultPlan(List.of()));
		assertThatIllegalArgumentException().isThrownBy(FaultProviderServer::start);
	}

	@Test
	void theLastStepServesAllThatFollow() {
		FaultPlan plan = FaultPlan.of(FaultStep.badJson(), FaultStep.pass());
		assertThat(plan.step(1)).isEqualTo(new FaultStep.BadJson());
		assertThat(plan.step(2)).isEqualTo(new FaultStep.Answer("ok", "stop", true, 1));
		assertThat(plan.step(Integer.MAX_VALUE)).isEqualTo(new FaultStep.Answer("ok", "stop", true, 1));
		assertThatIllegalArgumentException().isThrownBy(() -> plan.step(0));
	}

	@Test
	void aPlanKeepsItsSteps() {
		List<FaultStep> steps = new ArrayList<>(List.of(FaultStep.pass()));
		FaultPlan plan = new FaultPlan(steps);
		steps.clear();
		assertThat(plan.steps()).hasSize(1);
	}

	@Test
	void valuesHaveBounds() {
		for (int status : new int[] { 200, 399, 600, -1 }) {
			assertThatIllegalArgumentException().isThrownBy(() -> FaultStep.httpError(status));
		}
		for (double rate : new double[] { 0, -1, Double.NaN, Double.POSITIVE_INFINITY, 1001 }) {
			assertThatIllegalArgumentException().isThrownBy(() -> FaultStep.slow("a", rate));
		}
		assertThatIllegalArgumentException().isThrownBy(() -> FaultStep.streamCut(-1));
		assertThatIllegalArgumentException().isThrownBy(() -> FaultStep.timeoutBeforeFirstByte(Duration.ZERO));
		assertThatIllegalArgumentException().isThrownBy(() -> FaultStep.timeoutBeforeFirstByte(Duration.ofMillis(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> FaultStep.httpError(429, Duration.ofMillis(1500)));
		assertThatIllegalArgumentException().isThrownBy(() -> FaultStep.httpError(429, Duration.ofSeconds(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> FaultStep.wrongContentType(" ", ""));
		assertThatIllegalArgumentException().isThrownBy(() -> FaultStep.wrongContentType("a\r\nSet-Cookie: b", ""));
		assertThatIllegalArgumentException().isThrownBy(() -> new FaultStep.Answer("", "stop", true, 0));
		assertThat(FaultStep.httpError(400)).isNotEqualTo(FaultStep.httpError(599));
	}

	@Test
	void noCallHoldsACredential() {
		FaultCall call = new FaultCall(1, FaultStep.pass(),
				Map.of("authorization", "Bearer secret", "x-api-key", "secret", "accept", "text/html"), "{}");
		assertThat(call.headers()).containsExactly(Map.entry("accept", "text/html"), Map.entry("authorization", "***"),
				Map.entry("x-api-key", "***"));
		assertThat(call.toString()).doesNotContain("secret");
	}

	@Test
	void aHeaderThatSoundsLikeACredentialIsOne() {
		for (String name : new String[] { "x-api-key", "Api-Key", "x-goog-api-key", "x-amz-security-token", "x-auth",
				"proxy-authorization", "set-cookie", "x-client-secret" }) {
			assertThat(new FaultCall(1, FaultStep.pass(), Map.of(name, "topsecret"), "").headers())
				.containsExactly(Map.entry(name, "***"));
		}
	}

	@Test
	void tokensAreWordsWithTheBlanksBeforeThem() {
		assertThat(Completion.tokens("one two\n three")).containsExactly("one", " two", "\n three");
		assertThat(Completion.tokens("one")).containsExactly("one");
		assertThat(Completion.tokens("")).containsExactly("");
		assertThat(Completion.tokens(" a ")).containsExactly(" a", " ");
	}

}
