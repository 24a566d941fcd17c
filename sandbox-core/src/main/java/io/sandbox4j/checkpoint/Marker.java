package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.io.InputStream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * Small objects that tell by being there.
 */
final class Marker {

	private Marker() {
	}

	static void write(SnapshotStore store, String name, byte[] content) {
		try (SnapshotUpload upload = store.create(name)) {
			upload.write(content);
			upload.commit();
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
	}

	static byte @Nullable [] content(SnapshotStore store, String name) {
		try (InputStream input = store.open(name, 0, Long.MAX_VALUE)) {
			return input.readAllBytes();
		}
		catch (SandboxException ex) {
			if (ex.code() == ErrorCode.SANDBOX_NOT_FOUND) {
				return null;
			}
			throw ex;
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
	}

}
