package io.sandbox4j.store.jdbc;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.sandbox4j.run.SandboxRuns;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications with durable runs that are killed at any moment, and what the next one
 * finds. {@code sandbox.test.kills} sets how many.
 */
interface KillFacts {

	int KILLS = Integer.getInteger("sandbox.test.kills", 6);

	TestDatabase database();

	Path temporary();

	@Test
	default void nothingIsLostOrDoneTwiceWhateverIsKilledWhen() throws Exception {
		long seed = Long.getLong("sandbox.test.seed", 11);
		Random random = new Random(seed);
		Path begun = temporary().resolve("begun");
		Witness witness = new Witness(begun);
		for (int kill = 0; kill < KILLS; kill++) {
			Path own = temporary().resolve("child" + kill);
			try (ChildJvm child = ChildJvm.start(own, RunningChild.class, database().arguments(), begun.toString(),
					"k" + kill)) {
				if (random.nextInt(4) == 0) {
					pause(random.nextInt(1500));
				}
				else {
					// By what it did: how fast it is depends on what else the machine
					// does.
					for (int line = random.nextInt(30); line >= 0; line--) {
						child.awaitLine();
					}
					pause(random.nextInt(30));
				}
				assertThat(child.isAlive()).as("it works until it is killed").isTrue();
				witness.heard(child.kill());
			}
			LeftBehind.delete(own);
			try (JdbcRunStore store = database().builder().build()) {
				witness.look(store);
			}
		}
		witness.requireWork();
		recover(begun, witness);
	}

	private static void pause(int millis) {
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
	}

	private void recover(Path begun, Witness witness) {
		try (JdbcRunStore store = database().builder().build()) {
			try (SandboxRuns runs = RunningChild.runs(store, begun)) {
				Awaitility.await()
					.atMost(Duration.ofSeconds(60))
					.until(() -> store.read((view) -> view.unsettled("", 10)).isEmpty());
				runs.list("", 10);
			}
			witness.look(store);
			witness.requireAllSettled();
			store.check();
		}
	}

}
