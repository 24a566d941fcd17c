package io.sandbox4j.session;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command's standard input: first the bytes of the command, written on another thread,
 * then whatever the caller writes.
 */
final class CommandInput extends OutputStream {

	private static final Logger logger = LoggerFactory.getLogger(CommandInput.class);

	private final OutputStream target;

	private final CompletableFuture<Void> prefix = new CompletableFuture<>();

	CommandInput(OutputStream target) {
		this.target = target;
	}

	/**
	 * Starts to write the command's own bytes.
	 * @param bytes the bytes
	 * @param thenClose whether the input ends after them
	 * @param executor where to write them
	 */
	void feed(byte[] bytes, boolean thenClose, Executor executor) {
		if (bytes.length == 0) {
			finishPrefix(thenClose);
			return;
		}
		executor.execute(() -> {
			try {
				this.target.write(bytes);
				this.target.flush();
			}
			catch (IOException ex) {
				// A program may stop reading and still succeed: 'head -c 5'.
				logger.debug("The program did not read all of its input", ex);
			}
			finishPrefix(thenClose);
		});
	}

	private void finishPrefix(boolean thenClose) {
		if (thenClose) {
			try {
				this.target.close();
			}
			catch (IOException ex) {
				logger.debug("The program closed its input first", ex);
			}
		}
		this.prefix.complete(null);
	}

	@Override
	public void write(int value) throws IOException {
		write(new byte[] { (byte) value }, 0, 1);
	}

	@Override
	public void write(byte[] bytes, int offset, int length) throws IOException {
		awaitPrefix();
		this.target.write(bytes, offset, length);
	}

	@Override
	public void flush() throws IOException {
		awaitPrefix();
		this.target.flush();
	}

	@Override
	public void close() throws IOException {
		awaitPrefix();
		this.target.close();
	}

	private void awaitPrefix() throws IOException {
		try {
			this.prefix.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("Interrupted while waiting to write");
		}
		catch (ExecutionException ex) {
			throw new IOException(ex);
		}
	}

}
