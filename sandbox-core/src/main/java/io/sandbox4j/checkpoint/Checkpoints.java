package io.sandbox4j.checkpoint;

import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.SoftReference;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.checkpoint.CheckpointEvent.Action;
import io.sandbox4j.checkpoint.Lineage.Kept;
import io.sandbox4j.checkpoint.Lineage.Known;
import io.sandbox4j.checkpoint.Lineage.Running;
import org.jspecify.annotations.Nullable;

/**
 * Captures workspaces into a {@link SnapshotStore}, and restores them. Works over every
 * backend whose sandboxes have GNU find and tar. Thread-safe; several processes may share
 * a store.
 * <p>
 * <b>What it promises.</b> A checkpoint is what the workspace was at one moment: if
 * anything wrote it meanwhile, the capture fails. It counts whole or not at all, whenever
 * the application is killed. Only files that changed are read, and only content that the
 * store does not have is written. What is restored was verified against its digest, byte
 * by byte, before it was sent to the sandbox.
 * <p>
 * <b>What is kept.</b> Files, directories (empty ones too) and symbolic links with their
 * names as bytes, permissions and modification times to the nanosecond; which names are
 * hard links of one file; and holes. <b>What is not.</b> Owners (all is the guest's own),
 * extended attributes and access control lists, access times, and sockets, pipes and
 * devices, which {@link Checkpoint#leftOut()} names. Nothing outside of the workspace is
 * captured: no process, no {@code /tmp}.
 * <p>
 * <b>What goes.</b> A checkpoint stays until {@link #retain} or {@link #removeAll} drops
 * it, and its content until {@link #collect} finds that nothing needs it.
 * <p>
 * <b>Lineages.</b> The checkpoints of a workspace are one row, named by the session's id
 * unless the caller says otherwise.
 *
 * @since 0.1.0
 */
public final class Checkpoints {

	private final SnapshotStore store;

	private final CheckpointLimits limits;

	private final InstantSource clock;

	private final Duration abandonedAfter;

	private final Lineages lineages;

	private final Blobs blobs;

	private final ToldCheckpoints told;

	private final Map<String, SoftReference<Seen.Last>> seen = new ConcurrentHashMap<>();

	Checkpoints(CheckpointsBuilder builder) {
		this.store = builder.store;
		this.limits = builder.limits;
		this.clock = builder.clock;
		this.abandonedAfter = builder.abandonedAfter;
		this.lineages = new Lineages(this.store, this.clock);
		this.blobs = new Blobs(this.store);
		this.told = new ToldCheckpoints(builder.listener);
	}

	/**
	 * Starts to describe checkpoints.
	 * @param store where they are kept
	 * @return a builder
	 */
	public static CheckpointsBuilder builder(SnapshotStore store) {
		return new CheckpointsBuilder(store);
	}

	/**
	 * Captures a sandbox's workspace, into the lineage of its session's id and with its
	 * template's key.
	 * @param sandbox the sandbox
	 * @return the checkpoint
	 * @throws SandboxException as {@link #capture(SandboxSession, String, String)}
	 */
	public Checkpoint capture(SandboxHandle sandbox) {
		return capture(sandbox.session(), sandbox.session().id(), sandbox.captureState().templateKey());
	}

	/**
	 * Captures a session's workspace.
	 * @param session the session
	 * @param lineage the name of the row that the checkpoint belongs to
	 * @param key what the workspace was started from; a restore compares it
	 * @return the checkpoint
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} while a command runs, or if
	 * the workspace changed meanwhile; {@link ErrorCode#SANDBOX_LIMIT} beyond a limit;
	 * {@link ErrorCode#SANDBOX_STATE_MISMATCH} if a file cannot be read;
	 * {@link ErrorCode#SANDBOX_STOPPED} if the sandbox is stopped meanwhile; nothing
	 * counts then, and {@link #latest} refuses to name what is older than this
	 */
	public Checkpoint capture(SandboxSession session, String lineage, String key) {
		return this.told.published(Action.CAPTURE, lineage, () -> doCapture(session, lineage, key));
	}

