package io.sandbox4j.run;

import java.util.function.Function;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is known of durable sandboxes, their runs and their operations. All that is
 * written in one call is kept together or not at all, and is there after the process or,
 * as far as the store promises it, the machine has died. Implementations are thread-safe,
 * and run {@code RunStoreContract}.
 * <p>
 * What is written of one sandbox is written by one caller at a time, in whichever
 * process. Calls of one process wait for each other; a writer of another process that
 * does not give way at once is {@link ErrorCode#SANDBOX_BUSY}, which is retryable, and
 * then nothing was written.
 * <p>
 * Names, which are keys, ids, kinds and paths, are sorted by code point, in whatever
 * language: as the bytes of their UTF-8 are. They have no NUL, and a limited length.
 * Texts have any character. Half of a surrogate pair is no character, and refused
 * everywhere. Times are exact to the nanosecond, in the years 0 to 9999.
 * <p>
 * The work of a call runs on the calling thread and may not call the store. An interrupt
 * ends no call, and stays set.
 *
 * @since 0.1.0
 */
public interface RunStore extends AutoCloseable {

	/**
	 * How many bytes of UTF-8 a key, an id or a kind has at most.
	 */
	int MAX_ID_BYTES = 512;

	/**
	 * How many bytes of UTF-8 a path or a repository has at most.
	 */
	int MAX_PATH_BYTES = 1024;

	/**
	 * How many bytes of UTF-8 a text has at most.
	 */
	int MAX_TEXT_BYTES = 64 << 20;

	/**
	 * Creates a store that is gone with the application.
	 * @return an empty store
	 */
	static RunStore inMemory() {
		return new InMemoryRunStore();
	}

	/**
	 * Reads. What is read in one call belongs together, whatever others write meanwhile,
	 * and no writer makes it wait.
	 * @param <T> the type of the result
	 * @param work reads; the view is of no use after it
	 * @return what the work returns
	 * @throws SandboxException {@link ErrorCode#SANDBOX_STOPPED} after {@link #close()},
	 * {@link ErrorCode#SANDBOX_UNAVAILABLE} if the store cannot be reached,
	 * {@link ErrorCode#SANDBOX_INVALID} for an argument that no store takes
	 */
	<T extends @Nullable Object> T read(Function<? super RunView, T> work);

	/**
	 * Writes of one sandbox. If the work throws, nothing is written.
	 * @param <T> the type of the result
	 * @param sandbox the sandbox's key; the work may write of no other
	 * @param work reads and writes; the transaction is of no use after it
	 * @return what the work returns
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if another process writes,
	 * {@link ErrorCode#SANDBOX_LIMIT} if the store has no room, otherwise as
	 * {@link #read}
	 */
	<T extends @Nullable Object> T write(String sandbox, Function<? super RunTransaction, T> work);

	/**
	 * Waits for the calls that are under way and refuses new ones. Idempotent; not from
	 * within a call.
	 */
	@Override
	void close();

}
