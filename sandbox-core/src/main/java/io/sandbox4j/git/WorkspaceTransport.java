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
 * <b>What is not carried.</b> Ignored files (but for {@link Builder#include}), empty
 * directories, submodules and nested repositories, and what Git does not know of a file:
 * owners, times, modes other than the execute permission. Results name them.
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

	private final long maxSeed;

	private final Duration gitLockPatience;

	private @Nullable String format;

	private WorkspaceTransport(Builder builder) {
		this.session = builder.session;
		this.store = new ObjectStore(builder.directory.toAbsolutePath().normalize());
		this.host = new HostTree(realPath(builder.root), this.store, builder.include, System.getenv());
		this.guest = new GuestTree(this.session, this.store, builder.timeout, builder.maxTransfer);
		this.hostUpdate = new HostUpdate(this.host, this.store);
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
	public static Builder builder(SandboxSession session, Path root, Path directory) {
		return new Builder(session, root, directory);
	}

	/**
	 * Brings the host's tree into the empty workspace, as a repository of one or two
	 * commits: the host's last, and what was not committed.
	 * @return what was carried; {@link SyncResult#leftOut()} names what was not
	 * @throws SandboxException {@link ErrorCode#SANDBOX_STATE_MISMATCH} if the workspace
	 * is not empty or was seeded, {@link ErrorCode#SANDBOX_LIMIT} if the tree is larger
	 * than allowed, {@link ErrorCode#SANDBOX_UNAVAILABLE} if git is missing on either
	 * side; nothing is half seeded: call it again
	 */
	public synchronized SyncResult seed() {
		requireQuiet();
		this.guest.preflight();
		this.store.create(format(), this.session.id());
		requireSession();
		if (this.store.ref("base") != null) {
			throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
					"The workspace is seeded already. Call 'reconcile' to bring the host's changes.");
		}
		try (TreeLock lock = TreeLock.acquire(this.host.gitDirectory(), LOCK_PATIENCE)) {
			Objects.requireNonNull(lock);
			this.store.borrow(this.host.objects());
			String live = this.host.snapshot();
			String commit = commits(live);
			Path pack = this.store.directory().resolve("seed.pack");
			this.store.pack(pack, (commit + "\n").getBytes(StandardCharsets.US_ASCII), "--revs");
			requireSize(pack);
			this.store.takeOwn(pack);
			this.store.borrow(null);
			boolean again = this.store.ref("seeding") != null;
			this.store.setRefs("seeding", commit);
			this.guest.seed(pack, format(), commit, branch(), this.host.exclusions(), again);
			this.store.setRefs("base", this.store.commit(live, "base", null), "seeding", "");
			Files.deleteIfExists(pack);
			return new SyncResult(this.store.emptyTree(), live, changes(this.store.emptyTree(), live), List.of(),
					this.host.notCarried());
		}
		catch (IOException ex) {
			throw ObjectStore.failed(ex);
		}
	}

	private String commits(String live) {
		String head = this.host.headTree();
		if (head == null) {
			return this.store.commit(live, "The host's tree, which has no commit", null);
		}
		String base = this.store.commit(head, "The host's " + this.host.head(), null);
		return head.equals(live) ? base : this.store.commit(live, "What the host has not committed", base);
	}

	private void requireSize(Path pack) throws IOException {
		if (Files.size(pack) > this.maxSeed) {
			long size = Files.size(pack);
			Files.delete(pack);
			throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "The tree has " + size
					+ " bytes when packed, more than the " + this.maxSeed + " of 'maxSeed'. Nothing was moved.");
		}
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
			this.hostUpdate.recover();
			String live = this.host.snapshot();
			if (live.equals(base)) {
				return result(base, base, List.of());
			}
			String inside = this.guest.snapshot(format(), base, this.host.exclusions());
			MergedTree merged = this.store.merge(base, live, inside);
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
			this.hostUpdate.recover();
			String inside = this.guest.snapshot(format(), base, this.host.exclusions());
			if (apply) {
				requireNoGitCommand();
			}
			String live = this.host.snapshot();
			MergedTree merged = this.store.merge(base, live, inside);
			if (!merged.conflicts().isEmpty()) {
				return keep(live, inside, merged);
			}
			if (apply) {
				this.hostUpdate.update(live, merged.tree());
				this.guest.update(format(), this.store.changes(inside, merged.tree()));
				this.store.setRefs("base", this.store.commit(merged.tree(), "base", null));
			}
			return result(live, merged.tree(), List.of());
		}
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
		Path lock = this.host.gitDirectory().resolve("index.lock");
		long end = System.nanoTime() + this.gitLockPatience.toNanos();
		try {
			while (Files.exists(lock)) {
				if (System.nanoTime() > end) {
					Duration age = Duration.between(Files.getLastModifiedTime(lock).toInstant(), Instant.now());
					throw new SandboxException(ErrorCode.SANDBOX_BUSY,
							"'index.lock' of the host's repository is " + age.toSeconds()
									+ " s old: a git command runs, or one was killed. "
									+ "Wait for it, or remove the file if none runs.");
				}
				Thread.sleep(20);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SandboxException(ErrorCode.SANDBOX_BUSY, "The call was interrupted.", ex);
		}
		catch (IOException ex) {
			throw ObjectStore.failed(ex);
		}
	}

	/**
	 * Describes a transport. Not thread-safe.
	 */
	public static final class Builder {

		private final SandboxSession session;

		private final Path root;

		private final Path directory;

		private Duration timeout = Duration.ofMinutes(5);

		private long maxTransfer = 64L << 20;

		private long maxSeed = 1L << 30;

		private Duration gitLockPatience = Duration.ofSeconds(10);

		private List<String> include = List.of();

		private Builder(SandboxSession session, Path root, Path directory) {
			this.session = session;
			this.root = root;
			this.directory = directory;
		}

		/**
		 * Sets how long a step inside the sandbox may take. 5 minutes unless set.
		 * @param timeout more than zero
		 * @return this builder
		 */
		public Builder timeout(Duration timeout) {
			if (timeout.isZero() || timeout.isNegative()) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'timeout' must be more than zero.");
			}
			this.timeout = timeout;
			return this;
		}

		/**
		 * Limits what a sync after the seed may carry one way, before compression. 64 MiB
		 * unless set.
		 * @param bytes at least 1
		 * @return this builder
		 */
		public Builder maxTransfer(long bytes) {
			this.maxTransfer = positive("maxTransfer", bytes);
			return this;
		}

		/**
		 * Limits the seed, as it is sent. 1 GiB unless set.
		 * @param bytes at least 1
		 * @return this builder
		 */
		public Builder maxSeed(long bytes) {
			this.maxSeed = positive("maxSeed", bytes);
			return this;
		}

		/**
		 * Sets how long {@link WorkspaceTransport#extract()} waits for the user's own git
		 * command to end. 10 seconds unless set.
		 * @param patience zero or more
		 * @return this builder
		 */
		public Builder gitLockPatience(Duration patience) {
			if (patience.isNegative()) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'gitLockPatience' must not be negative.");
			}
			this.gitLockPatience = patience;
			return this;
		}

		/**
		 * Carries files although they are ignored, such as {@code .env}. They are then as
		 * others are, and their changes come back.
		 * @param paths files or directories relative to the root, no patterns
		 * @return this builder
		 */
		public Builder include(String... paths) {
			for (String path : paths) {
				if (path.isEmpty() || path.startsWith("/") || path.indexOf('\0') >= 0
						|| List.of(path.split("/")).contains("..")) {
					throw new SandboxException(ErrorCode.SANDBOX_INVALID,
							"'include' must name paths relative to the root, without '..'.");
				}
			}
			this.include = List.of(paths);
			return this;
		}

		private static long positive(String name, long bytes) {
			if (bytes < 1) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'" + name + "' must be at least 1 byte.");
			}
			return bytes;
		}

		/**
		 * Builds the transport. Reads where the repository is, and writes nothing.
		 * @return the transport
		 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if the root is not
		 * the top of a Git working tree or has the directory inside
		 */
		public WorkspaceTransport build() {
			return new WorkspaceTransport(this);
		}

	}

}
