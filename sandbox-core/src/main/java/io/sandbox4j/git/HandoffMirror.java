package io.sandbox4j.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * Carries files that are no part of the tree, such as a task and its report, between a
 * directory of the host and one of the workspace. The latter is
 * {@value #DEFAULT_DIRECTORY} or lies below it, which no sync of a
 * {@link WorkspaceTransport} carries. Immutable but for what it carries; thread-safe.
 * <p>
 * <b>What it promises.</b> All of the source is looked at before the first file is
 * written: a link, a special file or a size beyond a limit is refused by name, and
 * nothing is carried. No link is followed on either side, not even one that is swapped in
 * meanwhile. A file is replaced at once: readers see the old one or the new. A call that
 * was cut off leaves each file old or new, and the next call does the rest.
 * <p>
 * <b>What it does not do.</b> It deletes nothing: neither side can take away what the
 * other still needs, and results name what the target alone has. It carries contents, no
 * modes, times, owners or empty directories. If both sides changed a file, that of the
 * source wins. A name with a backslash, or that is not UTF-8, is refused on the host and
 * not seen in the sandbox. A file that a command writes meanwhile may be carried half
 * done.
 *
 * @since 0.1.0
 */
public final class HandoffMirror {

	/**
	 * The directory in the workspace, unless another is set.
	 */
	public static final String DEFAULT_DIRECTORY = ".sandbox/handoff";

	/**
	 * What keeps it out of trees, whatever is there.
	 */
	static final String RULE = "/" + DEFAULT_DIRECTORY;

	private static final Duration LOCK_PATIENCE = Duration.ofSeconds(30);

	private final WorkspaceTransport transport;

	private final Path hostDirectory;

	private final WorkspacePath directory;

	private final HandoffLimits limits;

	private HandoffMirror(WorkspaceTransport transport, Path hostDirectory, WorkspacePath directory,
			HandoffLimits limits) {
		this.transport = transport;
		this.hostDirectory = hostDirectory;
		this.directory = directory;
		this.limits = limits;
	}

	/**
	 * Creates a mirror with the default limits: 4 MiB a file, 32 MiB and 10,000 entries
	 * in all.
	 * @param transport the transport of the workspace
	 * @param hostDirectory the directory of the host, made if absent; its parents are
	 * trusted
	 * @return the mirror
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if the directory is in
	 * the transport's tree or repository, or has them inside
	 */
	public static HandoffMirror between(WorkspaceTransport transport, Path hostDirectory) {
		Objects.requireNonNull(transport, "'transport' must not be null");
		Path real = real(hostDirectory.toAbsolutePath().normalize());
		for (Path other : transport.hostPaths()) {
			if (real.startsWith(other) || other.startsWith(real)) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID,
						"'hostDirectory' must be outside the tree, its repository and the transport's directory.");
			}
		}
		return new HandoffMirror(transport, real, WorkspacePath.parse(DEFAULT_DIRECTORY),
				new HandoffLimits(4 << 20, 32 << 20, 10_000));
	}

	private static Path real(Path path) {
		try {
			Path parent = path.getParent();
			if (parent == null || Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
				return path.toRealPath();
			}
			return real(parent).resolve(path.getFileName());
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'hostDirectory' must be a directory.", ex);
		}
	}

	/**
	 * Sets the directory in the workspace.
	 * @param directory a workspace path, {@value #DEFAULT_DIRECTORY} or below it
	 * @return the changed copy
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if it is elsewhere, as
	 * syncs would carry it
	 */
	public HandoffMirror withDirectory(String directory) {
		WorkspacePath path = WorkspacePath.parse(directory);
		List<String> kept = WorkspacePath.parse(DEFAULT_DIRECTORY).segments();
		if (path.segments().size() < kept.size() || !path.segments().subList(0, kept.size()).equals(kept)) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'directory' must be '" + DEFAULT_DIRECTORY + "' or below it: syncs leave that alone.");
		}
		return new HandoffMirror(this.transport, this.hostDirectory, path, this.limits);
	}

	/**
	 * Limits what may be carried one way.
	 * @param maxFile the bytes of a file, 1 to 1 GiB
	 * @param maxTotal the bytes of all files, which are held in memory, 1 to 1 GiB
	 * @param maxFiles how many entries there may be, at least 1
	 * @return the changed copy
	 */
	public HandoffMirror withLimits(long maxFile, long maxTotal, int maxFiles) {
		return new HandoffMirror(this.transport, this.hostDirectory, this.directory,
				new HandoffLimits(maxFile, maxTotal, maxFiles));
	}

	/**
	 * Returns the directory in the workspace, as the guest sees it.
	 * @return the path
	 */
	public String directory() {
		return this.directory.toString();
	}

	/**
	 * Brings the files of the host into the sandbox, and makes its directory. Call it
	 * after the seed, which wants an empty workspace.
	 * @return what was carried
	 * @throws SandboxException {@link ErrorCode#SANDBOX_PATH} for a link, a special file
	 * or something in the way, {@link ErrorCode#SANDBOX_LIMIT} beyond a limit
	 */
	public HandoffResult push() {
		SandboxSide sandbox = sandbox();
		HostSide host = new HostSide(this.hostDirectory);
		return locked(() -> carry(host, sandbox, sandbox::create));
	}

	/**
	 * Brings the files of the sandbox to the host.
	 * @return what was carried
	 * @throws SandboxException {@link ErrorCode#SANDBOX_PATH} for a link, a special file
	 * or something in the way, {@link ErrorCode#SANDBOX_LIMIT} beyond a limit
	 */
	public HandoffResult pull() {
		HostSide host = new HostSide(this.hostDirectory);
		return locked(() -> carry(sandbox(), host, host::prepare));
	}

	private SandboxSide sandbox() {
		return new SandboxSide(this.transport.session().files(), this.directory);
	}

	private HandoffResult locked(Carrying carrying) {
		try (TreeLock lock = TreeLock.acquire(this.transport.gitDirectory(), LOCK_PATIENCE)) {
			Objects.requireNonNull(lock);
			return carrying.carry();
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"A file of the handoff could not be read or written. Each is as it was, or carried.", ex);
		}
	}

	private HandoffResult carry(HandoffSide source, HandoffSide target, Preparation preparation) throws IOException {
		Map<String, HandoffSide.Entry> entries = source.list(HandoffLimits.MAX_DEPTH + 1);
		requireCarried(entries);
		Map<String, HandoffSide.Entry> there = target.list(HandoffLimits.MAX_DEPTH + 1);
		requireFree(entries, there);
		Map<String, byte[]> contents = contents(source, entries);
		preparation.run();
		List<String> written = new ArrayList<>();
		for (Map.Entry<String, byte[]> file : contents.entrySet()) {
			if (!same(target, there.get(file.getKey()), file)) {
				target.write(file.getKey(), file.getValue());
				written.add(file.getKey());
			}
		}
		return new HandoffResult(written,
				there.keySet()
					.stream()
					.filter((path) -> isFile(there.get(path)) && !contents.containsKey(path))
					.toList());
	}

	private static boolean isFile(HandoffSide.@Nullable Entry entry) {
		return entry != null && entry.type() == FileType.FILE;
	}

	private void requireCarried(Map<String, HandoffSide.Entry> entries) {
		this.limits.requireCount(entries.size());
		long total = 0;
		for (Map.Entry<String, HandoffSide.Entry> found : entries.entrySet()) {
			String path = found.getKey();
			HandoffSide.Entry entry = found.getValue();
			this.limits.requireDepth(path.split("/").length);
			if (entry.type() == FileType.FILE) {
				this.limits.requireFile(path, entry.size());
				total += entry.size();
			}
			else if (entry.type() != FileType.DIRECTORY) {
				throw refused(path, "is a link, a special file, or has a name that cannot be carried");
			}
		}
		this.limits.requireTotal(total);
	}

	private static void requireFree(Map<String, HandoffSide.Entry> entries, Map<String, HandoffSide.Entry> there) {
		entries.forEach((path, entry) -> {
			if (entry.type() == FileType.FILE) {
				HandoffSide.Entry other = there.get(path);
				if (other != null && other.type() != FileType.FILE) {
					throw refused(path, "would replace something that is no file");
				}
				for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
					HandoffSide.Entry parent = there.get(path.substring(0, slash));
					if (parent != null && parent.type() != FileType.DIRECTORY) {
						throw refused(path, "would replace something that is no directory");
					}
				}
			}
		});
	}

	private static SandboxException refused(String path, String why) {
		return new SandboxException(ErrorCode.SANDBOX_PATH,
				"'" + CommitText.shown(path) + "' " + why + ". Nothing was carried.");
	}

	// What a file has when it is read counts, whatever it had when it was listed.
	private Map<String, byte[]> contents(HandoffSide source, Map<String, HandoffSide.Entry> entries)
			throws IOException {
		Map<String, byte[]> contents = new TreeMap<>();
		long total = 0;
		for (Map.Entry<String, HandoffSide.Entry> entry : entries.entrySet()) {
			if (entry.getValue().type() == FileType.FILE) {
				byte[] content = source.read(entry.getKey(), this.limits.mostOfFile());
				this.limits.requireFile(entry.getKey(), content.length);
				total += content.length;
				this.limits.requireTotal(total);
				contents.put(entry.getKey(), content);
			}
		}
		return contents;
	}

	private static boolean same(HandoffSide target, HandoffSide.@Nullable Entry there, Map.Entry<String, byte[]> file)
			throws IOException {
		byte[] content = file.getValue();
		return there != null && there.size() == content.length
				&& Arrays.equals(target.read(file.getKey(), content.length + 1), content);
	}

	/**
	 * One call.
	 */
	private interface Carrying {

		HandoffResult carry() throws IOException;

	}

	/**
	 * What is done at the target before the first file.
	 */
	private interface Preparation {

		void run() throws IOException;

	}

}
