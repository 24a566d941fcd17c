package io.sandbox4j.storage;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ProcessIdentityTests {

	@Test
	void thisProcessIsAlive() {
		assertThat(ProcessIdentity.self().isAlive()).isTrue();
	}

	@Test
	void sameNumberWithAnotherStartIsSomebodyElse() {
		ProcessIdentity self = ProcessIdentity.self();
		ProcessIdentity former = new ProcessIdentity(self.pid(), self.startTicks() - 1, self.bootId(),
				self.pidNamespace());
		assertThat(former.isAlive()).isFalse();
	}

	@Test
	void sameNumberInAnotherBootIsSomebodyElse() {
		ProcessIdentity self = ProcessIdentity.self();
		assertThat(new ProcessIdentity(self.pid(), self.startTicks(), "other", self.pidNamespace()).isAlive())
			.isFalse();
	}

	@Test
	void sameNumberInAnotherPidNamespaceIsSomebodyElse() {
		ProcessIdentity self = ProcessIdentity.self();
		assertThat(new ProcessIdentity(self.pid(), self.startTicks(), self.bootId(), "pid:[1]").isAlive()).isFalse();
	}

	@Test
	void killsTheProcessThatItNames() throws Exception {
		Process process = new ProcessBuilder("sleep", "600").start();
		ProcessIdentity.of(process.pid()).orElseThrow().kill();
		assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void sparesAProcessThatGotTheNumberLater() throws Exception {
		Process process = new ProcessBuilder("sleep", "600").start();
		try {
			ProcessIdentity identity = ProcessIdentity.of(process.pid()).orElseThrow();
			new ProcessIdentity(identity.pid(), identity.startTicks() - 1, identity.bootId(), identity.pidNamespace())
				.kill();
			assertThat(process.isAlive()).isTrue();
		}
		finally {
			process.destroyForcibly();
		}
	}

	@Test
	void neverKillsThisProcess() {
		ProcessIdentity.self().kill();
		assertThat(ProcessIdentity.self().isAlive()).isTrue();
	}

	@Test
	void zombieIsGone() throws Exception {
		// The shell becomes a sleep, which never reaps the child that ends later.
		Process parent = new ProcessBuilder("sh", "-c", "sleep 0.3 & echo $!; exec sleep 600").start();
		try {
			long zombie = Long.parseLong(parent.inputReader().readLine());
			await().untilAsserted(() -> {
				assertThat(ProcessHandle.of(zombie)).isPresent();
				assertThat(ProcessIdentity.of(zombie)).isEmpty();
			});
		}
		finally {
			parent.destroyForcibly();
		}
	}

	@Test
	void readsTheStartAfterTheLastParenthesisOfTheName() {
		String stat = "12 (a) S 1 (b)) S 1 12 12 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 7654 1000 1";
		assertThat(ProcessIdentity.parseStartTicks(stat)).isEqualTo(7654);
	}

	@Test
	void lineOfAnotherKindIsNoProcess() {
		assertThat(ProcessIdentity.parseStartTicks("")).isEqualTo(-1);
	}

}
