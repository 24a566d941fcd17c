package io.sandbox4j.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;
import org.jspecify.annotations.Nullable;

/**
 * Carries the working tree of a Git repository of the host into a sandbox, and changes
 * both ways. Every sync point has the same bytes on both sides: what is on the disk,
 * staged or not, tracked or not, but for what is ignored. Thread-safe; one call at a
 * time.
 * <p>
 * <b>How it works.</b> Each side is read as a Git tree, without filters, line-end
 * conversion, hooks or anybody's configuration. A sync merges the trees of the two sides
 * over that of the last sync point, which moves only when the sides are equal; so a sync
 * that was cut off, wherever, is done by the next one. What an agent does to its own
 * repository (commits, resets, branches) has no part in it.
 * <p>
 * <b>The host.</b> Its repository is read only: index, refs, reflogs, configuration and
 * hooks stay as they are. Its tree is changed under a lock, all or nothing. Objects of
 * the sandbox are data: they are checked apart before they are kept, and nothing of them
 * is executed. A new symbolic link that leads out of the tree is refused, as is whatever
 * would overwrite something that is ignored on the host.
 * <p>
 * <b>What is not carried.</b> Ignored files (but for
 * {@link WorkspaceTransportBuilder#include}), empty directories, submodules and nested
 * repositories, and what Git does not know of a file: owners, times, modes other than the
 * execute permission. Results name them.
 * <p>
 * <b>What is not promised.</b> No command may run in the sandbox meanwhile: a sync then
 * ends with {@link ErrorCode#SANDBOX_BUSY}, but a command that starts later is not
 * noticed, and half of what it wrote may be carried. Programs of the host that write the
 * tree at the same instant are noticed file by file.
 *
 * @since 0.1.0
 */
public final class WorkspaceTransport {

	private static final Pattern BRANCH = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

	private static final Duration LOCK_PATIENCE = Duration.ofSeconds(30);

	private final SandboxSession session;

	private final ObjectStore store;

	private final HostTree host;

	private final GuestTree guest;

	private final HostUpdate hostUpdate;

	private final CommitLog log;

	private final SetupCommands setup;

	private final long maxSeed;

	private final Duration gitLockPatience;

	private @Nullable String format;

