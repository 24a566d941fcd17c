package io.sandbox4j.bubblewrap;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.tools.CodingTools;
import io.sandbox4j.tools.RefusalCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Commands in a real sandbox that says of its restrictions what a test makes it say.
 */
@Tag("isolation")
class ToolRestrictionTests {

	private static final Set<Restriction> ALL = CodingTools.DEFAULT_RESTRICTIONS;

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	private final AtomicInteger starts = new AtomicInteger();

	private SandboxSession real;

	private SandboxSession session;

	private Supplier<Set<Restriction>> restrictions = () -> ALL;

	@BeforeEach
	void open() {
		this.real = this.sandboxes.sandbox().session();
		this.session = (SandboxSession) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { SandboxSession.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("restrictions")) {
						return this.restrictions.get();
					}
					if (method.getName().equals("run") || method.getName().equals("start")) {
						this.starts.incrementAndGet();
					}
					try {
						return method.invoke(this.real, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	private CodingTools tools() {
		return CodingTools.builder(this.session).shell(true).authorize((request) -> true).build();
	}

	private RuntimeException failure(String kind) {
		String message = "cannot open " + this.sandboxes.root() + "/probe";
		return kind.equals("sandbox") ? new SandboxException(ErrorCode.SANDBOX_INVALID, message)
				: new IllegalStateException(message);
	}

	private void assertNothingStarted() {
		assertThat(this.starts).hasValue(0);
		assertThat(this.real.files().exists("made")).isFalse();
		assertThat(this.real.admission().active()).isZero();
	}

	private JsonNode refusedCommand(RefusalCode code, CodingTools tools) {
		JsonNode error = ToolAnswers.refused(code, tools, "run_command", Map.of("command", "touch made"));
		assertThat(error.toString()).doesNotContain(this.sandboxes.root().toString()).doesNotContain("probe");
		return error;
	}

	@Test
	void aSessionThatHoldsEverythingRuns() {
		ToolAnswers.done(tools(), "run_command", Map.of("command", "touch made"));
		assertThat(this.starts).hasValue(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "sandbox", "other" })
	void aSessionThatFailsToSayIsUnavailableEachTime(String kind) {
		CodingTools tools = tools();
		this.restrictions = () -> {
			throw failure(kind);
		};
		for (int i = 0; i < 2; i++) {
			JsonNode error = refusedCommand(RefusalCode.SANDBOX_UNAVAILABLE, tools);
			assertThat(error.get("reason").asString()).contains("restrictions");
		}
		assertNothingStarted();
	}

	@Test
	void aSessionThatSaysNothingIsUnavailable() {
		CodingTools tools = tools();
		this.restrictions = () -> null;
		refusedCommand(RefusalCode.SANDBOX_UNAVAILABLE, tools);
		this.restrictions = () -> new HashSet<>(Arrays.asList(Restriction.WRITE_CONTAINED, null));
		refusedCommand(RefusalCode.SANDBOX_UNAVAILABLE, tools);
		assertNothingStarted();
	}

	@Test
	void whatIsMissingIsListed() {
		CodingTools tools = tools();
		this.restrictions = () -> Set.of(Restriction.WRITE_CONTAINED, Restriction.NETWORK_DENIED);
		JsonNode error = refusedCommand(RefusalCode.SANDBOX_INSUFFICIENT, tools);
		assertThat(error.get("missing").values()).extracting(JsonNode::asString)
			.containsExactlyInAnyOrder("process-contained", "secrets-hidden");
		assertNothingStarted();
	}

	@Test
	void whatIsLostDuringTheAuthorizationIsNoticed() {
		CodingTools tools = CodingTools.builder(this.session).shell(true).authorize((request) -> {
			this.restrictions = () -> Set.of(Restriction.WRITE_CONTAINED, Restriction.SECRETS_HIDDEN);
			return true;
		}).build();
		JsonNode error = refusedCommand(RefusalCode.SANDBOX_INSUFFICIENT, tools);
		assertThat(error.get("missing").values()).extracting(JsonNode::asString).containsExactly("process-contained");
		assertNothingStarted();
	}

	@Test
	void aSessionThatHoldsAgainRunsAgain() {
		CodingTools tools = tools();
		this.restrictions = Set::of;
		refusedCommand(RefusalCode.SANDBOX_INSUFFICIENT, tools);
		this.restrictions = () -> ALL;
		ToolAnswers.done(tools, "run_command", Map.of("command", "true"));
	}

	@Test
	void filesNeedNoRestriction() {
		CodingTools tools = tools();
		this.restrictions = () -> {
			throw failure("other");
		};
		ToolAnswers.done(tools, "read_file", Map.of("path", "README"));
	}

	@Test
	void noToolsAreBuiltOverASessionThatDoesNotSay() {
		for (Supplier<Set<Restriction>> said : List.<Supplier<Set<Restriction>>>of(() -> null, Set::of, () -> {
			throw failure("other");
		})) {
			this.restrictions = said;
			assertThatExceptionOfType(SandboxException.class).isThrownBy(this::tools)
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE))
				.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain(this.sandboxes.root().toString()));
		}
		assertNothingStarted();
	}

}
