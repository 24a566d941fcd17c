package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import io.sandbox4j.SandboxSession;
import io.sandbox4j.checkpoint.Manifest.Stat;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.jspecify.annotations.Nullable;

/**
 * Reads a workspace into a pack. A command inside the sandbox lists all paths; the host
 * asks it for the content of those that changed; it lists again, and both listings must
 * be equal. Used once.
 */
final class Capture {

	private static final int TAR_BLOCK = 65_536;

	private static final Duration TICK = Duration.ofMillis(20);

	private static final Duration MAX_TICK = Duration.ofSeconds(2);

	private static final String SCRIPT = """
			set -u
			cd /workspace || exit 1
			list() {
				find . -printf '%s' || exit 1
				printf 'end\\0'
			}
			list
			tar --create --format=gnu --sparse --blocking-factor=128 --no-recursion --null --no-unquote \
				--verbatim-files-from --files-from=- --file=- || exit $((10 + $?))
			list
			""".formatted(Listing.FORMAT);

	private static final String DONE = "captured";

	private final SandboxSession session;

	private final CheckpointLimits limits;

	private final Blobs blobs;

	private final PackWriter pack;

	private final Map<String, String> firstNames = new HashMap<>();

	private final List<Entry> entries = new ArrayList<>();

	private final List<Stat> stats = new ArrayList<>();

	private final List<String> leftOut = new ArrayList<>();

	Capture(SandboxSession session, CheckpointLimits limits, Blobs blobs, PackWriter pack) {
		this.session = session;
		this.limits = limits;
		this.blobs = blobs;
		this.pack = pack;
	}

	Seen seen() {
		return new Seen(this.entries, this.stats);
	}

	List<String> leftOut() {
		return this.leftOut;
	}

	/**
	 * Reads the workspace.
	 * @param previous what the last capture saw of it
	 */
	void run(Seen previous) {
		try (GuestCommand command = new GuestCommand(this.session, this.limits.timeout(), SCRIPT)) {
			try {
				Instant started = Instant.now();
				Listing listing = Listing.read(command.output(), this.limits.maxFiles());
				this.limits.requireBytes(listing.entries().stream().mapToLong(Listed::realBytes).sum());
				List<Listed> wanted = plan(listing, previous, started);
				awaitTick(listing);
				command.send((input) -> writeNames(input, wanted));
				if (!readContent(command.output(), wanted)
						|| !listing.same(Listing.read(command.output(), this.limits.maxFiles()))) {
					// What could not be read is told by the status.
					command.finish(DONE);
					throw Failures.busy("The workspace changed while it was captured. "
							+ "Call again when nothing writes it. Nothing was captured.");
				}
			}
			catch (IOException ex) {
				throw command.failed(ex, DONE);
			}
			command.finish(DONE);
		}
	}

	// Makes the entries; those of the files that are returned get their pieces later.
	private List<Listed> plan(Listing listing, Seen previous, Instant started) {
		List<Listed> wanted = new ArrayList<>();
		int next = 0;
		for (Listed listed : listing.entries()) {
			while (next < previous.size() && previous.path(next).compareTo(listed.path()) < 0) {
				next++;
			}
			Entry unchanged = (next < previous.size()) ? unchanged(listed, previous, next) : null;
			Entry entry = (unchanged != null) ? unchanged : entry(listed);
			if (entry == null) {
				this.leftOut.add(Entry.shown(listed.path()));
				continue;
			}
			if (listed.isTooLarge()) {
				throw Failures.limit("'" + Entry.shown(listed.path())
						+ "' has holes and more than 8 GiB. Remove or fill it. Nothing was captured.");
			}
			if (entry.type() == Entry.Type.FILE && unchanged == null && listed.size() > 0) {
				wanted.add(listed);
			}
			this.entries.add(entry);
			this.stats.add(stat(listed, entry, started));
		}
		return wanted;
	}