	WorkspaceTransport(WorkspaceTransportBuilder builder) {
		this.session = builder.session;
		this.store = new ObjectStore(builder.directory.toAbsolutePath().normalize());
		this.host = new HostTree(realPath(builder.root), this.store, builder.include, System.getenv());
		this.guest = new GuestTree(this.session, this.store, builder.timeout, builder.maxTransfer);
		this.hostUpdate = new HostUpdate(this.host, this.store);
		this.setup = new SetupCommands(this.session, builder.setup);
		this.log = new CommitLog(this.session, this.store, builder.timeout);
		this.maxSeed = builder.maxSeed;
		this.gitLockPatience = builder.gitLockPatience;
		if (this.store.directory().startsWith(this.host.root())) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'directory' must not be inside 'root': it would be carried with the tree.");
		}
	}

	private static Path realPath(Path root) {
		try {
			return root.toRealPath();
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'root' must be an existing directory.", ex);
		}
	}

	/**
	 * Starts to describe a transport.
	 * @param session the sandbox's session
	 * @param root the top directory of the host's working tree
	 * @param directory where the transport keeps its state, for this session alone; made
	 * if absent. It must last as long as the workspace, and may be deleted with it
	 * @return a builder
	 */
	public static WorkspaceTransportBuilder builder(SandboxSession session, Path root, Path directory) {
		return new WorkspaceTransportBuilder(session, root, directory);
	}

	/**
	 * Brings the host's tree into the empty workspace, as a repository of one or two
	 * commits: the host's last, and what was not committed. Then runs the setup commands.
	 * @return what was carried; {@link SyncResult#leftOut()} names what was not
	 * @throws SandboxException {@link ErrorCode#SANDBOX_STATE_MISMATCH} if the workspace
	 * is not empty or was seeded, {@link ErrorCode#SANDBOX_LIMIT} if the tree is larger
	 * than allowed, {@link ErrorCode#SANDBOX_UNAVAILABLE} if git is missing on either
	 * side, {@link SetupFailedException} if a setup command fails; nothing is half
	 * seeded: call it again
	 */
	public synchronized SyncResult seed() {
		requireQuiet();
		this.store.create(format(), this.session.id());
		requireSession();
		if (this.store.ref("base") != null) {
			throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
					"The workspace is seeded already. Call 'reconcile' to bring the host's changes.");
		}
		boolean begun = this.store.ref("seeding") != null;
		this.guest.preflight(begun);
		SyncResult result = seedTree(begun);
		// Others may sync the host's tree meanwhile.
		this.setup.run();
		this.store.setRefs("base", this.store.commit(result.after(), "base", null), "seeding", "");
		return result;
	}

	private SyncResult seedTree(boolean begun) {
		try (TreeLock lock = TreeLock.acquire(this.host.gitDirectory(), LOCK_PATIENCE)) {
			Objects.requireNonNull(lock);
			this.host.awaitIndex(this.gitLockPatience);
			this.store.borrow(this.host.objects());
			String live = this.host.snapshot();
			String commit = commits(live);
			Path pack = this.store.packCommit(commit, this.maxSeed);
			this.store.borrow(null);
			this.store.setRefs("seeding", commit);
			String nothing = this.store.emptyTree();
			CompletableFuture<SyncResult> result = GitCommand.meanwhile(() -> seeded(nothing, live));
			this.guest.seed(pack, format(), commit, branch(), this.host.rules(), begun);
			this.log.begin(commit);
			return GitCommand.joined(result);
		}
		catch (IOException ex) {
			throw ObjectStore.failed(ex);
		}
	}

	private String commits(String live) {
		List<String> head = this.host.head();
		if (head.isEmpty()) {
			return this.store.commit(live, "The host's tree, which has no commit", null);
		}
		String base = this.store.commit(head.get(1), "The host's " + head.get(0), null);
		return head.get(1).equals(live) ? base : this.store.commit(live, "What the host has not committed", base);
	}

	private SyncResult seeded(String nothing, String live) {
		return new SyncResult(nothing, live, changes(nothing, live), List.of(), this.host.notCarried());
	}

	private String branch() {
		GitCommand.Outcome<byte[]> branch = this.host.host("symbolic-ref", "--quiet", "--short", "HEAD").outcome();
		String name = new String(branch.value(), StandardCharsets.UTF_8).strip();
		return (BRANCH.matcher(name).matches() && !name.endsWith(".lock") && !name.contains("..")
				&& !name.endsWith(".")) ? name : "main";
	}

	/**
	 * Brings what changed on the host since the last sync point into the sandbox. Files
	 * that the sandbox changed, and that were not extracted yet, keep their changes.
	 * @return what was written in the sandbox, or the conflicts
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} while a command runs or
	 * another sync of the tree lasts, {@link ErrorCode#SANDBOX_LIMIT} beyond a limit
	 */
	public synchronized SyncResult reconcile() {
		requireQuiet();
		String base = base();
		try (TreeLock lock = TreeLock.acquire(this.host.gitDirectory(), LOCK_PATIENCE)) {
			Objects.requireNonNull(lock);
			this.host.awaitIndex(this.gitLockPatience);
			this.hostUpdate.recover();
			String live = this.host.snapshot();
			if (live.equals(base)) {
				return result(base, base, List.of());
			}
			String inside = this.guest.snapshot(format(), base, this.host.rules());
			MergedTree merged = TreeMerge.merge(this.store, base, live, inside);
			if (!merged.conflicts().isEmpty()) {
				return keep(live, inside, merged);
			}
			this.guest.update(format(), this.store.changes(inside, merged.tree()));
			this.store.setRefs("base", this.store.commit(live, "base", null));
			return result(inside, merged.tree(), List.of());
		}
	}

	/**
	 * Brings what changed in the sandbox since the last sync point to the host, together
	 * with what changed there meanwhile, and makes both sides equal.
	 * @return what was written on the host, or the conflicts
	 * @throws SandboxException {@link ErrorCode#SANDBOX_PATH} if the sandbox made
	 * something that may not be on the host, {@link ErrorCode#SANDBOX_BUSY} while a
	 * command runs, a git command of the user's changes the tree or another sync of it
	 * lasts, {@link ErrorCode#SANDBOX_LIMIT} beyond a limit; nothing is changed then
	 */
	public synchronized SyncResult extract() {
		return extract(true);
	}

	/**
	 * Returns what {@link #extract()} would do, and changes neither side.
	 * @return what would be written on the host, or the conflicts
	 */
	public synchronized SyncResult preview() {
		return extract(false);
	}

	private SyncResult extract(boolean apply) {
		requireQuiet();
		String base = base();
		try (TreeLock lock = TreeLock.acquire(this.host.gitDirectory(), LOCK_PATIENCE)) {
			Objects.requireNonNull(lock);
			this.host.awaitIndex(this.gitLockPatience);
			this.hostUpdate.recover();
			String inside = this.guest.snapshot(format(), base, this.host.exclusions());
			if (apply) {
				requireNoGitCommand();
			}
			String live = this.host.snapshot();
			MergedTree merged = TreeMerge.merge(this.store, base, live, inside);
			if (!merged.conflicts().isEmpty()) {
				return keep(live, inside, merged);
			}
			if (apply) {
				this.hostUpdate.update(live, merged.tree());
				this.guest.update(format(), this.store.changes(inside, merged.tree()));
				this.store.setRefs("base", this.store.commit(merged.tree(), "base", null));
				this.log.mark();
			}
			return result(live, merged.tree(), List.of());
		}
		catch (IOException ex) {
			throw ObjectStore.failed(ex);
		}
	}

	/**
	 * Returns what the agent committed in its repository since the last
	 * {@link #extract()} that ended without conflicts, so ask before that. It says why
	 * files changed and has no part in which do: nothing is committed on the host.
	 * @return the commits that lead to where the repository is, newest first, 100 at
	 * most; empty if the agent made none or left no repository that could tell
	 */
	public synchronized List<AgentCommit> commits() {
		base();
		return this.log.read(format());
	}

	/**
	 * Returns what the sandbox changed since the last sync point, whatever the host did
	 * meanwhile, and changes neither side.
	 * @return what the sandbox changed; never a conflict
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} while a command runs,
	 * {@link ErrorCode#SANDBOX_LIMIT} beyond a limit
	 */
	public synchronized SyncResult changes() {
		requireQuiet();
		String base = base();
		return result(base, this.guest.snapshot(format(), base, this.host.exclusions()), List.of());
	}

	// Both versions of each file can be read until the next sync.
	private SyncResult keep(String live, String inside, MergedTree merged) {
		this.store.setRefs("conflict-host", this.store.commit(live, "host", null), "conflict-sandbox",
				this.store.commit(inside, "sandbox", null));
		return result(live, live, merged.conflicts());
	}

	private SyncResult result(String before, String after, List<SyncConflict> conflicts) {
		List<String> leftOut = new ArrayList<>(this.host.leftOut());
		leftOut.addAll(this.guest.leftOut());
		return new SyncResult(before, after, changes(before, after), conflicts, leftOut.stream().distinct().toList());
	}

	private List<FileChange> changes(String before, String after) {
		return this.store.changes(before, after).stream().map(FileChange::of).toList();
	}

	/**
	 * Returns the changes of a result as a patch that {@code git apply} reads, binary
	 * files included.
	 * @param result a result of this transport
	 * @return the patch, empty without changes
	 */
	public synchronized byte[] patch(SyncResult result) {
		return this.store.patch(result.before(), result.after());
	}

	/**
	 * Returns one version of a file in conflict.
	 * @param blob the blob, as {@link SyncConflict} names it
	 * @return its bytes
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if it is no blob's id
	 */
	public synchronized byte[] content(String blob) {
		if (!blob.matches("[0-9a-f]{40}|[0-9a-f]{64}")) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'blob' must be a blob's id, as a conflict names it.");
		}
		return this.store.blob(blob);
	}

	SandboxSession session() {
		return this.session;
	}

	Path gitDirectory() {
		return this.host.gitDirectory();
	}

	// What no other directory of the host's may be mixed with.
	List<Path> hostPaths() {
		return List.of(this.host.root(), this.host.gitDirectory(), this.store.directory());
	}

	private String format() {
		String known = this.format;
		if (known == null) {
			known = this.host.objectFormat();
			this.format = known;
		}
		return known;
	}

	private String base() {
		String base = this.store.exists() ? this.store.ref("base") : null;
		if (base == null) {
			throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
					"The workspace is not seeded yet. Call 'seed' first.");
		}
		requireSession();
		return this.store.tree(base);
	}

	private void requireSession() {
		if (!this.store.session().equals(this.session.id())) {
			throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
					"'directory' belongs to another session. Give each session its own.");
		}
	}

	private void requireQuiet() {
		if (this.session.admission().active() > 0) {
			throw new SandboxException(ErrorCode.SANDBOX_BUSY,
					"A command runs in the sandbox. Wait for its end, or stop it, before a sync.");
		}
	}

	// A lock of git's is its owner's. It is waited for and never removed.
	private void requireNoGitCommand() {
		GitLock lock = GitLock.of(this.host.gitDirectory().resolve("index"));
		if (lock.awaitGone(this.gitLockPatience, () -> true)) {
			return;
		}
		try {
			Duration age = Duration.between(Files.getLastModifiedTime(lock.file()).toInstant(), Instant.now());
			throw new SandboxException(ErrorCode.SANDBOX_BUSY,
					"'index.lock' of the host's repository is " + age.toSeconds()
							+ " s old: a git command runs, or one was killed. "
							+ "Wait for it, or remove the file if none runs.");
		}
		catch (IOException ex) {
			throw ObjectStore.failed(ex);
		}
	}

}
