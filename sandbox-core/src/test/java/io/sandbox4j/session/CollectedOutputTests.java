package io.sandbox4j.session;

import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CollectedOutputTests {

	private final AtomicInteger overflows = new AtomicInteger();

	private final CollectedOutput output = new CollectedOutput(10, this.overflows::incrementAndGet);

	@Test
	void keepsBothStreamsApart() {
		this.output.stdout("xaby".getBytes(), 1, 2);
		this.output.stderr("c".getBytes(), 0, 1);
		this.output.stdout("d".getBytes(), 0, 1);
		assertThat(this.output.stdoutBytes()).asString().isEqualTo("abd");
		assertThat(this.output.stderrBytes()).asString().isEqualTo("c");
		assertThat(this.output.stdout()).hasBinaryContent("abd".getBytes());
		assertThat(this.output.stderr()).hasBinaryContent("c".getBytes());
	}

	@Test
	void exactlyTheLimitIsNoOverflow() {
		this.output.stdout(new byte[6], 0, 6);
		this.output.stderr(new byte[4], 0, 4);
		assertThat(this.overflows).hasValue(0);
		assertThat(this.output.omittedStdout() + this.output.omittedStderr()).isZero();
	}

	@Test
	void theLimitIsForBothStreamsAndTheRestIsCounted() {
		this.output.stdout(new byte[8], 0, 8);
		this.output.stderr(new byte[5], 0, 5);
		this.output.stdout(new byte[100], 0, 100);
		assertThat(this.output.stdoutBytes()).hasSize(8);
		assertThat(this.output.stderrBytes()).hasSize(2);
		assertThat(this.output.omittedStdout()).isEqualTo(100);
		assertThat(this.output.omittedStderr()).isEqualTo(3);
	}

	@Test
	void anOverflowIsToldOnce() {
		this.output.stdout(new byte[11], 0, 11);
		this.output.stdout(new byte[11], 0, 11);
		this.output.stderr(new byte[11], 0, 11);
		assertThat(this.overflows).hasValue(1);
	}

	@Test
	void nothingIsLostWhenBothStreamsComeAtOnce() {
		int limit = 5000;
		CollectedOutput racing = new CollectedOutput(limit, this.overflows::incrementAndGet);
		CompletableFuture<Integer> stdout = CompletableFuture.supplyAsync(() -> feed(racing::stdout, 1));
		CompletableFuture<Integer> stderr = CompletableFuture.supplyAsync(() -> feed(racing::stderr, 2));
		assertThat(stdout.join()).isEqualTo(racing.stdoutBytes().length + racing.omittedStdout());
		assertThat(stderr.join()).isEqualTo(racing.stderrBytes().length + racing.omittedStderr());
		assertThat(racing.stdoutBytes().length + racing.stderrBytes().length).isEqualTo(limit);
		assertThat(this.overflows).hasValue(1);
	}

	private static int feed(Chunk target, long seed) {
		Random random = new Random(seed);
		int total = 0;
		for (int i = 0; i < 1000; i++) {
			int length = random.nextInt(20);
			target.take(new byte[length], 0, length);
			total += length;
		}
		return total;
	}

	private interface Chunk {

		void take(byte[] buffer, int offset, int length);

	}

}
