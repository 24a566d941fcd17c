package io.sandbox4j.test;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.sandbox4j.OutputSink;
import io.sandbox4j.SandboxDriver.Execution;
import io.sandbox4j.SandboxDriver.Exit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Takes what a driver delivers and notes what it must not do.
 */
final class ContractSink implements OutputSink {

	private final Stream stdout = new Stream("standard output");

	private final Stream stderr = new Stream("standard error");

	private final List<String> complaints = new CopyOnWriteArrayList<>();

	private final AtomicBoolean ended = new AtomicBoolean();

	private final CountDownLatch open;

	private ContractSink(int locks) {
		this.open = new CountDownLatch(locks);
	}

	static ContractSink open() {
		return new ContractSink(0);
	}

	/**
	 * Returns a sink that takes its first bytes and keeps whoever delivers them.
	 * @return the sink
	 */
	static ContractSink locked() {
		return new ContractSink(1);
	}

	void unlock() {
		this.open.countDown();
	}

	/**
	 * Waits for the end of a command, after which nothing may be delivered.
	 * @param execution the command
	 * @return its exit
	 */
	Exit exit(Execution execution) {
		Exit exit = ContractFixture.result(execution.exit().thenApply((end) -> {
			this.ended.set(true);
			return end;
		}));
		if (exit.proven()) {
			ContractFixture.result(execution.settled());
		}
		return exit;
	}

	/**
	 * Waits for the end of a command, and asserts that it is proven and was this one.
	 * @param execution the command
	 * @param kind the way it ended
	 * @param value the exit code or the signal's number
	 */
	void assertEnded(Execution execution, Exit.Kind kind, int value) {
		Exit exit = exit(execution);
		assertThat(exit.kind()).as(exit.reason()).isEqualTo(kind);
		assertThat(exit.value()).isEqualTo(value);
		assertThat(exit.reason().isEmpty()).isEqualTo(kind == Exit.Kind.EXITED);
		assertThat(exit.proven()).isTrue();
		assertThat(this.complaints).isEmpty();
	}

	@Override
	public void stdout(byte[] buffer, int offset, int length) {
		this.stdout.take(buffer, offset, length);
	}

	@Override
	public void stderr(byte[] buffer, int offset, int length) {
		this.stderr.take(buffer, offset, length);
	}

	String stdoutText() {
		return this.stdout.text();
	}

	String stderrText() {
		return this.stderr.text();
	}

	int stdoutSize() {
		return this.stdout.size();
	}

	int stderrSize() {
		return this.stderr.size();
	}

	byte[] stdoutBytes() {
		return this.stdout.copy();
	}

	private final class Stream {

		private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

		private final AtomicBoolean busy = new AtomicBoolean();

		private final String name;

		Stream(String name) {
			this.name = name;
		}

		void take(byte[] buffer, int offset, int length) {
			if (!this.busy.compareAndSet(false, true)) {
				ContractSink.this.complaints.add("Two threads delivered " + this.name + " at once");
			}
			if (ContractSink.this.ended.get()) {
				ContractSink.this.complaints.add("Bytes of " + this.name + " came after the exit");
			}
			synchronized (this.bytes) {
				this.bytes.write(buffer, offset, length);
			}
			awaitOpen();
			this.busy.set(false);
		}

		// Whoever delivers may be interrupted by a kill, and its bytes count all the
		// same.
		private void awaitOpen() {
			try {
				if (!ContractSink.this.open.await(ContractFixture.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
					ContractSink.this.complaints.add("The test never took " + this.name);
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		byte[] copy() {
			synchronized (this.bytes) {
				return this.bytes.toByteArray();
			}
		}

		String text() {
			synchronized (this.bytes) {
				return this.bytes.toString(StandardCharsets.UTF_8);
			}
		}

		int size() {
			synchronized (this.bytes) {
				return this.bytes.size();
			}
		}

	}

}
