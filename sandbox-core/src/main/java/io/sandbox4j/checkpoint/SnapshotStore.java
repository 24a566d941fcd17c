package io.sandbox4j.checkpoint;

import java.io.InputStream;
import java.time.Instant;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * Where checkpoints are kept: immutable objects, and small references that change by
 * comparison. It is all that an object store with conditional writes offers. Thread-safe,
 * also among processes.
 * <p>
 * A name is one or more segments with {@code /} between them; a segment has small
 * letters, digits, dots, hyphens and underscores, and starts with a letter or a digit. A
 * name has 200 characters at most, and no object's name is the start of another's
 * segments.
 * <p>
 * What was written must be seen by every later call, in every process: reads and lists
 * are strongly consistent. Failures of the store itself are
 * {@link ErrorCode#SANDBOX_UNAVAILABLE}, and {@link ErrorCode#SANDBOX_LIMIT} if it is
 * full. Implementations run {@code io.sandbox4j.test.SnapshotStoreContract}.
 *
 * @since 0.1.0
 */
public interface SnapshotStore {

	/**
	 * Starts to write an object. Nobody sees any of it before
	 * {@link SnapshotUpload#commit()}.
	 * @param name the object's name
	 * @return where its bytes go
	 */
	SnapshotUpload create(String name);

	/**
	 * Opens a part of an object.
	 * @param name the object's name
	 * @param offset where the part starts
	 * @param length how many bytes it has; those beyond the object's end are left out
	 * @return the bytes, to be closed by the caller
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is none
	 */
	InputStream open(String name, long offset, long length);

	/**
	 * Returns the size of an object.
	 * @param name the object's name
	 * @return its bytes
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is none
	 */
	long size(String name);

	/**
	 * Lists objects.
	 * @param prefix the first segments of their names
	 * @return the names, sorted
	 */
	List<String> list(String prefix);

	/**
	 * Removes an object. Streams that are open read on, or fail.
	 * @param name the object's name
	 * @return {@code false} if there is none
	 */
	boolean delete(String name);

	/**
	 * Reads a reference.
	 * @param name the reference's name
	 * @return its content, or {@code null} if it was never written
	 */
	@Nullable SnapshotRef ref(String name);

	/**
	 * Writes a reference if nobody else has meanwhile. Of several who expect the same
	 * version, one at most succeeds. {@code false} does not prove that nothing was
	 * written: it may have been, and overwritten at once. So read again and look.
	 * @param name the reference's name
	 * @param expected the version that it has now, or {@code null} if it was never
	 * written
	 * @param content the new content, 4 MiB at most
	 * @return {@code true} if it was written
	 */
	boolean compareAndSet(String name, @Nullable String expected, byte[] content);

	/**
	 * Lists references.
	 * @param prefix the first segments of their names
	 * @return the names, sorted
	 */
	List<String> refs(String prefix);

	/**
	 * Removes what uploads left behind that never ended, because their process did. An
	 * object store may leave this to a rule of its bucket.
	 * @param before what was touched since is left alone: it may go on
	 */
	void sweep(Instant before);

}
