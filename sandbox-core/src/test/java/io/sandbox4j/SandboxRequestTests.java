package io.sandbox4j;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SandboxRequestTests {

	private static final String KEY = "0123456789abcdef".repeat(4);

	@Test
	void asksForANewSession() {
		SandboxRequest request = SandboxRequest.from(new PreparedTemplate(KEY, false))
			.network(NetworkPolicy.denyAll())
			.build();
		assertThat(request.templateKey()).isEqualTo(KEY);
		assertThat(request.state()).isNull();
		assertThat(request.network()).isEqualTo(NetworkPolicy.denyAll());
	}

	@Test
	void asksForAnExistingSession() {
		SandboxState state = new SandboxState("backend", "id", KEY);
		SandboxRequest request = SandboxRequest.attach(state).network(NetworkPolicy.allowAll()).build();
		assertThat(request.templateKey()).isEqualTo(KEY);
		assertThat(request.state()).isEqualTo(state);
	}

	@Test
	void thePolicyIsMandatory() {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> SandboxRequest.from(KEY).build())
			.withMessageContaining("'network'")
			.extracting(SandboxException::code)
			.isEqualTo(ErrorCode.SANDBOX_INVALID);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "abc", "../../etc", "0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF" })
	void refusesAKeyThatIsNone(String key) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> SandboxRequest.from(key))
			.extracting(SandboxException::code)
			.isEqualTo(ErrorCode.SANDBOX_INVALID);
	}

	@Test
	void aStateHasNoEmptyPart() {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> new SandboxState("", "id", KEY))
			.withMessageContaining("'state.backend'");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> new SandboxState("backend", "", KEY))
			.withMessageContaining("'state.sessionId'");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> new SandboxState("backend", "id", ""))
			.withMessageContaining("'state.templateKey'");
	}

}
