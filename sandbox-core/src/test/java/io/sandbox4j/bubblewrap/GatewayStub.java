package io.sandbox4j.bubblewrap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server of the test's in the place of a session's gateway: on the same socket, with
 * the same owner and mode.
 */
final class GatewayStub implements AutoCloseable {

	private final ServerSocketChannel server;

	private final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "gateway-stub");
		thread.setDaemon(true);
		return thread;
	});

	GatewayStub(Path runtime, Handler handler) throws IOException {
		Path socket = SessionNetwork.socket(runtime);
		Object uid = Files.getAttribute(socket, "unix:uid");
		Files.delete(socket);
		this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
		this.server.bind(UnixDomainSocketAddress.of(socket));
		Files.setPosixFilePermissions(socket, GuestUser.FILE);
		Files.setAttribute(socket, "unix:uid", uid);
		this.threads.execute(() -> accept(handler));
	}

	/**
	 * Answers every request with its first line.
	 */
	static GatewayStub echo(Path runtime) throws IOException {
		return new GatewayStub(runtime, (in, out) -> {
			for (String head = head(in); !head.isEmpty(); head = head(in)) {
				respond(out, "200 OK", head.lines().findFirst().orElseThrow() + "\n");
			}
		});
	}

	static String head(InputStream in) throws IOException {
		ByteArrayOutputStream head = new ByteArrayOutputStream();
		while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
			int value = in.read();
			if (value < 0) {
				return "";
			}
			head.write(value);
		}
		return head.toString(StandardCharsets.ISO_8859_1);
	}

	static void respond(OutputStream out, String status, String body) throws IOException {
		out.write(("HTTP/1.1 " + status + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
			.getBytes(StandardCharsets.ISO_8859_1));
	}

	private void accept(Handler handler) {
		try {
			while (true) {
				SocketChannel connection = this.server.accept();
				this.threads.execute(() -> serve(connection, handler));
			}
		}
		catch (IOException ex) {
			// Closed: the test is over.
		}
	}

	private static void serve(SocketChannel connection, Handler handler) {
		try (connection) {
			handler.serve(Channels.newInputStream(connection), Channels.newOutputStream(connection));
		}
		catch (Exception ex) {
			// The other side has left; what that means is the test's to judge.
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		this.threads.shutdownNow();
	}

	/**
	 * Serves one connection.
	 */
	interface Handler {

		void serve(InputStream in, OutputStream out) throws Exception;

	}

}
