package io.sandbox4j.gateway;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

import io.sandbox4j.Origin;
import org.jspecify.annotations.Nullable;

/**
 * A server on 127.0.0.1 that does exactly what a test says: it hands each connection to a
 * script, which reads requests and writes raw bytes. Counts connections and requests and
 * keeps the requests. {@link #answering} serves ordinary exchanges with keep-alive;
 * {@link #raw} leaves every byte to the script. Either speaks TLS with an
 * {@link SSLContext}, for instance {@code TestAuthority.shared().server("dns:a.test")}.
 */
final class TestUpstream implements AutoCloseable {

	private final ServerSocket server;

	private final @Nullable SSLContext tls;

	private final Script script;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final AtomicInteger connections = new AtomicInteger();

	private final AtomicInteger ended = new AtomicInteger();

	private final List<Request> requests = new CopyOnWriteArrayList<>();

	private final List<Throwable> failures = new CopyOnWriteArrayList<>();

	private TestUpstream(@Nullable SSLContext tls, Script script) {
		this.tls = tls;
		this.script = script;
		try {
			this.server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start("upstream-" + port(), this::accept);
	}

	/**
	 * Starts a server that reads each request and its body, and writes what a function
	 * makes of it, until the client closes.
	 * @param answers gives the whole answer: see {@link #ok}
	 * @return the running server
	 */
	static TestUpstream answering(Answers answers) {
		return answering(null, answers);
	}

	static TestUpstream answering(@Nullable SSLContext tls, Answers answers) {
		return raw(tls, (peer) -> {
			Request request = peer.readRequest();
			while (request != null) {
				peer.write(answers.answer(request));
				request = peer.readRequest();
			}
		});
	}

	/**
	 * Starts a server whose script has the connection to itself. When it returns or
	 * throws, the connection is closed.
	 * @param script run for each connection, on a thread of its own
	 * @return the running server
	 */
	static TestUpstream raw(Script script) {
		return raw(null, script);
	}

	static TestUpstream raw(@Nullable SSLContext tls, Script script) {
		return new TestUpstream(tls, script);
	}

	/**
	 * Writes an ordinary answer.
	 * @param body ISO 8859-1
	 * @param headers whole lines: {@code "X-A: 1"}
	 * @return the answer's bytes as text
	 */
	static String ok(String body, String... headers) {
		return answer(200, body, headers);
	}

	static String answer(int status, String body, String... headers) {
		StringBuilder text = new StringBuilder("HTTP/1.1 " + status + " Status\r\nContent-Length: " + body.length());
		for (String header : headers) {
			text.append("\r\n").append(header);
		}
		return text + "\r\n\r\n" + body;
	}

	int port() {
		return this.server.getLocalPort();
	}

	/**
	 * Returns where the server is, under its address.
	 * @return {@code http://127.0.0.1:port}, or https
	 */
	Origin origin() {
		return origin("127.0.0.1");
	}

	/**
	 * Returns where the server is, under a name that the test resolves itself.
	 * @param host the name
	 * @return the origin
	 */
	Origin origin(String host) {
		return new Origin((this.tls != null) ? "https" : "http", host, port());
	}

	/**
	 * Returns how many connections were accepted.
	 * @return the count, failed TLS handshakes included
	 */
	int connections() {
		return this.connections.get();
	}

	/**
	 * Returns how many connections the server has closed.
	 * @return the count
	 */
	int ended() {
		return this.ended.get();
	}

	/**
	 * Returns the requests that were read with {@link Peer#readRequest()}, in order.
	 * @return the requests
	 */
	List<Request> requests() {
		return List.copyOf(this.requests);
	}

	/**
	 * Returns what scripts threw; closed connections are among it.
	 * @return the failures
	 */
	List<Throwable> failures() {
		return List.copyOf(this.failures);
	}

	/**
	 * Closes the connections and goes on accepting.
	 */
	void disconnect() {
		this.sockets.forEach(TestUpstream::closeQuietly);
	}

	@Override
	public void close() {
		try {
			this.server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		disconnect();
	}

	private void accept() {
		while (!this.server.isClosed()) {
			try {
				Socket socket = this.server.accept();
				int number = this.connections.incrementAndGet();
				this.sockets.add(socket);
				start("upstream-" + port() + "-" + number, () -> serve(socket, number));
			}
			catch (IOException ex) {
				if (!this.server.isClosed()) {
					this.failures.add(ex);
				}
			}
		}
	}

	private void serve(Socket socket, int number) {
		try {
			socket.setTcpNoDelay(true);
			this.script.serve(new Peer(socket, (this.tls != null) ? handshake(this.tls, socket) : socket, number));
		}
		catch (Throwable ex) {
			this.failures.add(ex);
		}
		finally {
			this.sockets.remove(socket);
			closeQuietly(socket);
			this.ended.incrementAndGet();
		}
	}

	private static Socket handshake(SSLContext tls, Socket socket) throws IOException {
		SSLSocket secure = (SSLSocket) tls.getSocketFactory().createSocket(socket, null, true);
		secure.startHandshake();
		return secure;
	}

	private static void start(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
	}

	private static void closeQuietly(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// It is as good as closed.
		}
	}

	/**
	 * What a server does with a connection.
	 */
	@FunctionalInterface
	interface Script {

		void serve(Peer peer) throws Exception;

	}

	/**
	 * What a server answers.
	 */
	@FunctionalInterface
	interface Answers {

		String answer(Request request) throws Exception;

	}

	/**
	 * A request as it came.
	 *
	 * @param connection the number of its connection, from 1
	 * @param head the lines up to the blank one, which is left out
	 * @param body decoded of chunks
	 */
	record Request(int connection, String head, byte[] body) {

		String method() {
			return this.head.substring(0, this.head.indexOf(' '));
		}

		String target() {
			return this.head.split(" ", 3)[1];
		}

		/**
		 * Returns a header's value, the first of several.
		 * @param name the name in any case
		 * @return the value, or {@code null}
		 */
		@Nullable String header(String name) {
			List<String> values = headers(name);
			return values.isEmpty() ? null : values.get(0);
		}

		List<String> headers(String name) {
			String start = name.toLowerCase(Locale.ROOT) + ":";
			return this.head.lines()
				.skip(1)
				.filter((line) -> line.toLowerCase(Locale.ROOT).startsWith(start))
				.map((line) -> line.substring(start.length()).strip())
				.toList();
		}

		String text() {
			return new String(this.body, StandardCharsets.ISO_8859_1);
		}

	}

	/**
	 * A connection, seen from the server.
	 */
	final class Peer {

		private final Socket raw;

		private final Socket socket;

		private final InputStream in;

		private final int number;

		Peer(Socket raw, Socket socket, int number) throws IOException {
			this.raw = raw;
			this.socket = socket;
			this.in = new BufferedInputStream(socket.getInputStream());
			this.number = number;
		}

		/**
		 * Returns which connection of the server this is.
		 * @return from 1
		 */
		int number() {
			return this.number;
		}

		InputStream in() {
			return this.in;
		}

		Socket socket() {
			return this.socket;
		}

		/**
		 * Reads a request and its body, and records it.
		 * @return the request, or {@code null} at the end of the connection
		 * @throws IOException if it ends within
		 */
		@Nullable Request readRequest() throws IOException {
			String head = readHead();
			if (head == null) {
				return null;
			}
			Request request = new Request(this.number, head, readBody(head));
			TestUpstream.this.requests.add(request);
			return request;
		}

		/**
		 * Reads up to a blank line.
		 * @return the lines before it, or {@code null} if the connection ends before the
		 * first byte
		 * @throws IOException if it ends within
		 */
		@Nullable String readHead() throws IOException {
			ByteArrayOutputStream head = new ByteArrayOutputStream();
			while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
				int next = this.in.read();
				if (next < 0 && head.size() == 0) {
					return null;
				}
				head.write(requireByte(next));
			}
			return head.toString(StandardCharsets.ISO_8859_1).strip();
		}

		byte[] readBody(String head) throws IOException {
			Request request = new Request(this.number, head, new byte[0]);
			String length = request.header("Content-Length");
			if (length != null) {
				return readExactly(Integer.parseInt(length));
			}
			ByteArrayOutputStream body = new ByteArrayOutputStream();
			if (request.header("Transfer-Encoding") != null) {
				int size = Integer.parseInt(readLine().split(";", 2)[0], 16);
				while (size > 0) {
					body.write(readExactly(size));
					readLine();
					size = Integer.parseInt(readLine().split(";", 2)[0], 16);
				}
				while (!readLine().isEmpty()) {
					// Trailers.
				}
			}
			return body.toByteArray();
		}

		byte[] readExactly(int count) throws IOException {
			byte[] bytes = this.in.readNBytes(count);
			if (bytes.length < count) {
				throw new IOException("The connection ended within a body.");
			}
			return bytes;
		}

		/**
		 * Waits until the client has closed.
		 * @return how many bytes came before
		 */
		long awaitEnd() {
			long count = 0;
			try {
				while (this.in.read() >= 0) {
					count++;
				}
			}
			catch (IOException ex) {
				// A reset ends it too.
			}
			return count;
		}

		void write(String text) throws IOException {
			write(text.getBytes(StandardCharsets.ISO_8859_1));
		}

		void write(byte[] bytes) throws IOException {
			this.socket.getOutputStream().write(bytes);
			this.socket.getOutputStream().flush();
		}

		/**
		 * Closes at once, with a reset instead of an end.
		 * @throws IOException if that fails
		 */
		void reset() throws IOException {
			this.raw.setSoLinger(true, 0);
			this.raw.close();
		}

		InetSocketAddress client() {
			return (InetSocketAddress) this.raw.getRemoteSocketAddress();
		}

		private String readLine() throws IOException {
			StringBuilder line = new StringBuilder();
			while (line.length() < 2 || !line.substring(line.length() - 2).equals("\r\n")) {
				line.append((char) requireByte(this.in.read()));
			}
			return line.substring(0, line.length() - 2);
		}

		private int requireByte(int next) throws IOException {
			if (next < 0) {
				throw new IOException("The connection ended within a message.");
			}
			return next;
		}

	}

}
