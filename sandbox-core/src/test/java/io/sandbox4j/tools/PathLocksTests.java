package io.sandbox4j.tools;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.sandbox4j.WorkspacePath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PathLocksTests {

	private static final WorkspacePath A = WorkspacePath.parse("a");

	private static final WorkspacePath B = WorkspacePath.parse("b");

	private final PathLocks locks = new PathLocks();

	@Test
	@Timeout(60)
	void onePathIsHeldByOneCallWhateverTheOrder() {
		AtomicInteger inside = new AtomicInteger();
		CompletableFuture<?>[] calls = new CompletableFuture<?>[4];
		for (int i = 0; i < calls.length; i++) {
			boolean turned = i % 2 == 0;
			calls[i] = CompletableFuture.runAsync(() -> {
				for (int round = 0; round < 2000; round++) {
					enterAndLeave(inside, turned);
				}
			});
		}
		CompletableFuture.allOf(calls).join();
		assertThat(this.locks.size()).isZero();
	}

	private void enterAndLeave(AtomicInteger inside, boolean turned) {
		try {
			PathLocks.Held held = turned ? this.locks.lock(A, B) : this.locks.lock(B, A);
			try {
				assertThat(inside.incrementAndGet()).isOne();
				inside.decrementAndGet();
			}
			finally {
				held.release();
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void anInterruptedWaitHoldsNothing() throws Exception {
		PathLocks.Held held = this.locks.lock(A);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.locks.lock(A, B));
		held.release();
		assertThat(this.locks.size()).isZero();
	}

	@Test
	void aPathThatIsNamedTwiceIsHeldOnce() throws Exception {
		this.locks.lock(A, A).release();
		assertThat(this.locks.size()).isZero();
	}

}