	private Checkpoint doCapture(SandboxSession session, String lineage, String key) {
		Lineages.requireName(lineage);
		GuestCommand.requireQuiet(session, 0);
		recover(session);
		Instant created = this.clock.instant();
		try (Publication publication = new Publication(this.store, this.blobs, this.lineages, lineage, session.id(),
				created)) {
			Lineage before = this.lineages.read(lineage);
			Capture capture = new Capture(session, this.limits, this.blobs, publication.pack());
			capture.run(seen(session, lineage, before.known()));
			Seen seen = capture.seen();
			Checkpoint checkpoint = publication.publish(key, seen, capture.leftOut(), before.last());
			this.seen.values().removeIf((other) -> other.get() == null);
			this.seen.put(lineage, new SoftReference<>(new Seen.Last(publication.known(), seen)));
			return checkpoint;
		}
	}

	private Seen seen(SandboxSession session, String lineage, @Nullable Known known) {
		if (known == null || !known.session().equals(session.id())) {
			return Seen.NOTHING;
		}
		SoftReference<Seen.Last> kept = this.seen.get(lineage);
		Seen.Last last = (kept != null) ? kept.get() : null;
		return (last != null && known.equals(last.known())) ? last.seen() : Seen.read(this.blobs, known);
	}

	/**
	 * Captures a sandbox's workspace before the sandbox is stopped. After a failure, also
	 * one that {@link #capture(SandboxHandle)} forgets, {@link #latest} names no older
	 * checkpoint: it would roll back past what was seen of the sandbox.
	 * @param sandbox the sandbox
	 * @return the checkpoint
	 * @throws SandboxException as {@link #capture(SandboxHandle)}
	 */
	public Checkpoint backUp(SandboxHandle sandbox) {
		try {
			return capture(sandbox);
		}
		catch (RuntimeException ex) {
			try {
				this.lineages.fallBehind(sandbox.session().id());
			}
			catch (RuntimeException failure) {
				ex.addSuppressed(failure);
			}
			throw ex;
		}
	}

	/**
	 * Captures a sandbox's workspace as {@link #backUp(SandboxHandle)} does, and stops
	 * the sandbox whether that succeeded or not.
	 * @param sandbox the sandbox
	 * @return the checkpoint
	 * @throws SandboxException as {@link #capture(SandboxHandle)}; the sandbox is stopped
	 * nevertheless
	 */
	public Checkpoint stop(SandboxHandle sandbox) {
		try {
			return backUp(sandbox);
		}
		finally {
			sandbox.stop();
		}
	}

	/**
	 * Restores a checkpoint into a sandbox.
	 * @param spec which, and how
	 * @param sandbox the sandbox
	 * @return the checkpoint
	 * @throws SandboxException as {@link #restore(RestoreSpec, SandboxSession, String)}
	 */
	public Checkpoint restore(RestoreSpec spec, SandboxHandle sandbox) {
		return restore(spec, sandbox.session(), sandbox.captureState().templateKey());
	}

	/**
	 * Restores a checkpoint into a session, also another than the one that was captured.
	 * What is restored is written beside what is there, compared, and then takes its
	 * place at once; so the workspace needs room for both. After a failure the workspace
	 * is as it was before. After the end of the application {@link #recover} makes it so,
	 * or finishes.
	 * @param spec which, and how
	 * @param session the session
	 * @param key what the session's workspace was started from
	 * @return the checkpoint
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} while a command runs;
	 * {@link ErrorCode#SANDBOX_STATE_MISMATCH} if the workspace is not empty, the key is
	 * another's or a newer version wrote the checkpoint;
	 * {@link ErrorCode#SANDBOX_NOT_FOUND} if there is no such checkpoint;
	 * {@link ErrorCode#SANDBOX_INVALID} if the store is damaged
	 */
	public Checkpoint restore(RestoreSpec spec, SandboxSession session, String key) {
		return this.told.done(Action.RESTORE, spec.id(), () -> doRestore(spec, session, key),
				(checkpoint, duration) -> new CheckpointEvent.Restored(checkpoint, session.id(), duration));
	}

