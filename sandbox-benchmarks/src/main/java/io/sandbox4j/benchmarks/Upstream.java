package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * The server behind every proxy: an nginx that serves text from files, to whoever brings
 * the credential.
 *
 * @param port its port on the loopback interface
 * @param files where its files are
 */
record Upstream(int port, Path files) {

	static final String CREDENTIAL = "Bearer 3b1f0a97c64e4f7e9a52d8c7b1e60f24";

	private static final int BLOCK = 1024;

	static Upstream start(Scratch scratch) throws IOException {
		Path files = scratch.makeDirectory("www");
		for (Body body : Body.values()) {
			write(files.resolve(body.file()), body.bytes());
		}
		int port = freePort();
		// Whoever forgets the credential does less than the others, so it fails.
		Nginx.start(scratch, "upstream", """
				sendfile on;
				server {
					listen 127.0.0.1:%d;
					root %s;
					default_type application/json;
					if ($http_authorization != "%s") {
						return 403;
					}
				}
				""".formatted(port, files, CREDENTIAL), () -> answers(port));
		return new Upstream(port, files);
	}

	String origin() {
		return "http://" + authority();
	}

	String authority() {
		return "127.0.0.1:" + this.port;
	}

	byte[] request(Body body) {
		String head = "GET /" + body.file() + " HTTP/1.1\r\nHost: " + authority() + "\r\nAccept: */*\r\n\r\n";
		return head.getBytes(StandardCharsets.ISO_8859_1);
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private static boolean answers(int port) {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	// Printable, since that is what a search for secrets has most work with.
	private static void write(Path file, long bytes) throws IOException {
		Random random = new Random(1);
		byte[] block = new byte[BLOCK];
		try (OutputStream out = Files.newOutputStream(file)) {
			for (long written = 0; written < bytes; written += BLOCK) {
				for (int i = 0; i < BLOCK; i++) {
					block[i] = (byte) (' ' + random.nextInt('~' - ' '));
				}
				out.write(block);
			}
		}
	}

	/**
	 * What can be asked for.
	 */
	enum Body {

		SMALL(1024), LARGE(1024 * 1024), HUGE(64 * 1024 * 1024);

		private final long bytes;

		Body(long bytes) {
			this.bytes = bytes;
		}

		long bytes() {
			return this.bytes;
		}

		String file() {
			return this.bytes + ".json";
		}

	}

}
