package io.sandbox4j.bubblewrap;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.sandbox4j.storage.ProcessIdentity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TeardownTests {

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);

	private final List<Long> gone = new CopyOnWriteArrayList<>();

	private final GuestContext context = new GuestContext((pid) -> {
	}, (id, pid) -> {
	}, this.gone::add, new Launcher(), this.executor, this.timer, Duration.ofSeconds(1), Duration.ofMillis(200));

	@AfterEach
	void endThreads() {
		this.executor.shutdownNow();
		this.timer.shutdownNow();
		this.context.launcher().close();
	}

	@Test
	void anInitThatIsGoneIsProofAndIsForgotten() throws Exception {
		Process process = new ProcessBuilder("sleep", "300").start();
		ProcessIdentity init = ProcessIdentity.of(process.pid()).orElseThrow();
		Teardown teardown = new Teardown(this.context);
		assertThat(prove(teardown, CompletableFuture.completedFuture(null), init)).isTrue();
		assertThat(process.waitFor(5, TimeUnit.SECONDS)).isTrue();
		assertThat(this.gone).containsExactly(init.pid());
		assertThat(teardown.settled()).isDone();
	}

	@Test
	void anInitThatCannotBeKilledIsNoProof() throws Exception {
		// A process never kills itself here, so to this code it looks unkillable.
		Teardown teardown = new Teardown(this.context);
		assertThat(prove(teardown, CompletableFuture.completedFuture(null), ProcessIdentity.self())).isFalse();
		assertThat(teardown.settled()).isNotDone();
		assertThat(this.gone).isEmpty();
	}

	@Test
	void outputThatStaysOpenIsNoProofUntilItEnds() throws Exception {
		CompletableFuture<Void> drained = new CompletableFuture<>();
		Teardown teardown = new Teardown(this.context);
		assertThat(prove(teardown, drained, null)).isFalse();
		assertThat(teardown.settled()).isNotDone();
		drained.complete(null);
		teardown.settled().get(5, TimeUnit.SECONDS);
	}

	private static boolean prove(Teardown teardown, CompletableFuture<Void> drained, ProcessIdentity init)
			throws Exception {
		return teardown.prove(drained, () -> init).get(10, TimeUnit.SECONDS);
	}

}