	private Checkpoint doRestore(RestoreSpec spec, SandboxSession session, String key) {
		GuestCommand.requireQuiet(session, 0);
		CheckpointDocument document = document(spec.id());
		if (!document.key().equals(key) && !spec.anyKey()) {
			throw Failures.mismatch("The checkpoint was captured from a sandbox of another template or image. "
					+ "Start the sandbox from that one, or restore with 'anyKey'.");
		}
		recover(session);
		List<Entry> entries = entries(document);
		Restore restore = new Restore(session, this.limits, this.blobs);
		requireContent(entries);
		Restoring restoring = Restoring.begun(spec.id());
		try {
			restore.run(entries, spec.replace(), restoring.directory(),
					() -> restoring.write(this.store, session.id()));
		}
		catch (RuntimeException ex) {
			try {
				recover(session);
			}
			catch (RuntimeException failure) {
				ex.addSuppressed(failure);
			}
			throw ex;
		}
		Restoring.remove(this.store, session.id());
		return document.checkpoint(spec.id());
	}

	private void requireContent(List<Entry> entries) {
		Set<Digest> wanted = new HashSet<>();
		entries.forEach((entry) -> entry.extents().forEach((extent) -> wanted.add(extent.digest())));
		if (!this.blobs.missing(wanted).isEmpty()) {
			throw this.blobs.missing("content of the checkpoint");
		}
	}

	private List<Entry> entries(CheckpointDocument document) {
		this.blobs.refresh();
		return Manifest.read(this.blobs, Digest.parse(document.tree()));
	}

	/**
	 * Undoes or finishes a restore that was cut off, so that the workspace is wholly the
	 * old one or the new one. Names that came in between stay, as {@code name.~1~} if
	 * they were in the way. Captures and restores do it first; an application that goes
	 * on with a session after a crash should call it before the first command.
	 * @param session the session
	 * @return whether there was such a restore
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} while a command runs
	 */
	public boolean recover(SandboxSession session) {
		Restoring restoring = Restoring.read(this.store, session.id());
		if (restoring == null) {
			return false;
		}
		new Restore(session, this.limits, this.blobs).recover(restoring.directory());
		Restoring.remove(this.store, session.id());
		return true;
	}

	/**
	 * Reads all of a checkpoint and compares it with its digests.
	 * @param id the checkpoint
	 * @return the checkpoint
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is none,
	 * {@link ErrorCode#SANDBOX_INVALID} if it cannot be restored
	 */
	public Checkpoint verify(String id) {
		CheckpointDocument document = document(id);
		Set<Digest> read = new HashSet<>();
		for (Entry entry : entries(document)) {
			for (Extent extent : entry.extents()) {
				if (read.add(extent.digest()) && this.blobs.read(extent.digest()).length != extent.length()) {
					throw Failures.damaged("a piece of '" + Entry.shown(entry.path()) + "' has another length");
				}
			}
		}
		return document.checkpoint(id);
	}

	/**
	 * Returns a checkpoint.
	 * @param id its id
	 * @return the checkpoint
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is none
	 */
	public Checkpoint get(String id) {
		return document(id).checkpoint(id);
	}

	private CheckpointDocument document(String id) {
		if (!id.matches("[0-9a-f]{64}")) {
			throw Failures.unknown(id.substring(0, Math.min(id.length(), 64)));
		}
		CheckpointDocument document = CheckpointDocument.read(this.store, id);
		if (!this.lineages.read(document.lineage()).has(id)) {
			throw Failures.unknown(id);
		}
		return document;
	}

	/**
	 * Lists the checkpoints of a lineage.
	 * @param lineage its name
	 * @return the checkpoints, oldest first; none if there is no such lineage
	 */
	public List<Checkpoint> list(String lineage) {
		return list(lineage, Integer.MAX_VALUE);
	}

