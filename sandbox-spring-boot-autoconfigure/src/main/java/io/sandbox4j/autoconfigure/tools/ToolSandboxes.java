package io.sandbox4j.autoconfigure.tools;

import java.util.function.Function;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.tools.CodingTools;

/**
 * The sandboxes of the tools, one for each key. They last as long as they are used: one
 * that is idle for {@code sandbox.tools.idle-timeout} is stopped and deleted with its
 * files, and so are all when the application ends. Thread-safe.
 *
 * @since 0.1.0
 */
public interface ToolSandboxes {

	/**
	 * Works with the tools of a key's sandbox, which is made if there is none. It is not
	 * idle meanwhile.
	 * @param <T> the type of the result
	 * @param key the key, 1 to 256 printable ASCII characters
	 * @param work what is done
	 * @return what the work returns
	 * @throws IllegalArgumentException if it is no key
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if there are as many
	 * sandboxes as may be, {@link ErrorCode#SANDBOX_STOPPED} if the application ends or
	 * somebody ends this sandbox meanwhile, or as for
	 * {@link io.sandbox4j.SandboxBackend#create}
	 */
	<T> T use(String key, Function<CodingTools, T> work);

	/**
	 * Stops and deletes the sandbox of a key, whatever runs in it. Call it when a
	 * conversation ends, rather than wait for the idle time-out.
	 * @param key the key
	 * @return {@code false} if there is none
	 */
	boolean end(String key);

}
