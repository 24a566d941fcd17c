package io.sandbox4j.gateway;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;
import org.newsclub.net.unix.AFUNIXSocket;
import org.newsclub.net.unix.AFUNIXSocketAddress;

/**
 * A guest's end of a connection, byte by byte.
 */
final class TestGuest implements AutoCloseable {

	private final AFUNIXSocket socket;

	private final InputStream in;

	private TestGuest(AFUNIXSocket socket) throws IOException {
		this.socket = socket;
		this.in = new BufferedInputStream(socket.getInputStream());
	}

	static TestGuest connect(Path path) {
		try {
			AFUNIXSocket socket = AFUNIXSocket.connectTo(AFUNIXSocketAddress.of(path));
			socket.setSoTimeout(20_000);
			return new TestGuest(socket);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	TestGuest write(String text) {
		return write(text.getBytes(StandardCharsets.ISO_8859_1));
	}

	TestGuest write(byte[] bytes) {
		try {
			this.socket.getOutputStream().write(bytes);
			return this;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void shutdownOutput() {
		try {
			this.socket.shutdownOutput();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	InputStream in() {
		return this.in;
	}

	/**
	 * Reads one answer with its body.
	 * @return the answer
	 */
	Response readResponse() {
		return readResponse(true);
	}

	/**
	 * Reads the head of an answer, and its body if it has one.
	 * @param bodied {@code false} for an answer to HEAD
	 * @return the answer
	 */
	Response readResponse(boolean bodied) {
		try {
			String head = readHead();
			Response response = new Response(head, "");
			if (!bodied || response.status() / 100 == 1 || response.status() == 204 || response.status() == 304) {
				return response;
			}
			return new Response(head, new String(readBody(response), StandardCharsets.ISO_8859_1));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	String readHead() throws IOException {
		ByteArrayOutputStream head = new ByteArrayOutputStream();
		while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
			head.write(require(this.in.read()));
		}
		return head.toString(StandardCharsets.ISO_8859_1).strip();
	}

	private byte[] readBody(Response response) throws IOException {
		String length = response.header("Content-Length");
		if (length != null) {
			byte[] body = this.in.readNBytes(Integer.parseInt(length));
			if (body.length < Integer.parseInt(length)) {
				throw new IOException("The answer ended within its body.");
			}
			return body;
		}
		if (response.header("Transfer-Encoding") == null) {
			return this.in.readAllBytes();
		}
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		for (byte[] chunk = readChunk(); chunk.length > 0; chunk = readChunk()) {
			body.write(chunk);
		}
		return body.toByteArray();
	}

	/**
	 * Reads one chunk of a chunked body.
	 * @return its bytes; none for the last
	 * @throws IOException if the body ends within
	 */
	byte[] readChunk() throws IOException {
		int size = Integer.parseInt(readLine(), 16);
		byte[] chunk = this.in.readNBytes(size);
		if (chunk.length < size) {
			throw new IOException("The answer ended within a chunk.");
		}
		readLine();
		return chunk;
	}

	private String readLine() throws IOException {
		StringBuilder line = new StringBuilder();
		for (int c = require(this.in.read()); c != '\n'; c = require(this.in.read())) {
			line.append((char) c);
		}
		return line.toString().strip();
	}

	/**
	 * Reads to the end of the connection.
	 * @return what came; a reset is an end too
	 */
	String readToEnd() {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		try {
			for (int c = this.in.read(); c >= 0; c = this.in.read()) {
				all.write(c);
			}
		}
		catch (SocketException ex) {
			// As good as an end.
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return all.toString(StandardCharsets.ISO_8859_1);
	}

	private static int require(int c) throws IOException {
		if (c < 0) {
			throw new IOException("The connection ended within an answer.");
		}
		return c;
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * An answer.
	 *
	 * @param head its lines
	 * @param body decoded of chunks, ISO 8859-1
	 */
	record Response(String head, String body) {

		int status() {
			return Integer.parseInt(this.head.split(" ", 3)[1]);
		}

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

		/**
		 * Returns why the gateway refused.
		 * @return the code, or {@code null} if it did not
		 */
		@Nullable String reason() {
			return header("Sandbox-Reason");
		}

	}

}