	/**
	 * Lists the newest checkpoints of a lineage, and reads no others.
	 * @param lineage its name
	 * @param newest how many at most
	 * @return the checkpoints, oldest first; none if there is no such lineage
	 */
	public List<Checkpoint> list(String lineage, int newest) {
		if (newest < 1) {
			throw Failures.invalid("'newest' must be positive.");
		}
		List<Kept> all = this.lineages.read(lineage).checkpoints();
		List<Checkpoint> checkpoints = new ArrayList<>();
		for (Kept kept : all.subList(Math.max(0, all.size() - newest), all.size())) {
			checkpoints.add(CheckpointDocument.read(this.store, kept.id()).checkpoint(kept.id()));
		}
		return checkpoints;
	}

	/**
	 * Returns the newest checkpoint of a lineage, unless a later capture failed or was
	 * cut off: whoever goes on from an older one without knowing loses what was done
	 * since. {@link #list} names those too.
	 * @param lineage its name
	 * @return the checkpoint
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is none,
	 * {@link ErrorCode#SANDBOX_STATE_MISMATCH} if a later capture failed,
	 * {@link ErrorCode#SANDBOX_BUSY} if one goes on or was cut off
	 */
	public Checkpoint latest(String lineage) {
		Lineage current = this.lineages.read(lineage);
		String last = current.last();
		if (last == null) {
			throw new SandboxException(ErrorCode.SANDBOX_NOT_FOUND,
					"The lineage '" + lineage + "' has no checkpoint. Capture one first.");
		}
		if (current.behind()) {
			throw Failures.mismatch("The last capture of the lineage '" + lineage
					+ "' failed, so that its newest checkpoint lacks what was done since. "
					+ "Capture again, or name a checkpoint by its id.");
		}
		if (current.captures().stream().anyMatch(Running::ofSession)) {
			throw Failures.busy("A capture of the lineage '" + lineage + "' goes on, or was cut off. "
					+ "Capture again, or name a checkpoint by its id.");
		}
		return CheckpointDocument.read(this.store, last).checkpoint(last);
	}

	/**
	 * Keeps a checkpoint whatever the retention says.
	 * @param id the checkpoint
	 * @param name why it is kept, for people
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is none
	 */
	public void pin(String id, String name) {
		Objects.requireNonNull(name, "'name' must not be null");
		changePin(id, name);
	}

	/**
	 * Leaves a checkpoint to the retention again.
	 * @param id the checkpoint
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is none
	 */
	public void unpin(String id) {
		changePin(id, null);
	}

	private void changePin(String id, @Nullable String pin) {
		this.lineages.change(document(id).lineage(), (lineage) -> {
			if (!lineage.has(id)) {
				throw Failures.unknown(id);
			}
			return lineage.keeping(lineage.checkpoints()
				.stream()
				.map((kept) -> kept.id().equals(id) ? new Kept(id, kept.created(), pin) : kept)
				.toList());
		});
	}

	/**
	 * Removes the checkpoints of a lineage that a rule does not keep. Their content goes
	 * with the next {@link #collect()}.
	 * @param lineage its name
	 * @param retention the rule
	 * @return the ids that were removed
	 */
	public List<String> retain(String lineage, Retention retention) {
		Instant before = this.clock.instant().minus(retention.newerThan());
		return remove(lineage, (checkpoints) -> {
			int last = checkpoints.size() - retention.last();
			List<Kept> kept = new ArrayList<>();
			for (int i = 0; i < checkpoints.size(); i++) {
				Kept one = checkpoints.get(i);
				if (i >= last || one.pin() != null || Instant.parse(one.created()).isAfter(before)) {
					kept.add(one);
				}
			}
			return kept;
		});
	}

	/**
	 * Removes all checkpoints of a lineage, pinned ones too.
	 * @param lineage its name
	 * @return the ids that were removed
	 */
	public List<String> removeAll(String lineage) {
		return remove(lineage, (checkpoints) -> List.of());
	}

	private List<String> remove(String lineage, UnaryOperator<List<Kept>> rule) {
		List<String> removed = new ArrayList<>();
		this.lineages.change(lineage, (current) -> {
			List<Kept> kept = rule.apply(current.checkpoints());
			removed.clear();
			current.checkpoints().stream().filter((one) -> !kept.contains(one)).map(Kept::id).forEach(removed::add);
			return current.keeping(kept);
		});
		return List.copyOf(removed);
	}

