package io.sandbox4j.autoconfigure.tools;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.tools.CodingTools;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds or makes sandboxes by key, in the memory of this application. No lock is held
 * while a sandbox is made or deleted, so no key waits for another.
 */
final class KeyedToolSandboxes implements ToolSandboxes, AutoCloseable {

	private static final int MAX_KEY_LENGTH = 256;

	private static final Duration LONGEST_SWEEP = Duration.ofMinutes(1);

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final Logger logger = LoggerFactory.getLogger(KeyedToolSandboxes.class);

	private final Supplier<SandboxHandle> maker;

	private final Function<SandboxSession, CodingTools> tools;

	private final ToolCallOwners owners;

	private final int maxSandboxes;

	private final Duration idleTimeout;

	private final Semaphore places;

	private final Map<String, KeyedToolSandbox> sandboxes = new ConcurrentHashMap<>();

	// Each keeps its place until it is gone.
	private final Queue<KeyedToolSandbox> undeleted = new ConcurrentLinkedQueue<>();

	private final ScheduledThreadPoolExecutor sweeper;

	private volatile boolean closed;

	KeyedToolSandboxes(Supplier<SandboxHandle> maker, Function<SandboxSession, CodingTools> tools,
			ToolCallOwners owners, int maxSandboxes, Duration idleTimeout) {
		this.maker = maker;
		this.tools = tools;
		this.owners = owners;
		this.maxSandboxes = maxSandboxes;
		this.idleTimeout = idleTimeout;
		this.places = new Semaphore(maxSandboxes);
		this.sweeper = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "sandbox-tools-idle");
			thread.setDaemon(true);
			return thread;
		});
		Duration quarter = idleTimeout.dividedBy(4);
		long interval = Math.max(1, ((quarter.compareTo(LONGEST_SWEEP) < 0) ? quarter : LONGEST_SWEEP).toMillis());
		this.sweeper.scheduleWithFixedDelay(this::sweep, interval, interval, TimeUnit.MILLISECONDS);
	}

	@Override
	public <T> T use(String key, Function<CodingTools, T> work) {
		requireKey(key);
		KeyedToolSandbox sandbox = enter(key);
		try {
			CodingTools ready = tools(key, sandbox);
			return this.owners.call(key, ToolCallOwners.NO_CONTEXT, () -> work.apply(ready));
		}
		finally {
			sandbox.leave();
		}
	}

	// The key itself is not repeated: it may be an id that gives access elsewhere.
	private static void requireKey(String key) {
		if (key.isEmpty() || key.length() > MAX_KEY_LENGTH || !key.chars().allMatch((c) -> c >= 0x20 && c < 0x7f)) {
			throw new IllegalArgumentException(
					"The key of a sandbox must have 1 to " + MAX_KEY_LENGTH + " printable ASCII characters.");
		}
	}

	private KeyedToolSandbox enter(String key) {
		while (!this.closed) {
			KeyedToolSandbox sandbox = this.sandboxes.computeIfAbsent(key, (absent) -> place());
			if (sandbox.enter()) {
				return sandbox;
			}
			this.sandboxes.remove(key, sandbox);
		}
		throw stopped();
	}

	private KeyedToolSandbox place() {
		if (!this.places.tryAcquire()) {
			throw new SandboxException(ErrorCode.SANDBOX_BUSY,
					"All of the " + this.maxSandboxes + " sandboxes for tools are taken. Raise "
							+ "'sandbox.tools.max-sandboxes', or lower 'sandbox.tools.idle-timeout'.");
		}
		return new KeyedToolSandbox(this::make);
	}

	private CodingTools tools(String key, KeyedToolSandbox sandbox) {
		try {
			// What came after the close would be deleted by nobody.
			if (this.closed) {
				throw stopped();
			}
			return sandbox.tools();
		}
		catch (RuntimeException ex) {
			// Not if only this thread gave up waiting.
			if (sandbox.failed()) {
				end(key, sandbox);
			}
			throw ex;
		}
	}

	private KeyedToolSandbox.Made make() {
		SandboxHandle handle = this.maker.get();
		try {
			return new KeyedToolSandbox.Made(handle, this.tools.apply(handle.session()));
		}
		catch (RuntimeException | Error ex) {
			try {
				handle.delete();
			}
			catch (RuntimeException failure) {
				ex.addSuppressed(failure);
			}
			throw ex;
		}
	}

	@Override
	public boolean end(String key) {
		KeyedToolSandbox sandbox = this.sandboxes.get(key);
		return sandbox != null && end(key, sandbox);
	}

	private boolean end(String key, KeyedToolSandbox sandbox) {
		if (!sandbox.end()) {
			return false;
		}
		this.sandboxes.remove(key, sandbox);
		delete(sandbox);
		return true;
	}

	private void delete(KeyedToolSandbox sandbox) {
		try {
			sandbox.delete(PATIENCE);
			this.places.release();
		}
		catch (RuntimeException ex) {
			logger.warn("A sandbox for tools could not be deleted yet", ex);
			this.undeleted.add(sandbox);
		}
	}

	private void sweep() {
		try {
			List<KeyedToolSandbox> again = List.copyOf(this.undeleted);
			again.stream().filter(this.undeleted::remove).forEach(this::delete);
			this.sandboxes.forEach((key, sandbox) -> {
				if (sandbox.endIfIdle(this.idleTimeout)) {
					this.sandboxes.remove(key, sandbox);
					delete(sandbox);
				}
			});
		}
		catch (RuntimeException ex) {
			logger.warn("Idle sandboxes for tools could not be looked for", ex);
		}
	}

	private static SandboxException stopped() {
		return new SandboxException(ErrorCode.SANDBOX_STOPPED,
				"The application ends; there are no sandboxes any more.");
	}

	/**
	 * Deletes every sandbox. Idempotent.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.sweeper.shutdown();
		boolean interrupted = false;
		try {
			this.sweeper.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		this.sandboxes.forEach(this::end);
		List<KeyedToolSandbox> again = List.copyOf(this.undeleted);
		again.stream().filter(this.undeleted::remove).forEach(this::delete);
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
