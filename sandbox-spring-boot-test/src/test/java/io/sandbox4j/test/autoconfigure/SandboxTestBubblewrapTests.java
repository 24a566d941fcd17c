package io.sandbox4j.test.autoconfigure;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import io.sandbox4j.test.autoconfigure.app.CodeRunner;
import io.sandbox4j.test.autoconfigure.app.SandboxApplication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxTest} with real sandboxes. They fail, and are not skipped, on a
 * machine without bubblewrap.
 */
@Tag("isolation")
class SandboxTestBubblewrapTests {

	@Test
	void commandsAreThoseOfARealSandboxAndNothingIsLeft() {
		AtomicReference<Path> state = new AtomicReference<>();
		SandboxTestSliceTests.withContext(Real.class, (context) -> {
			BubblewrapBackend backend = context.getBean(BubblewrapBackend.class);
			state.set(backend.stateDirectory());
			assertThat(backend.isolation().held()).contains(Restriction.WRITE_CONTAINED);
			assertThat(backend.stateDirectory()).isDirectory();
			assertThat(backend.runtimeDirectory()).startsWith(backend.stateDirectory().resolveSibling("run"));
			assertThat(backend.stateDirectory().toString()).doesNotContain("/var/lib/production");
			assertThat(context.getBean(CodeRunner.class).run("/bin/sh", "-c", "cat in.txt; echo; pwd"))
				.isEqualTo("from the template\n/workspace\n");
			leaveALockedDirectory(context);
		});
		assertThat(state.get().getParent()).doesNotExist();
	}

	// As a test does that does not clean up.
	private static void leaveALockedDirectory(ApplicationContext context) {
		SandboxBackend backend = context.getBean(SandboxBackend.class);
		SandboxRequest request = SandboxRequest.from(backend.prewarm(SandboxTemplate.named("left").build()))
			.network(NetworkPolicy.denyAll())
			.build();
		SandboxHandle left = backend.create(request);
		left.session().run(ExecSpec.shell("mkdir -p d/e && touch d/e/f && ln -s /etc link && chmod 0 d/e d"));
	}

	@SandboxTest(backend = SandboxTest.Backend.BUBBLEWRAP,
			properties = "sandbox.state-directory=/var/lib/production/sandboxes")
	@ContextConfiguration(classes = SandboxApplication.class)
	@Import(CodeRunner.class)
	static class Real {

	}

}