	/**
	 * Removes from the store what no checkpoint needs. May run at any time, beside
	 * captures and in several processes; one that is killed is finished by the next.
	 * @return what was removed
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if the store is damaged;
	 * nothing is removed then
	 */
	public CollectionResult collect() {
		return this.told.done(Action.COLLECT, "",
				() -> new Collector(this.store, this.lineages, this.blobs, this.clock, this.abandonedAfter).run(),
				CheckpointEvent.Collected::new);
	}

	/**
	 * Makes a checkpoint the newest of another lineage too, without another copy of its
	 * content. It stays there whatever becomes of the first.
	 * @param id the checkpoint
	 * @param lineage the other lineage
	 * @return the new checkpoint, with the same key
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is none,
	 * {@link ErrorCode#SANDBOX_INVALID} if the store is damaged; nothing counts then
	 */
	public Checkpoint fork(String id, String lineage) {
		return this.told.published(Action.FORK, lineage, () -> doFork(id, lineage));
	}

	private Checkpoint doFork(String id, String lineage) {
		Lineages.requireName(lineage);
		document(id);
		try (Publication publication = new Publication(this.store, this.blobs, this.lineages, lineage, "",
				this.clock.instant())) {
			// It may have been removed before this was announced, but cannot go any more.
			CheckpointDocument document = document(id);
			List<Entry> entries = entries(document);
			requireContent(entries);
			return publication.publish(document.key(), entries, document.leftOut(), id);
		}
	}

	/**
	 * Writes a checkpoint as one archive, {@code .tar.zst}, which GNU tar extracts too.
	 * Needs {@code com.github.luben:zstd-jni} on the class path.
	 * @param id the checkpoint
	 * @param output where it goes; not closed
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is no such
	 * checkpoint, {@link ErrorCode#SANDBOX_INVALID} if the store is damaged,
	 * {@link ErrorCode#SANDBOX_UNAVAILABLE} if Zstandard is missing or the output failed;
	 * what was written is of no use then
	 */
	public void exportTo(String id, OutputStream output) {
		CheckpointDocument document = document(id);
		new ArchiveExport(this.blobs, document, entries(document)).write(output);
	}

	/**
	 * Reads an exported checkpoint. The archive may come from anybody: names that lead
	 * out of the workspace, links that would be written through and whatever else is no
	 * workspace are refused, and sizes are counted as they are read. Who trusts its
	 * content must know where it is from: an archive is not signed.
	 * @param archive the archive; not closed
	 * @param lineage the lineage that the checkpoint becomes the newest of
	 * @return the checkpoint, with the key that the archive names
	 * @throws SandboxException {@link ErrorCode#SANDBOX_PATH} for a refused name,
	 * {@link ErrorCode#SANDBOX_INVALID} for a damaged archive,
	 * {@link ErrorCode#SANDBOX_LIMIT} beyond a limit,
	 * {@link ErrorCode#SANDBOX_UNAVAILABLE} if Zstandard is missing; nothing counts then
	 */
	public Checkpoint importFrom(InputStream archive, String lineage) {
		return this.told.published(Action.IMPORT, lineage, () -> doImport(archive, lineage));
	}

	private Checkpoint doImport(InputStream archive, String lineage) {
		Lineages.requireName(lineage);
		try (Publication publication = new Publication(this.store, this.blobs, this.lineages, lineage, "",
				this.clock.instant())) {
			ArchiveImport reading = new ArchiveImport(this.limits, publication.pack());
			ArchiveHead head = reading.read(archive);
			List<Entry> entries = reading.entries(head);
			if (!Manifest.write(publication.pack(), entries).toString().equals(head.tree())) {
				throw Failures.invalid("The archive is damaged: its files are not those that were exported. "
						+ "Nothing was imported.");
			}
			return publication.publish(head.key(), entries, List.of(), this.lineages.read(lineage).last());
		}
	}

}
