package io.sandbox4j.install;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * Where installs are written down, so that the next application knows what became of
 * them. A document is opaque to the store. Thread-safe, and several applications may use
 * one store at once.
 * <p>
 * {@code InstallStoreContract} of {@code sandbox-test} tests an implementation.
 *
 * @since 0.1.0
 */
public interface InstallStore {

	/**
	 * How many characters a document has at most.
	 */
	int MAX_DOCUMENT = 64 * 1024;

	/**
	 * Returns a store that ends with the application.
	 * @return the store
	 */
	static InstallStore inMemory() {
		return new InMemoryInstallStore();
	}

	/**
	 * Returns a store of files, which processes of one user on one host may share. What
	 * was written outlives a power failure.
	 * @param directory a directory of this user alone and of these entries alone, made if
	 * missing, on a file system with hard links
	 * @return the store
	 * @throws SandboxException {@link ErrorCode#SANDBOX_UNAVAILABLE} if it cannot be used
	 */
	static InstallStore directory(Path directory) {
		return FileInstallStore.open(directory);
	}

	/**
	 * Reads an entry.
	 * @param key the key
	 * @return the entry, or {@code null}
	 */
	@Nullable Entry load(InstallKey key);

	/**
	 * Reads the entries of a session.
	 * @param sessionId the session
	 * @return the entries, in no order
	 */
	List<Entry> list(String sessionId);

	/**
	 * Writes an entry if it still has the generation that the caller read. Of several
	 * that write over the same generation at once, one succeeds. The entry then has the
	 * next generation.
	 * @param key the key
	 * @param generation the generation that was read; zero if there was no entry
	 * @param document the new document, of at most {@link #MAX_DOCUMENT} characters
	 * @return {@code false} if the entry has another generation, and nothing was written
	 */
	boolean replace(InstallKey key, long generation, String document);

	/**
	 * Removes the entries of a session that will not come back. A session without any is
	 * fine.
	 * @param sessionId the session
	 */
	void removeSession(String sessionId);

	/**
	 * What is written down.
	 *
	 * @param key the key
	 * @param generation counts from 1 with each write
	 * @param document what was written
	 */
	record Entry(InstallKey key, long generation, String document) {

		/**
		 * Validates the components.
		 */
		public Entry {
			Objects.requireNonNull(key, "'key' must not be null");
			Objects.requireNonNull(document, "'document' must not be null");
			if (generation < 1) {
				throw new IllegalArgumentException("'generation' must be positive");
			}
		}

	}

}
