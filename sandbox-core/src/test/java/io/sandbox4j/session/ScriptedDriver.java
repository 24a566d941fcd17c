package io.sandbox4j.session;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OutputSink;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.Signal;

/**
 * A driver whose commands do what a test says, when it says it.
 */
final class ScriptedDriver implements SandboxDriver {

	private final List<ScriptedExecution> started = new CopyOnWriteArrayList<>();

	/**
	 * What happens while a command is being started.
	 */
	volatile Consumer<ScriptedExecution> onStart = (execution) -> {
	};

	volatile Runnable onEnsureOwned = () -> {
	};

	volatile Consumer<NetworkPolicy> onPolicy = (policy) -> {
	};

	volatile Files files;

	@Override
	public Execution start(ExecSpec command, OutputSink output) {
		ScriptedExecution execution = new ScriptedExecution(output);
		this.started.add(execution);
		this.onStart.accept(execution);
		return execution;
	}

	List<ScriptedExecution> started() {
		return this.started;
	}

	ScriptedExecution only() {
		if (this.started.size() != 1) {
			throw new AssertionError(this.started.size() + " commands were started");
		}
		return this.started.get(0);
	}

	@Override
	public Files files() {
		return this.files;
	}

	@Override
	public void setNetworkPolicy(NetworkPolicy policy) {
		this.onPolicy.accept(policy);
	}

	@Override
	public Set<Restriction> restrictions(NetworkPolicy policy) {
		return (policy instanceof NetworkPolicy.DenyAll) ? Set.of(Restriction.NETWORK_DENIED) : Set.of();
	}

	@Override
	public void ensureOwned() {
		this.onEnsureOwned.run();
	}

	/**
	 * A command of the script.
	 */
	static final class ScriptedExecution implements Execution {

		final OutputSink output;

		final List<Signal> signals = new CopyOnWriteArrayList<>();

		final ByteArrayOutputStream input = new ByteArrayOutputStream();

		final CompletableFuture<Void> inputClosed = new CompletableFuture<>();

		final CompletableFuture<Void> killed = new CompletableFuture<>();

		final CompletableFuture<Exit> ended = new CompletableFuture<>();

		final CompletableFuture<Exit> exit = new CompletableFuture<>();

		final CompletableFuture<Void> settled = new CompletableFuture<>();

		ScriptedExecution(OutputSink output) {
			this.output = output;
			this.exit.whenComplete((exit, failure) -> {
				if (failure != null) {
					this.ended.completeExceptionally(failure);
				}
				else {
					this.ended.complete(exit);
				}
			});
		}

		/**
		 * Ends, and leaves processes behind that are not gone yet.
		 */
		ScriptedExecution endFirst() {
			this.ended.complete(new Exit(Exit.Kind.EXITED, 0, "", true));
			return this;
		}

		/**
		 * Ends as killed as soon as it is.
		 */
		ScriptedExecution obeying() {
			this.killed.thenRun(() -> end(Exit.Kind.KILLED, 9));
			return this;
		}

		void end(Exit.Kind kind, int value) {
			this.settled.complete(null);
			this.exit.complete(new Exit(kind, value, reason(kind), true));
		}

		void endUnproven() {
			this.exit.complete(new Exit(Exit.Kind.KILLED, 9, reason(Exit.Kind.KILLED), false));
		}

		private static String reason(Exit.Kind kind) {
			return (kind != Exit.Kind.EXITED) ? "from the driver" : "";
		}

		void print(String stdout, String stderr) {
			this.output.stdout(stdout.getBytes(), 0, stdout.length());
			this.output.stderr(stderr.getBytes(), 0, stderr.length());
		}

		@Override
		public String id() {
			return "command";
		}

		@Override
		public OutputStream stdin() {
			return new OutputStream() {

				@Override
				public void write(int value) throws IOException {
					if (ScriptedExecution.this.exit.isDone()) {
						throw new IOException("Broken pipe");
					}
					ScriptedExecution.this.input.write(value);
				}

				@Override
				public void close() {
					ScriptedExecution.this.inputClosed.complete(null);
				}

			};
		}

		@Override
		public void signal(Signal signal) {
			this.signals.add(signal);
		}

		@Override
		public void kill() {
			this.killed.complete(null);
		}

		@Override
		public CompletableFuture<Exit> ended() {
			return this.ended;
		}

		@Override
		public CompletableFuture<Exit> exit() {
			return this.exit;
		}

		@Override
		public CompletableFuture<Void> settled() {
			return this.settled;
		}

	}

}
