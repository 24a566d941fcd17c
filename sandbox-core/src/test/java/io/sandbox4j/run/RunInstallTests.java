package io.sandbox4j.run;

import java.time.Duration;

import io.sandbox4j.SandboxSession;
import io.sandbox4j.advisory.Advisories;
import io.sandbox4j.advisory.Advisory;
import io.sandbox4j.advisory.AdvisoryKind;
import io.sandbox4j.install.InstallPlan;
import io.sandbox4j.install.InstallState;
import io.sandbox4j.install.InstallStore;
import io.sandbox4j.install.Installs;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Installs in the session of a durable sandbox, as the page about runs has it.
 */
@Tag("isolation")
class RunInstallTests {

	private static final String REPOSITORY = "owner/repo";

	@RegisterExtension
	static final RunsExtension extension = new RunsExtension();

	private final InstallStore store = InstallStore.inMemory();

	private Installs installs(SandboxSession session) {
		InstallPlan plan = InstallPlan.builder()
			.override(REPOSITORY, "echo x >>count; until [ -e go ]; do sleep 0.02; done; mkdir -p node_modules",
					"node_modules")
			.build();
		return Installs.builder(session, this.store).plan(plan).build();
	}

	@Test
	void aSandboxIsNotStoppedAmidAnInstallAndKnowsItsEndLater() {
		DurableSandbox sandbox = extension.sandbox((turn) -> "");
		Installs installs = sandbox.use(this::installs);
		sandbox.use((session) -> {
			session.files().writeText("package.json", "{}");
			return installs.start(".", REPOSITORY);
		});
		assertThat(sandbox.release().released()).isFalse();
		assertThat(Advisories.of(installs, ".")).extracting(Advisory::kind).containsExactly(AdvisoryKind.DEPS_BUILDING);
		sandbox.use((session) -> {
			session.files().writeText("go", "");
			return null;
		});
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> installs.state(".") instanceof InstallState.Done);
		installs.close();
		assertThat(sandbox.release().released()).isTrue();
		InstallState next = sandbox.use((session) -> {
			try (Installs again = installs(session)) {
				assertThat(Advisories.of(again, ".")).isEmpty();
				return again.start(".", REPOSITORY);
			}
		});
		assertThat(next).isInstanceOfSatisfying(InstallState.Done.class, (done) -> assertThat(done.took()).isZero());
		sandbox.release();
	}

}
