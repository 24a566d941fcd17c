package io.sandbox4j.store.jdbc;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.run.AgentFailedException;
import io.sandbox4j.run.DurableSandbox;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.RunAdapter;
import io.sandbox4j.run.RunSpec;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.SandboxRuns;
import io.sandbox4j.run.Turn;
import io.sandbox4j.test.FakeSandboxBackend;

/**
 * An application with durable runs that does this and that until it is killed. What a
 * call returned it says, and what a turn begins is a line in a file.
 */
public final class RunningChild {

	static final int SANDBOXES = 3;

	private static final int RUNS = 4;

	private final SandboxRuns runs;

	private final Random random;

	private final String name;

	private final List<String[]> submitted = new ArrayList<>();

	private int count;

	RunningChild(SandboxRuns runs, String name) {
		this.runs = runs;
		this.name = name;
		this.random = new Random(name.hashCode());
	}

	public static void main(String[] args) {
		List<String> arguments = List.of(args);
		endWithTheTest();
		RunStore store = ChildDatabase.of(arguments.subList(2, args.length)).applicationBuilder().build();
		RunningChild child = new RunningChild(runs(store, Path.of(args[0])), args[1]);
		System.out.println("open");
		while (true) {
			child.step();
		}
	}

	// Nobody would kill it any more.
	static void endWithTheTest() {
		Thread watcher = new Thread(() -> {
			try {
				System.in.transferTo(OutputStream.nullOutputStream());
			}
			catch (IOException ex) {
				// It is over.
			}
			Runtime.getRuntime().halt(1);
		});
		watcher.setDaemon(true);
		watcher.start();
	}

	static SandboxRuns runs(RunStore store, Path begun) {
		FakeSandboxBackend backend = new FakeSandboxBackend();
		return SandboxRuns.builder(backend, backend.prewarm(SandboxTemplate.named("kill").build()), store, agent(begun))
			.network(NetworkPolicy.denyAll())
			.drainTimeout(Duration.ofSeconds(20))
			.build();
	}

	// What it is asked tells which operation it is.
	private static RunAdapter agent(Path begun) {
		return (turn) -> {
			note(begun, turn);
			for (int i = 0; i < ThreadLocalRandom.current().nextInt(3); i++) {
				turn.message("m" + i, "message " + i + " of " + turn.text());
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextInt(8)));
			}
			if (ThreadLocalRandom.current().nextInt(10) == 0) {
				throw new AgentFailedException("no answer to " + turn.text());
			}
			return "answer to " + turn.text();
		};
	}

	private static void note(Path begun, Turn turn) throws IOException {
		Files.writeString(begun, turn.text() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
	}

	void step() {
		try {
			String key = "s" + this.random.nextInt(SANDBOXES);
			String run = "r" + this.random.nextInt(RUNS);
			switch (this.random.nextInt(12)) {
				case 0 -> create(key);
				case 1 -> submitAgain();
				case 2, 3, 4 -> poll();
				case 5 -> stop(key);
				default -> submit(key, run);
			}
		}
		catch (SandboxException ex) {
			if (ex.code() != ErrorCode.SANDBOX_STOPPED && ex.code() != ErrorCode.SANDBOX_BUSY) {
				throw ex;
			}
		}
	}

	private void create(String key) {
		String run = this.name + "-" + this.random.nextInt(1000);
		this.runs.sandbox(key).createRun(RunSpec.of(run));
		System.out.println("created " + key + " " + run);
	}

	private void submit(String key, String run) {
		DurableSandbox sandbox = this.runs.sandbox(key);
		sandbox.createRun(RunSpec.of(run));
		String[] next = { key, run, this.name + "-" + this.count++ };
		sandbox.submit(run, next[2], String.join("/", next));
		this.submitted.add(next);
		System.out.println("submitted " + String.join("/", next));
	}

	private void submitAgain() {
		String[] earlier = earlier();
		if (earlier != null) {
			this.runs.sandbox(earlier[0]).submit(earlier[1], earlier[2], String.join("/", earlier));
			System.out.println("submitted " + String.join("/", earlier));
		}
	}

	private void poll() {
		String[] earlier = earlier();
		if (earlier != null) {
			OperationRecord record = this.runs.sandbox(earlier[0])
				.poll(earlier[1], earlier[2], Duration.ofMillis(this.random.nextInt(30)), 0)
				.operation();
			if (record.isSettled()) {
				System.out.println("settled " + String.join("/", earlier) + " " + record.status() + " "
						+ record.answer().replace('\n', ' '));
			}
		}
	}

	// Only runs of this application's own, so that others go on.
	private void stop(String key) {
		String run = this.name + "-stopped";
		DurableSandbox sandbox = this.runs.sandbox(key);
		sandbox.createRun(RunSpec.of(run));
		submit(key, run);
		sandbox.stopRun(run);
		System.out.println("stopped " + key + " " + run);
	}

	private String[] earlier() {
		return this.submitted.isEmpty() ? null : this.submitted.get(this.random.nextInt(this.submitted.size()));
	}

}