	private @Nullable Entry entry(Listed listed) {
		Entry.requirePath(listed.path());
		return switch (listed.type()) {
			case 'd' -> Entry.directory(listed.path(), listed.mode(), listed.modified());
			case 'l' -> Entry.link(listed.path(), listed.mode(), listed.modified(), listed.target());
			case 'f' -> {
				String first = firstName(listed);
				yield first.equals(listed.path()) ? new Entry(listed.path(), Entry.Type.FILE, listed.mode(),
						listed.modified(), listed.size(), List.of(), "")
						: Entry.hardLink(listed.path(), listed.mode(), listed.modified(), first);
			}
			default -> null;
		};
	}

	private String firstName(Listed listed) {
		if (listed.links() < 2) {
			return listed.path();
		}
		String known = this.firstNames.putIfAbsent(listed.device() + ":" + listed.inode(), listed.path());
		return (known != null) ? known : listed.path();
	}

	private @Nullable Entry unchanged(Listed listed, Seen previous, int index) {
		Entry entry = previous.entries().get(index);
		Stat stat = previous.stats().get(index);
		if (!entry.path().equals(listed.path()) || entry.type() != Entry.Type.FILE || !listed.isFile()
				|| stat.changed() == 0 || stat.changed() != nanos(listed.changed()) || stat.inode() != listed.inode()
				|| stat.device() != listed.device() || entry.size() != listed.size()
				|| !entry.modified().equals(listed.modified()) || !firstName(listed).equals(listed.path())) {
			return null;
		}
		for (Extent extent : entry.extents()) {
			if (!this.pack.has(extent.digest())) {
				return null;
			}
		}
		return Entry.file(listed.path(), listed.mode(), listed.modified(), listed.size(), entry.extents());
	}

	// A file that was changed so shortly before it was listed may be changed again within
	// the same tick, which no later listing would show. So nothing is read before the
	// tick is over.
	private static void awaitTick(Listing listing) {
		Instant end = Instant.MIN;
		Instant now = Instant.now();
		for (Listed listed : listing.entries()) {
			Instant over = listed.changed().plus(tick(listed));
			if (over.isAfter(end)) {
				end = over;
			}
		}
		// A clock that was set back is not waited for.
		Duration rest = Duration.between(now, end);
		if (!rest.isNegative() && rest.compareTo(MAX_TICK) <= 0) {
			LockSupport.parkNanos(rest.toNanos());
		}
	}

	// The kernel's clock ticks every few milliseconds, that of some file systems every
	// one or two seconds.
	private static Duration tick(Listed listed) {
		return (listed.changed().getNano() != 0) ? TICK : MAX_TICK;
	}

	private static Stat stat(Listed listed, Entry entry, Instant started) {
		if (entry.type() != Entry.Type.FILE || listed.changed().plus(tick(listed)).isAfter(started)) {
			return Stat.NONE;
		}
		return new Stat(listed.device(), listed.inode(), nanos(listed.changed()));
	}

	private static long nanos(Instant instant) {
		return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
	}

	private static void writeNames(OutputStream input, List<Listed> wanted) throws IOException {
		StringBuilder names = new StringBuilder();
		for (Listed listed : wanted) {
			names.append("./").append(listed.path()).append('\0');
			if (names.length() > TAR_BLOCK) {
				input.write(names.toString().getBytes(StandardCharsets.ISO_8859_1));
				names.setLength(0);
			}
		}
		input.write(names.toString().getBytes(StandardCharsets.ISO_8859_1));
	}

	// Returns false if a file is not what was listed.
	private boolean readContent(NulReader output, List<Listed> wanted) throws IOException {
		long start = output.taken();
		TarInput tar = new TarInput(output, TAR_BLOCK, () -> output.taken() - start);
		long unchanged = this.entries.stream().mapToLong(Entry::bytes).sum();
		TarPieces pieces = new TarPieces(tar, this.pack, this.limits, unchanged);
		int index = 0;
		for (Listed listed : wanted) {
			TarArchiveEntry read = tar.getNextEntry();
			if (read == null || !read.getName().equals("./" + listed.path()) || read.getRealSize() != listed.size()) {
				return false;
			}
			while (!this.entries.get(index).path().equals(listed.path())) {
				index++;
			}
			this.entries.set(index,
					Entry.file(listed.path(), listed.mode(), listed.modified(), listed.size(), pieces.read(read)));
		}
		return tar.getNextEntry() == null;
	}

}
