package io.sandbox4j.git;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxSession;

/**
 * What the agent committed. Its objects are looked at through a repository of our own in
 * the private {@code /tmp} of a command, so that configuration, hooks, replaced objects
 * and grafts of the agent's have no part, and nothing is written beside it.
 */
final class CommitLog {

	private static final int MAX_COMMITS = 100;

	private static final int MAX_BYTES = 16_384;

	// FORMAT, MAX, HEAD, then the commits that are known
	private static final String LOG = """
			set -eu
			g=/tmp/sandbox4j-log
			git init --quiet --bare --template= --object-format="$1" "$g"
			export GIT_DIR="$g" GIT_ALTERNATE_OBJECT_DIRECTORIES=/workspace/.git/objects
			max="$2" head="$3"
			shift 3
			for known; do
				if git cat-file -e "$known^{commit}"; then echo "^$known"; fi
			done >"$g/known"
			git rev-list --max-count="$max" "$head" --stdin <"$g/known" | git cat-file --batch
			""";

	private static final Pattern HEAD = Pattern.compile("([0-9a-f]{40,64}) commit ([0-9]{1,18})");

	private final SandboxSession session;

	private final Path file;

	private final Duration timeout;

	/**
	 * Creates a log.
	 * @param session the sandbox's session
	 * @param store where it is kept which commits are known
	 * @param timeout how long the look may take
	 */
	CommitLog(SandboxSession session, ObjectStore store, Duration timeout) {
		this.session = session;
		this.file = store.directory().resolve("agent-head");
		this.timeout = timeout;
	}

	/**
	 * Begins after the commit that a seed made.
	 * @param commit the commit
	 * @throws IOException if it cannot be kept
	 */
	void begin(String commit) throws IOException {
		keep(List.of(commit));
	}

	/**
	 * Has the next look begin after what the agent has committed now.
	 * @throws IOException if that cannot be kept; the next look then begins where this
	 * one would have
	 */
	void mark() throws IOException {
		String head = GuestHead.read(this.session.files());
		List<String> known = known();
		if (head != null && !known.contains(head)) {
			keep(known.isEmpty() ? List.of(head) : List.of(known.get(0), head));
		}
	}

	private void keep(List<String> commits) throws IOException {
		Path fresh = this.file.resolveSibling("agent-head.tmp");
		Files.writeString(fresh, String.join("\n", commits));
		Files.move(fresh, this.file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
	}

	private List<String> known() throws IOException {
		return Files.exists(this.file)
				? Files.readString(this.file).lines().filter((line) -> GuestHead.isId(line)).toList() : List.of();
	}

	/**
	 * Reads the commits since the last mark. A repository that tells nothing has none.
	 * @param format the format of objects
	 * @return the commits, newest first
	 */
	List<AgentCommit> read(String format) {
		String head = GuestHead.read(this.session.files());
		try {
			List<String> known = known();
			if (head == null || known.contains(head)) {
				return List.of();
			}
			try (SandboxProcess process = this.session.start(command(format, head, known))) {
				process.stdin().close();
				GitCommand.STREAMS.execute(() -> drain(process.stderr()));
				List<AgentCommit> commits = parse(new BufferedInputStream(process.stdout()));
				// The sync that may follow refuses to work beside a command.
				process.cancel("The commits are read").join();
				return commits;
			}
		}
		catch (IOException ex) {
			throw ObjectStore.failed(ex);
		}
	}

	private ExecSpec command(String format, String head, List<String> known) {
		List<String> args = new ArrayList<>(
				List.of("-c", LOG, "sandbox4j-log", format, String.valueOf(MAX_COMMITS), head));
		args.addAll(known);
		// A commit graph of the agent's could name other parents than the commits do.
		Map<String, String> environment = GitCommand.settings("core.commitGraph", "false");
		environment.put("PATH", "/usr/bin:/bin");
		environment.put("HOME", "/nonexistent");
		return ExecSpec.of("/bin/sh", args).withEnvironment(environment).withTimeout(this.timeout);
	}

	// ID "commit" SIZE, the bytes and a line end, see git-cat-file(1). What ends early is
	// a repository that is not whole: what it has told so far counts.
	private static List<AgentCommit> parse(InputStream output) throws IOException {
		List<AgentCommit> commits = new ArrayList<>();
		Matcher head = HEAD.matcher(GuestTree.line(output));
		while (head.matches() && commits.size() < MAX_COMMITS) {
			long size = Long.parseLong(head.group(2));
			byte[] raw = output.readNBytes((int) Math.min(size, MAX_BYTES));
			commits.add(CommitText.parse(head.group(1), raw));
			for (long left = size + 1 - raw.length; left > 0;) {
				long skipped = output.skip(left);
				left = (skipped > 0 || output.read() >= 0) ? left - Math.max(skipped, 1) : 0;
			}
			head = HEAD.matcher(GuestTree.line(output));
		}
		return List.copyOf(commits);
	}

	private static void drain(InputStream stream) {
		try (InputStream input = stream) {
			input.transferTo(OutputStream.nullOutputStream());
		}
		catch (IOException ex) {
			return;
		}
	}

}
