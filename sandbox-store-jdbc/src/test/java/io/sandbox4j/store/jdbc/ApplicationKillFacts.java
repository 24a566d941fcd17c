package io.sandbox4j.store.jdbc;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.SandboxRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whole applications that are killed at any moment: real sandboxes, durable runs,
 * checkpoints and installs. {@code sandbox.test.kills} sets how many.
 */
interface ApplicationKillFacts {

	int KILLS = Integer.getInteger("sandbox.test.kills", 3);

	TestDatabase database();

	ApplicationDirectories directories();

	@Test
	default void whateverIsKilledWhenTheNextApplicationFindsAllThatWasTold() throws Exception {
		Random random = new Random(Long.getLong("sandbox.test.seed", 23));
		Witness runs = new Witness(directories().root().resolve("begun"));
		ApplicationWitness witness = new ApplicationWitness(runs);
		for (int kill = 0; kill < KILLS; kill++) {
			Path own = directories().root().resolve("child" + kill);
			try (ChildJvm child = ChildJvm.start(own, ApplicationChild.class, database().arguments(),
					directories().root().toString(), directories().runtime().toString(), "k" + kill)) {
				if (kill == 0) {
					awaitLine(child, "settled \\S+ DONE .*");
					awaitLine(child, "captured .*");
				}
				else if (random.nextInt(4) == 0) {
					pause(random.nextInt(1500));
				}
				else {
					// By what it did: how fast it is depends on what else the machine
					// does.
					for (int line = random.nextInt(25); line >= 0; line--) {
						child.awaitLine();
					}
					pause(random.nextInt(60));
				}
				assertThat(child.isAlive()).as("it works until it is killed: %s", child.errors()).isTrue();
				witness.heard(child.kill());
			}
			LeftBehind.delete(own);
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.untilAsserted(() -> assertThat(directories().processes()).as("guests left behind").isEmpty());
			look(runs, witness, random.nextInt(RunningChild.SANDBOXES));
		}
		recover(runs, witness);
	}

	private static void pause(int millis) {
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
	}

	private static void awaitLine(ChildJvm child, String expected) throws InterruptedException {
		String line = child.awaitLine();
		while (!line.matches(expected)) {
			line = child.awaitLine();
		}
	}

	// Its own runs would settle what was lost, and go on, so it has others.
	private void look(Witness runs, ApplicationWitness witness, int which) {
		try (JdbcRunStore store = database().builder().build()) {
			runs.look(store);
			List<SandboxRecord> sandboxes = ApplicationWitness.sandboxes(store);
			if (which < sandboxes.size()) {
				look(witness, sandboxes.subList(which, which + 1));
			}
		}
	}

	private void look(ApplicationWitness witness, List<SandboxRecord> sandboxes) {
		try (RunStore none = RunStore.inMemory(); Application next = application(none)) {
			sandboxes.forEach((sandbox) -> witness.look(next, sandbox));
		}
	}

	private Application application(RunStore store) {
		return new Application(directories().root(), directories().runtime(), store, (checkpoint) -> {
		});
	}

	private void recover(Witness runs, ApplicationWitness witness) {
		try (JdbcRunStore store = database().builder().build()) {
			try (Application last = application(store)) {
				Awaitility.await()
					.atMost(Duration.ofSeconds(60))
					.until(() -> store.read((view) -> view.unsettled("", 10)).isEmpty());
				last.checkpoints().collect();
			}
			runs.look(store);
			runs.requireAllSettled();
			look(witness, ApplicationWitness.sandboxes(store));
			witness.requireAllDone(store);
			store.check();
		}
	}

}
