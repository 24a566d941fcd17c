package io.sandbox4j.checkpoint;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * A process that uses a store.
 */
public final class StoreProcess {

	static final int ROUNDS = 200;

	private StoreProcess() {
	}

	// Arguments: what to do, the store's directory.
	public static void main(String[] args) {
		FileSnapshotStore store = FileSnapshotStore.open(Path.of(args[1]));
		if (args[0].equals("count")) {
			count(store);
		}
		else {
			fill(store);
		}
	}

	private static void count(FileSnapshotStore store) {
		int written = 0;
		while (written < ROUNDS) {
			SnapshotRef ref = store.ref("r/count");
			int count = (ref != null) ? Integer.parseInt(new String(ref.content(), StandardCharsets.UTF_8)) : 0;
			byte[] next = String.valueOf(count + 1).getBytes(StandardCharsets.UTF_8);
			if (store.compareAndSet("r/count", (ref != null) ? ref.version() : null, next)) {
				written++;
			}
		}
	}

	private static void fill(FileSnapshotStore store) {
		WrittenCheckpoints written = new WrittenCheckpoints(store);
		Checkpoint first = written.write("a", Map.of("x", WrittenCheckpoints.random(1, 1000)));
		try {
			for (int i = 0;; i++) {
				written.write("filler", Map.of("x", WrittenCheckpoints.random(i, 100_000)));
			}
		}
		catch (SandboxException ex) {
			require(ex.code() == ErrorCode.SANDBOX_LIMIT, "A full disk is a limit: " + ex.code());
		}
		try {
			written.write("a", Map.of("x", WrittenCheckpoints.random(7, 500_000)));
			require(false, "There must be no room");
		}
		catch (SandboxException ex) {
			require(ex.code() == ErrorCode.SANDBOX_LIMIT, "A full disk is a limit: " + ex.code());
		}
		Checkpoints checkpoints = Checkpoints.builder(store).build();
		try {
			checkpoints.latest("a");
			require(false, "The newest is older than what was seen");
		}
		catch (SandboxException ex) {
			require(ex.code() == ErrorCode.SANDBOX_STATE_MISMATCH, "The failure must be known: " + ex.code());
		}
		require(checkpoints.verify(first.id()).equals(first), "What was there must stay");
	}

	private static void require(boolean holds, String what) {
		if (!holds) {
			throw new IllegalStateException(what);
		}
	}

}
