package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.git.SyncResult;
import io.sandbox4j.git.WorkspaceTransport;
import org.jspecify.annotations.Nullable;

/**
 * One trial of each competitor for one repository. Nothing is removed before the end:
 * ext4 searches long for an inode while many were freed a moment ago.
 */
final class GitRounds {

	private final SandboxBackend backend;

	private final String template;

	private final GitRepository repository;

	private final Path directory;

	private final String file;

	private @Nullable GitRepository peer;

	private @Nullable SandboxHandle handle;

	private @Nullable WorkspaceTransport transport;

	private final List<SandboxHandle> handles = new ArrayList<>();

	private int made;

	private int edits;

	GitRounds(SandboxBackend backend, String template, GitRepository repository, Path directory) throws Exception {
		this.backend = backend;
		this.template = template;
		this.repository = repository;
		this.directory = directory;
		this.file = repository.someFile();
	}

	double seed() throws Exception {
		WorkspaceTransport seeding = transport(sandbox());
		return seconds(seeding::seed);
	}

	double gitClone() throws Exception {
		Path clone = this.directory.resolve("clone" + ++this.made);
		return seconds(() -> this.repository.cloneTo(clone));
	}

	private SandboxHandle sandbox() {
		SandboxHandle handle = this.backend
			.create(SandboxRequest.from(this.template).network(NetworkPolicy.denyAll()).build());
		this.handles.add(handle);
		return handle;
	}

	private WorkspaceTransport transport(SandboxHandle handle) {
		return WorkspaceTransport
			.builder(handle.session(), this.repository.root(), this.directory.resolve("transport" + ++this.made))
			.build();
	}

	// What git says is of a clone, so that the two sides' changes do not meet.
	void open() throws Exception {
		this.peer = this.repository.cloneTo(this.directory.resolve("peer"));
		SandboxHandle opened = sandbox();
		WorkspaceTransport seeded = transport(opened);
		seeded.seed();
		this.handle = opened;
		this.transport = seeded;
	}

	private WorkspaceTransport transport() {
		return Objects.requireNonNull(this.transport, "'open' was not called");
	}

	private GitRepository peer() {
		return Objects.requireNonNull(this.peer, "'open' was not called");
	}

	double reconcileUnchanged() throws Exception {
		return sync(transport()::reconcile, 0);
	}

	double reconcileOneFile() throws Exception {
		edit(this.repository);
		return sync(transport()::reconcile, 1);
	}

	double extractOneFile() throws Exception {
		ExecResult result = Objects.requireNonNull(this.handle)
			.session()
			.run(ExecSpec.shell("printf '\\nedit %s\\n' " + ++this.edits + " >>" + this.file));
		if (!result.succeeded()) {
			throw new IOException("The file could not be changed: " + result.stderrText());
		}
		return sync(transport()::extract, 1);
	}

	double status() throws Exception {
		return seconds(() -> peer().git("status", "--porcelain"));
	}

	double statusOfOneFile() throws Exception {
		edit(peer());
		return told("status", "--porcelain");
	}

	double diffOfOneFile() throws Exception {
		edit(peer());
		return told("diff");
	}

	// What was not found as it should be, was not measured either.
	private double told(String... arguments) throws Exception {
		String[] output = { "" };
		double seconds = seconds(() -> output[0] = peer().git(arguments));
		if (!output[0].contains(this.file)) {
			throw new IOException("git did not name " + this.file);
		}
		return seconds;
	}

	private double sync(Callable<SyncResult> sync, int changes) throws Exception {
		SyncResult[] result = new SyncResult[1];
		double seconds = seconds(() -> result[0] = sync.call());
		if (result[0].conflicted() || result[0].changes().size() != changes) {
			throw new IOException("The sync came to " + result[0]);
		}
		return seconds;
	}

	private void edit(GitRepository edited) throws IOException {
		Files.writeString(edited.root().resolve(this.file), "\nedit " + ++this.edits + "\n", StandardOpenOption.APPEND);
	}

	private static double seconds(Callable<?> action) throws Exception {
		long before = System.nanoTime();
		action.call();
		return (System.nanoTime() - before) / 1e9;
	}

	void close() {
		for (SandboxHandle opened : this.handles) {
			opened.delete();
			opened.close();
		}
	}

}
