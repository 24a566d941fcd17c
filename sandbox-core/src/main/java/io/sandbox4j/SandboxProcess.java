package io.sandbox4j;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A command that runs, with its streams in the caller's hands. Thread-safe.
 * <p>
 * Output has back-pressure: each stream holds 64 KiB, then the program waits until
 * somebody reads. The deadline of the command holds as ever.
 * {@link ExecSpec#maxOutputBytes()} does not: what the caller reads, the caller bounds.
 *
 * @since 0.1.0
 */
public interface SandboxProcess extends AutoCloseable {

	/**
	 * Returns the command's id, as events name it.
	 * @return a word that no other command of the session has or had
	 */
	String id();

	/**
	 * Returns the program's standard input. Closing it is the end of the file. Bytes of
	 * {@link ExecSpec#stdin()} come first. A program that stopped reading makes writes
	 * fail with an {@code IOException}.
	 * @return the stream
	 */
	OutputStream stdin();

	/**
	 * Returns what the program prints.
	 * @return the stream
	 */
	InputStream stdout();

	/**
	 * Returns what the program prints on standard error.
	 * @return the stream
	 */
	InputStream stderr();

	/**
	 * Completes when the program and every process that it left behind are gone. The
	 * result has empty outputs: they went through the streams. Never completes
	 * exceptionally for what the command did.
	 * @return the future result
	 */
	CompletableFuture<ExecResult> onExit();

	/**
	 * Sends a signal to the program, not to its children. Does nothing once it is gone.
	 * @param signal the signal
	 */
	void signal(Signal signal);

	/**
	 * Sends {@link Signal#TERM}, and kills every process of the command when the program
	 * is still there after the grace. Returns at once.
	 * @param grace how long the program may take; zero kills at once
	 * @return the future result, with {@link ExecStatus#CANCELLED} or, when the program
	 * ended within the grace, its own status
	 */
	CompletableFuture<ExecResult> stop(Duration grace);

	/**
	 * Kills every process of the command. Returns at once.
	 * @param reason why, for {@link ExecResult#reason()}
	 * @return the future result, with {@link ExecStatus#CANCELLED}
	 */
	CompletableFuture<ExecResult> cancel(String reason);

	/**
	 * Kills what still runs, as {@link #cancel}.
	 */
	@Override
	default void close() {
		cancel("The process was closed.");
	}

}
