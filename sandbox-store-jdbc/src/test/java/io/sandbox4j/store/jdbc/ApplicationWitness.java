package io.sandbox4j.store.jdbc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.checkpoint.Checkpoint;
import io.sandbox4j.checkpoint.RestoreSpec;
import io.sandbox4j.install.InstallState;
import io.sandbox4j.install.Installs;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.OperationStatus;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.SandboxRecord;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Remembers what whole applications were told of checkpoints and installs before they
 * were killed, and compares it with what the next one finds.
 */
final class ApplicationWitness {

	private final Witness runs;

	private final Set<String> done = new HashSet<>();

	private final Map<String, Captured> captured = new HashMap<>();

	private final Map<String, Install> installs = new HashMap<>();

	private final Map<String, List<String>> logs = new HashMap<>();

	private int captures;

	private int installed;

	ApplicationWitness(Witness runs) {
		this.runs = runs;
	}

	void heard(List<String> lines) {
		List<String> ofRuns = new ArrayList<>();
		for (String line : lines) {
			String[] words = line.split(" ");
			switch (words[0]) {
				case "captured" -> {
					this.captures++;
					this.captured.put(words[1], new Captured(words[2], Set.copyOf(this.done)));
				}
				case "installing" -> this.installs.put(words[1], new Install(words[2], false));
				case "installed" -> {
					this.installed++;
					this.installs.put(words[1], new Install(words[2], true));
				}
				default -> ofRuns.add(line);
			}
			if (words[0].equals("settled") && words[2].equals(OperationStatus.DONE.name())) {
				this.done.add(words[1]);
			}
		}
		this.runs.heard(ofRuns);
	}

	/**
	 * Looks at one sandbox as the next application has it, before it does anything.
	 * @param application the application
	 * @param sandbox what the store has of the sandbox
	 */
	void look(Application application, SandboxRecord sandbox) {
		SandboxState state = sandbox.state();
		if (state == null || !sandbox.prepared()) {
			return;
		}
		SandboxHandle handle = application.backend()
			.create(SandboxRequest.attach(state).network(NetworkPolicy.denyAll()).build());
		try {
			List<String> log = lines(handle, "cat log 2>/dev/null || true");
			List<String> before = this.logs.put(state.sessionId(), log);
			if (before != null) {
				assertThat(beginning(log, before)).as("what was done stays").isEqualTo(before);
			}
			assertWhole(handle, log);
			assertInstalled(application, handle);
			assertRestorable(application, sandbox, log);
		}
		finally {
			handle.stop();
		}
	}

	private static List<String> beginning(List<String> log, List<String> like) {
		return log.subList(0, Math.min(log.size(), like.size()));
	}

	private static void assertWhole(SandboxHandle handle, List<String> log) {
		assertThat(log).as("what was done, once").doesNotHaveDuplicates();
		assertThat(lines(handle, "ls f 2>/dev/null | cat; cat f/* 2>/dev/null | cat")).as("a file of each")
			.containsAll(log);
	}

	private void assertInstalled(Application application, SandboxHandle handle) {
		Install told = this.installs.get(handle.session().id());
		try (Installs installs = application.installs(handle.session())) {
			InstallState state = installs.state(".");
			assertThat(state).as("nothing runs that nobody started").isNotInstanceOf(InstallState.Running.class);
			if (told != null && told.done()) {
				assertThat(state).as("what was done stays").isInstanceOf(InstallState.Done.class);
				assertThat(handle.session().files().readText("node_modules/whole")).contains(told.which());
			}
			assertThat(handle.session().files().exists("two")).as("two installs at once").isFalse();
		}
	}

	private void assertRestorable(Application application, SandboxRecord sandbox, List<String> log) {
		String session = sandbox.state().sessionId();
		Captured told = this.captured.get(session);
		if (told == null) {
			return;
		}
		assertThat(application.checkpoints().list(session)).extracting(Checkpoint::id)
			.as("the checkpoint that was told last")
			.contains(told.id());
		SandboxHandle fresh = application.backend()
			.create(SandboxRequest.from(application.template()).network(NetworkPolicy.denyAll()).build());
		try {
			application.checkpoints().restore(RestoreSpec.of(told.id()).withReplace(true), fresh);
			List<String> restored = lines(fresh, "cat log 2>/dev/null || true");
			assertThat(restored).as("what was captured is what was there").isEqualTo(beginning(log, restored));
			assertWhole(fresh, restored);
			told.done()
				.stream()
				.filter((operation) -> operation.startsWith(sandbox.key() + "/"))
				.forEach((operation) -> assertThat(restored).as("what was answered before it was captured")
					.contains(operation.replace('/', '+')));
		}
		finally {
			fresh.delete();
		}
	}

	private static List<String> lines(SandboxHandle handle, String script) {
		String output = handle.session().run(ExecSpec.shell(script)).orThrow().stdoutText();
		return Arrays.stream(output.split("\n")).filter((line) -> !line.isEmpty()).toList();
	}

	/**
	 * Compares the end with what all sandboxes have.
	 * @param store the store
	 */
	void requireAllDone(RunStore store) {
		for (SandboxRecord sandbox : sandboxes(store)) {
			SandboxState state = sandbox.state();
			List<String> log = (state != null) ? this.logs.getOrDefault(state.sessionId(), List.of()) : List.of();
			for (String name : log) {
				assertThat(operation(store, name).owner()).as("what was done was begun").isNotEmpty();
			}
			this.done.stream()
				.filter((operation) -> operation.startsWith(sandbox.key() + "/"))
				.forEach((operation) -> assertThat(log).as("what was answered").contains(operation.replace('/', '+')));
		}
		assertThat(this.done).as("the applications did something").isNotEmpty();
		assertThat(this.captures).isPositive();
		System.out.println("Witness: " + this.done.size() + " answers, " + this.captures + " checkpoints, "
				+ this.installed + " installs told");
	}

	private static OperationRecord operation(RunStore store, String name) {
		String[] ids = name.split("\\+");
		OperationRecord operation = store
			.<@Nullable OperationRecord>read((view) -> view.operation(ids[0], ids[1], ids[2]));
		assertThat(operation).as(name).isNotNull();
		return operation;
	}

	static List<SandboxRecord> sandboxes(RunStore store) {
		return store.read((view) -> view.sandboxes("", 100));
	}

	/**
	 * A checkpoint that a caller was told of.
	 *
	 * @param id its id
	 * @param done what a caller knew to be done before
	 */
	private record Captured(String id, Set<String> done) {

	}

	/**
	 * An install that was asked for last.
	 *
	 * @param which which one
	 * @param done whether a caller was told that it is done
	 */
	private record Install(String which, boolean done) {

	}

}
