package io.sandbox4j.test.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A provider of models that fails as planned: {@code POST /v1/chat/completions} of OpenAI
 * at a free port of {@code 127.0.0.1}, streamed when the request says so. The first step
 * of the plan serves the first call, and so on; the last one serves all that follow. What
 * a step does to the connection is real. Each call has a connection of its own.
 *
 * <pre class="code">
 * try (FaultProviderServer provider = FaultProviderServer.start(FaultStep.httpError(503), FaultStep.pass())) {
 *     ChatModel model = model(provider.baseUrl());
 *     assertThat(agent(model).ask("Hello")).isEqualTo("ok");
 *     assertThat(provider.calls()).hasSize(2);
 * }
 * </pre>
 *
 * Clients that try again by themselves use one step for each try. Any key is taken, and
 * none is kept. Answers have no times and no random ids, so they are the same each time.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class FaultProviderServer implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(FaultProviderServer.class);

	private static final String PATH = "/v1/chat/completions";

	private static final long CLOSE_SECONDS = 5;

	private final List<FaultCall> calls = new ArrayList<>();

	private final Set<Socket> open = ConcurrentHashMap.newKeySet();

	private final CountDownLatch closed = new CountDownLatch(1);

	private final FaultPlan plan;

	private final ServerSocket listener;

	private final ExecutorService threads;

	private FaultProviderServer(FaultPlan plan, ServerSocket listener) {
		this.plan = plan;
		this.listener = listener;
		this.threads = Executors.newCachedThreadPool((task) -> {
			Thread thread = new Thread(task, "sandbox-fault-" + listener.getLocalPort());
			thread.setDaemon(true);
			return thread;
		});
		this.threads.execute(this::accept);
	}

	/**
	 * Starts a server.
	 * @param steps the steps, at least one
	 * @return the server, which listens
	 * @throws IllegalArgumentException if there are no steps
	 */
	public static FaultProviderServer start(FaultStep... steps) {
		return start(FaultPlan.of(steps));
	}

	/**
	 * Starts a server.
	 * @param plan what it does with its calls
	 * @return the server, which listens
	 */
	public static FaultProviderServer start(FaultPlan plan) {
		Objects.requireNonNull(plan, "'plan' must not be null");
		try {
			return new FaultProviderServer(plan, new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No port of the loopback can be listened to", ex);
		}
	}

	/**
	 * Returns where the calls go.
	 * @return an URL such as {@code http://127.0.0.1:40001/v1/chat/completions}
	 */
	public String url() {
		return origin() + PATH;
	}

	/**
	 * Returns what clients of OpenAI call the base URL.
	 * @return an URL such as {@code http://127.0.0.1:40001/v1}
	 */
	public String baseUrl() {
		return origin() + "/v1";
	}

	private String origin() {
		return "http://127.0.0.1:" + this.listener.getLocalPort();
	}

	/**
	 * Returns what was asked so far.
	 * @return a copy, in order; a request for anything else than the one endpoint is
	 * answered with 404 and is no call
	 */
	public List<FaultCall> calls() {
		synchronized (this.calls) {
			return List.copyOf(this.calls);
		}
	}

	/**
	 * Returns how many clients have not gone yet, for tests of what a client gives up.
	 * @return the number of connections, also of those that have not asked
	 */
	public int openConnections() {
		return this.open.size();
	}

	FaultCall record(Map<String, String> headers, String body) {
		synchronized (this.calls) {
			int number = this.calls.size() + 1;
			FaultCall call = new FaultCall(number, this.plan.step(number), headers, body);
			this.calls.add(call);
			return call;
		}
	}

	static boolean serves(String method, String path) {
		return method.equals("POST") && path.equals(PATH);
	}

	/**
	 * Waits, unless the server is closed meanwhile.
	 * @param duration how long
	 * @throws IOException if it is closed
	 */
	void pause(Duration duration) throws IOException {
		try {
			if (this.closed.await(duration.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new IOException("The server was closed");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("The server was interrupted", ex);
		}
	}

	private void accept() {
		while (!this.listener.isClosed()) {
			try {
				Socket socket = this.listener.accept();
				this.open.add(socket);
				dispatch(socket);
			}
			catch (IOException ex) {
				if (!this.listener.isClosed()) {
					logger.warn("A connection could not be accepted", ex);
				}
			}
		}
	}

	private void dispatch(Socket socket) {
		try {
			this.threads.execute(() -> serve(socket));
		}
		catch (RejectedExecutionException ex) {
			// It came while the server was being closed.
			closeQuietly(socket);
		}
	}

	private void serve(Socket socket) {
		try (socket) {
			new FaultExchange(this, socket).run();
		}
		catch (IOException ex) {
			logger.debug("A connection ended early", ex);
		}
		finally {
			this.open.remove(socket);
		}
	}

	/**
	 * Closes the port and every connection. May be called often.
	 */
	@Override
	public void close() {
		this.closed.countDown();
		try {
			this.listener.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The port could not be closed", ex);
		}
		finally {
			this.threads.shutdown();
			this.open.forEach(FaultProviderServer::closeQuietly);
		}
		try {
			if (!this.threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
				throw new IllegalStateException("A connection of the fault server does not end");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static void closeQuietly(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			logger.debug("A connection could not be closed", ex);
		}
	}

}
