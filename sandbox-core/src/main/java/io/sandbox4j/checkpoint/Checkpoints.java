package io.sandbox4j.checkpoint;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.checkpoint.Lineage.Kept;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

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
 * <b>Lineages.</b> The checkpoints of a workspace are one row, named by the session's id
 * unless the caller says otherwise.
 *
 * @since 0.1.0
 */
public final class Checkpoints {

	private static final String RESTORING = "restoring";

	private final SnapshotStore store;

	private final CheckpointLimits limits;

	private final InstantSource clock;

	private final Duration abandonedAfter;

	private final Lineages lineages;

	private final Blobs blobs;

	private Checkpoints(Builder builder) {
		this.store = builder.store;
		this.limits = builder.limits;
		this.clock = builder.clock;
		this.abandonedAfter = builder.abandonedAfter;
		this.lineages = new Lineages(this.store, this.clock);
		this.blobs = new Blobs(this.store);
	}

	/**
	 * Starts to describe checkpoints.
	 * @param store where they are kept
	 * @return a builder
	 */
	public static Builder builder(SnapshotStore store) {
		return new Builder(store);
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
	 * {@link ErrorCode#SANDBOX_STATE_MISMATCH} if a file cannot be read, or a restore of
	 * the session was cut off; nothing counts then, and {@link #latest} refuses to name
	 * what is older than this
	 */
	public Checkpoint capture(SandboxSession session, String lineage, String key) {
		Lineages.requireName(lineage);
		GuestCommand.requireQuiet(session, 0);
		if (restoring(session.id()) != null) {
			throw Failures.mismatch("A restore of this session was cut off, so that its workspace is no whole one. "
					+ "Restore again before it is captured.");
		}
		Instant created = this.clock.instant();
		try (Publication publication = new Publication(this.store, this.blobs, this.lineages, lineage, session.id(),
				created)) {
			Lineage before = this.lineages.read(lineage);
			Capture capture = new Capture(session, this.limits, this.blobs, publication.pack());
			capture.run(before.known());
			return publication.publish(key, capture.entries(), capture.stats(), capture.leftOut(), before.last());
		}
	}

	/**
	 * Captures a sandbox's workspace, and stops the sandbox whether that succeeded or
	 * not. After a failure {@link #latest} names no older checkpoint: it would roll back
	 * past what was seen of the sandbox.
	 * @param sandbox the sandbox
	 * @return the checkpoint
	 * @throws SandboxException as {@link #capture(SandboxHandle)}; the sandbox is stopped
	 * nevertheless
	 */
	public Checkpoint stop(SandboxHandle sandbox) {
		try {
			return capture(sandbox);
		}
		catch (RuntimeException ex) {
			this.lineages.fail(sandbox.session().id(), (running) -> false);
			throw ex;
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
	 * A restore that failed or was cut off leaves a part; until the session is restored
	 * again, {@link #restoring} tells so and captures are refused.
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
		GuestCommand.requireQuiet(session, 0);
		CheckpointDocument document = document(spec.id());
		if (!document.key().equals(key) && !spec.anyKey()) {
			throw Failures.mismatch("The checkpoint was captured from a sandbox of another template or image. "
					+ "Start the sandbox from that one, or restore with 'anyKey'.");
		}
		this.blobs.refresh();
		List<Entry> entries = Manifest.read(this.blobs, Digest.parse(document.tree()));
		Restore restore = new Restore(session, this.limits, this.blobs);
		restore.requireContent(entries);
		boolean again = restoring(session.id()) != null;
		String marker = RESTORING + "/" + session.id();
		restore.run(entries, spec.replace() || again,
				() -> Condemned.write(this.store, marker, spec.id().getBytes(StandardCharsets.US_ASCII)));
		this.store.delete(marker);
		return document.checkpoint(spec.id());
	}

	/**
	 * Tells whether a session's workspace is a part of a checkpoint only.
	 * @param sessionId the session's id
	 * @return the checkpoint whose restore was begun and did not end, or {@code null}
	 */
	public @Nullable String restoring(String sessionId) {
		byte[] content = Condemned.content(this.store, RESTORING + "/" + sessionId);
		return (content != null) ? new String(content, StandardCharsets.US_ASCII) : null;
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
		List<Checkpoint> checkpoints = new ArrayList<>();
		for (Kept kept : this.lineages.read(lineage).checkpoints()) {
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
		if (!current.captures().isEmpty()) {
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
		return new Collector(this.store, this.lineages, this.blobs, this.clock, this.abandonedAfter).run();
	}

	/**
	 * Writes a checkpoint as one archive, which GNU tar extracts too.
	 * @param id the checkpoint
	 * @param output where it goes; not closed
	 * @param compression how it is compressed
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is no such
	 * checkpoint, {@link ErrorCode#SANDBOX_INVALID} if the store is damaged,
	 * {@link ErrorCode#SANDBOX_UNAVAILABLE} if the compression is missing or the output
	 * failed; what was written is of no use then
	 */
	public void exportTo(String id, OutputStream output, ArchiveCompression compression) {
		CheckpointDocument document = document(id);
		this.blobs.refresh();
		List<Entry> entries = Manifest.read(this.blobs, Digest.parse(document.tree()));
		ArchiveHead head = new ArchiveHead(ArchiveHead.FORMAT, document.key(), document.created(), document.tree(),
				entries.size(), document.bytes());
		try (OutputStream compressed = new BufferedOutputStream(Compression.compress(output, compression), 65_536)) {
			TarWriter tar = new TarWriter(compressed, this.blobs, ArchiveHead.WORKSPACE);
			tar.addText(ArchiveHead.NAME, JsonMapper.shared().writeValueAsBytes(head));
			for (Entry entry : entries) {
				tar.add(entry);
			}
			tar.finish();
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"The archive could not be written. Make room, and export again.", ex);
		}
	}

	/**
	 * Reads an exported checkpoint. The archive may come from anybody: names that lead
	 * out of the workspace, links that would be written through and whatever else is no
	 * workspace are refused, and sizes are counted as they are read. Who trusts its
	 * content must know where it is from: an archive is not signed.
	 * @param archive the archive, compressed as any {@link ArchiveCompression}; not
	 * closed
	 * @param lineage the lineage that the checkpoint becomes the newest of
	 * @return the checkpoint, with the key that the archive names
	 * @throws SandboxException {@link ErrorCode#SANDBOX_PATH} for a refused name,
	 * {@link ErrorCode#SANDBOX_INVALID} for a damaged archive,
	 * {@link ErrorCode#SANDBOX_LIMIT} beyond a limit; nothing counts then
	 */
	public Checkpoint importFrom(InputStream archive, String lineage) {
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
			return publication.publish(head.key(), entries, null, List.of(), this.lineages.read(lineage).last());
		}
	}

	/**
	 * Describes checkpoints. Not thread-safe.
	 */
	public static final class Builder {

		private final SnapshotStore store;

		private CheckpointLimits limits = CheckpointLimits.DEFAULT;

		private InstantSource clock = InstantSource.system();

		private Duration abandonedAfter = Duration.ofHours(6);

		private Builder(SnapshotStore store) {
			this.store = Objects.requireNonNull(store, "'store' must not be null");
		}

		/**
		 * Limits the bytes of a workspace's files together; holes do not count. 8 GiB
		 * unless set.
		 * @param bytes at least 1
		 * @return this builder
		 */
		public Builder maxBytes(long bytes) {
			this.limits = new CheckpointLimits(bytes, this.limits.maxFiles(), this.limits.timeout());
			return this;
		}

		/**
		 * Limits how many files, links and directories a workspace has. 1,000,000 unless
		 * set.
		 * @param files at least 1
		 * @return this builder
		 */
		public Builder maxFiles(long files) {
			this.limits = new CheckpointLimits(this.limits.maxBytes(), files, this.limits.timeout());
			return this;
		}

		/**
		 * Sets how long the part of a capture or a restore inside the sandbox may take.
		 * 10 minutes unless set.
		 * @param timeout more than zero
		 * @return this builder
		 */
		public Builder timeout(Duration timeout) {
			this.limits = new CheckpointLimits(this.limits.maxBytes(), this.limits.maxFiles(), timeout);
			return this;
		}

		/**
		 * Sets after what time a capture that did not end is taken for dead by
		 * {@link Checkpoints#collect()}. One that was slow is refused to publish then; it
		 * harms nothing. 6 hours unless set.
		 * @param abandonedAfter much more than the timeout
		 * @return this builder
		 */
		public Builder abandonedAfter(Duration abandonedAfter) {
			if (abandonedAfter.isNegative()) {
				throw Failures.invalid("'abandonedAfter' must not be negative.");
			}
			this.abandonedAfter = abandonedAfter;
			return this;
		}

		/**
		 * Sets what tells the time.
		 * @param clock the clock, the system's unless set
		 * @return this builder
		 */
		public Builder clock(InstantSource clock) {
			this.clock = Objects.requireNonNull(clock, "'clock' must not be null");
			return this;
		}

		/**
		 * Builds the checkpoints. Reads and writes nothing.
		 * @return the checkpoints
		 */
		public Checkpoints build() {
			return new Checkpoints(this);
		}

	}

}
