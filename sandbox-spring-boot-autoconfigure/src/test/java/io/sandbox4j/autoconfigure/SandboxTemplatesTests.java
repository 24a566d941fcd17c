package io.sandbox4j.autoconfigure;

import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SandboxTemplates}.
 */
class SandboxTemplatesTests {

	private final StubSandboxBackend backend = new StubSandboxBackend();

	@Test
	void preparesEveryTemplate() {
		SandboxTemplates templates = SandboxTemplates.prewarm(this.backend, List.of(template("b"), template("a")));
		assertThat(templates.names()).containsExactly("a", "b");
		assertThat(templates.get("b").key()).isEqualTo("%064x".formatted(0));
		assertThat(this.backend.prewarmed).extracting(SandboxTemplate::name).containsExactly("b", "a");
	}

	@Test
	void listsTheKnownNamesForAnUnknownOne() {
		SandboxTemplates templates = SandboxTemplates.prewarm(this.backend, List.of(template("b"), template("a")));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> templates.get("c"))
			.withMessageContaining("'c'")
			.withMessageContaining("'a', 'b'")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_NOT_FOUND));
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> SandboxTemplates.prewarm(this.backend, List.of()).get("c"))
			.withMessageContaining("None is declared");
	}

	@Test
	void refusesTwoOfTheSameNameBeforeOneIsStored() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> SandboxTemplates.prewarm(this.backend, List.of(template("a"), template("a"))))
			.withMessageContaining("'a'")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
		assertThat(this.backend.prewarmed).isEmpty();
	}

	@Test
	void namesTheTemplateThatCannotBePrepared() {
		SandboxException failure = new SandboxException(ErrorCode.SANDBOX_LIMIT, "Too large.");
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> SandboxTemplates.prewarm(failing(failure), List.of(template("a"))))
			.withMessage("Template 'a' cannot be prepared: Too large.")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_LIMIT));
	}

	@Test
	void keepsWhyTheHostIsUnusable() {
		SandboxException failure = new SandboxUnavailableException(Cause.DIRECTORY_UNUSABLE, "No.", "Do.", null);
		assertThatExceptionOfType(SandboxUnavailableException.class)
			.isThrownBy(() -> SandboxTemplates.prewarm(failing(failure), List.of(template("a"))))
			.isSameAs(failure);
	}

	private StubSandboxBackend failing(SandboxException failure) {
		return new StubSandboxBackend() {

			@Override
			public PreparedTemplate prewarm(SandboxTemplate template) {
				throw failure;
			}

		};
	}

	private SandboxTemplate template(String name) {
		return SandboxTemplate.named(name).file("a.txt", name).build();
	}

}
