package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the store has of a checkpoint. Its digest is the checkpoint's id.
 *
 * @param format {@link #FORMAT}
 * @param nonce makes two checkpoints of the same content two documents
 * @param lineage the lineage
 * @param key what the workspace was started from
 * @param created when it was made
 * @param tree the digest of the list of entries
 * @param files how many entries
 * @param bytes the bytes of files, without holes
 * @param newBytes what was new
 * @param parent the checkpoint before it
 * @param leftOut what is not in it, in part
 * @param leftOutCount how much is not in it
 */
record CheckpointDocument(int format, String nonce, String lineage, String key, String created, String tree, long files,
		long bytes, long newBytes, @Nullable String parent, List<String> leftOut, int leftOutCount) {

	static final int FORMAT = 1;

	static final String NAMES = "checkpoints";

	private static final int MAX = 1 << 20;

	static String name(String id) {
		return NAMES + "/" + id;
	}

	byte[] encode() {
		return JsonMapper.shared().writeValueAsBytes(this);
	}

	Checkpoint checkpoint(String id) {
		return new Checkpoint(id, this.lineage, this.key, Instant.parse(this.created), this.files, this.bytes,
				this.newBytes, this.parent, this.leftOut, this.leftOutCount);
	}

	static CheckpointDocument read(SnapshotStore store, String id) {
		byte[] content;
		try (InputStream input = store.open(name(id), 0, MAX)) {
			content = input.readAllBytes();
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
		catch (SandboxException ex) {
			throw (ex.code() == ErrorCode.SANDBOX_NOT_FOUND) ? Failures.unknown(id) : ex;
		}
		if (!Digest.of(content).toString().equals(id)) {
			throw Failures.damaged("the checkpoint '" + id + "' is not what was written");
		}
		return Documents.read(content, FORMAT, CheckpointDocument.class, "The checkpoint '" + id + "'");
	}

	/**
	 * JSON with a version.
	 */
	static final class Documents {

		private Documents() {
		}

		static <T> T read(byte[] content, int format, Class<T> type, String what) {
			try {
				JsonNode json = JsonMapper.shared().readTree(content);
				if (json.path("format").asInt(0) > format) {
					throw Failures.newer(what);
				}
				T value = JsonMapper.shared().treeToValue(json, type);
				if (value == null) {
					throw Failures.damaged(what + " is empty");
				}
				return value;
			}
			catch (JacksonException ex) {
				throw Failures.damaged(what + " cannot be read");
			}
		}

	}

}
