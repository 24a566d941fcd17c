package io.sandbox4j.checkpoint;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.checkpoint.Lineage.Kept;
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
 * <b>What grows.</b> Nothing is removed from the store yet: delete the whole store when
 * no checkpoint of it is needed.
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

	private final Lineages lineages;

	private final Blobs blobs;

	private Checkpoints(Builder builder) {
		this.store = builder.store;
		this.limits = builder.limits;
		this.clock = builder.clock;
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
				() -> Marker.write(this.store, marker, spec.id().getBytes(StandardCharsets.US_ASCII)));
		this.store.delete(marker);
		return document.checkpoint(spec.id());
	}

	/**
	 * Tells whether a session's workspace is a part of a checkpoint only.
	 * @param sessionId the session's id
	 * @return the checkpoint whose restore was begun and did not end, or {@code null}
	 */
	public @Nullable String restoring(String sessionId) {
		byte[] content = Marker.content(this.store, RESTORING + "/" + sessionId);
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
	 * Describes checkpoints. Not thread-safe.
	 */
	public static final class Builder {

		private final SnapshotStore store;

		private CheckpointLimits limits = CheckpointLimits.DEFAULT;

		private InstantSource clock = InstantSource.system();

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
