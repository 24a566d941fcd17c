package io.sandbox4j.gateway;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

import org.newsclub.net.unix.AFUNIXSelectorProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts the connections of every session on one thread, so that a session which nobody
 * uses costs a descriptor and no thread. Sockets are opened and closed on that thread
 * too: nothing else looks at a descriptor while it polls it.
 */
final class Acceptor implements Runnable, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Acceptor.class);

	private static final long PAUSE = Duration.ofMillis(100).toNanos();

	private final Selector selector;

	private final Queue<Runnable> work = new ConcurrentLinkedQueue<>();

	private final Thread thread;

	private boolean failing;

	private volatile boolean closed;

	Acceptor() throws IOException {
		this.selector = AFUNIXSelectorProvider.getInstance().openSelector();
		this.thread = new Thread(this, "sandbox-gateway-accept");
		this.thread.setDaemon(true);
		this.thread.start();
	}

	/**
	 * Starts to accept.
	 * @param session the session, with its socket bound
	 */
	void add(GatewaySession session) {
		perform(() -> session.channel().register(this.selector, SelectionKey.OP_ACCEPT, session));
	}

	/**
	 * Ends accepting, and closes and removes the socket. Returns when that is done.
	 * @param session the session
	 */
	void remove(GatewaySession session) {
		if (this.closed) {
			quietly(() -> close(session));
			return;
		}
		perform(() -> close(session));
	}

	private void close(GatewaySession session) throws IOException {
		SelectionKey key = session.channel().keyFor(this.selector);
		if (key != null) {
			key.cancel();
		}
		session.channel().close();
		Files.deleteIfExists(session.address().path());
		session.address().close();
	}

	private void perform(Action action) {
		CompletableFuture<Void> done = new CompletableFuture<>();
		this.work.add(() -> {
			quietly(action);
			done.complete(null);
		});
		this.selector.wakeup();
		done.join();
	}

	private static void quietly(Action action) {
		try {
			action.run();
		}
		catch (IOException | RuntimeException ex) {
			logger.warn("A gateway's socket could not be opened or closed", ex);
		}
	}

	@Override
	public void run() {
		while (!this.closed) {
			try {
				this.selector.select();
				runWork();
				acceptAll();
			}
			catch (IOException | RuntimeException ex) {
				logger.error("The gateway's acceptor failed, and goes on", ex);
			}
		}
		runWork();
	}

	private void runWork() {
		for (Runnable next = this.work.poll(); next != null; next = this.work.poll()) {
			next.run();
		}
	}

	// A connection that cannot be accepted, for want of descriptors, stays in the queue
	// and
	// would be found again at once.
	private void acceptAll() {
		boolean failed = false;
		for (SelectionKey key : this.selector.selectedKeys()) {
			try {
				if (key.isValid() && key.isAcceptable()) {
					((GatewaySession) key.attachment()).accept();
				}
			}
			catch (IOException | CancelledKeyException ex) {
				failed = true;
				if (!this.failing) {
					logger.warn("Connections of guests cannot be accepted", ex);
				}
			}
		}
		this.selector.selectedKeys().clear();
		this.failing = failed;
		if (failed) {
			LockSupport.parkNanos(PAUSE);
		}
	}

	@Override
	public void close() {
		this.closed = true;
		this.selector.wakeup();
		try {
			this.thread.join(5000);
			this.selector.close();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (IOException ex) {
			logger.debug("The selector could not be closed", ex);
		}
	}

	/**
	 * Work that may fail.
	 */
	@FunctionalInterface
	private interface Action {

		void run() throws IOException;

	}

}
