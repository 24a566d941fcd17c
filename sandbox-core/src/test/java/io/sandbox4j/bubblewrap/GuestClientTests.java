package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.OutputOverflow;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxEvent.CommandFinished;
import io.sandbox4j.SandboxEvent.GatewayRequest;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.gateway.LocalGateway;
import io.sandbox4j.gateway.SandboxGateway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * The programs that agents use, in a sandbox, against an origin over TLS that wants a
 * credential which none of them has.
 */
class GuestClientTests {

	private static final String SECRET = "registry-secret-5ebe2294";

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	private PackageRegistry registry;

	private SandboxGateway gateway;

	private BubblewrapBackend backend;

	private SandboxHandle sandbox;

	@BeforeEach
	void open() throws Exception {
		this.registry = new PackageRegistry(this.sandboxes.root().resolve("registry"));
		this.gateway = LocalGateway.builder().build();
		this.backend = this.sandboxes.backend((builder) -> builder.gateway(this.gateway));
		this.sandbox = this.sandboxes.sandbox(this.backend);
		this.sandbox.session().setNetworkPolicy(policy());
	}

	@AfterEach
	void close() {
		this.backend.close();
		this.gateway.close();
		this.registry.close();
	}

	private NetworkPolicy policy() {
		return NetworkPolicy.allow(OriginRule.builder(this.registry.origin())
			.header("Authorization", PackageRegistry.CREDENTIAL)
			.allowPrivate(true)
			.maxResponseBytes(64L << 20)
			.maxRequestBytes(64L << 20)
			.environment("PIP_INDEX_URL", this.registry.url() + "/simple")
			.environment("PIP_TRUSTED_HOST", PackageRegistry.HOST)
			.environment("npm_config_registry", this.registry.url())
			.build());
	}

	@Test
	void curlOverTheSocket() {
		assertThat(out("curl -sS --unix-socket \"$SANDBOX_GATEWAY_SOCKET\" -H 'Host: " + PackageRegistry.HOST + ":"
				+ this.registry.port() + "' http://any/json"))
			.isEqualTo("{\"answer\":42}");
	}

	@Test
	void curlThroughTheProxyVariables() {
		assertThat(out("curl -sS " + this.registry.url() + "/json")).isEqualTo("{\"answer\":42}");
		assertThat(out("curl -sS -o /dev/null -w '%{http_code}' " + this.registry.url() + "/missing")).isEqualTo("404");
	}

	@Test
	void curlSendsALargeBody() {
		assertThat(out("head -c 20000000 /dev/zero | curl -sS --data-binary @- " + this.registry.url() + "/upload"))
			.isEqualTo("20000000 bytes");
	}

	@Test
	void curlIsToldWhatToDoInPlaceOfATunnel() {
		ExecResult result = run("curl -sS " + this.registry.origin() + "/json");
		assertThat(result.succeeded()).isFalse();
		assertThat(result.stderrText()).contains("403");
		assertThat(out("printf 'CONNECT a:443 HTTP/1.1\\r\\nHost: a:443\\r\\n\\r\\n' | "
				+ "curl -sS -x \"$http_proxy\" -X CONNECT --request-target a:443 http://a:443/ -o - || true"))
			.isNotNull();
	}

	@Test
	void pythonThroughTheProxyVariables() {
		assertThat(out("python3 -c \"import urllib.request as u; print(u.urlopen('" + this.registry.url()
				+ "/json').read().decode())\""))
			.isEqualTo("{\"answer\":42}");
	}

	@Test
	void pythonRequestsThroughTheProxyVariables() {
		assumeThat(run("python3 -c 'import requests'").succeeded()).as("requests is installed").isTrue();
		assertThat(
				out("python3 -c \"import requests; print(requests.get('" + this.registry.url() + "/json').json())\""))
			.isEqualTo("{'answer': 42}");
	}

	@Test
	void nodeFetch() {
		assumeThat(run("node --version").succeeded()).as("node is installed").isTrue();
		this.sandbox.session().files().writeText("fetch.mjs", """
				const [http, https] = process.argv.slice(2);
				console.log((await (await fetch(http + '/json')).json()).answer);
				console.log((await (await fetch(new Request(https + '/json'))).json()).answer);
				const body = 'x'.repeat(100000);
				console.log(await (await fetch(http + '/upload', { method: 'POST', body })).text());
				console.log((await fetch('http://evil.example/')).status);
				await fetch('http://127.0.0.1:9999/').catch((ex) => console.log(ex.cause.code));
				""");
		ExecResult result = run("node fetch.mjs " + this.registry.url() + " " + this.registry.origin());
		assertThat(result.stdoutText().lines()).as(result.stderrText())
			.containsExactly("42", "42", "100000 bytes", "403", "ECONNREFUSED");
	}

	@Test
	void theClientOfTheJdk() throws Exception {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		assumeThat(java.toRealPath().toString()).as("the JDK is below /usr").startsWith("/usr/");
		this.sandbox.session().files().writeText("Fetch.java", """
				import java.net.*;
				import java.net.http.*;
				class Fetch {
					public static void main(String[] args) throws Exception {
						URI proxy = URI.create(System.getenv("http_proxy"));
						HttpClient client = HttpClient.newBuilder()
							.proxy(ProxySelector.of(new InetSocketAddress(proxy.getHost(), proxy.getPort()))).build();
						System.out.println(client.send(HttpRequest.newBuilder(URI.create(args[0])).build(),
								HttpResponse.BodyHandlers.ofString()).body());
					}
				}
				""");
		ExecResult result = this.sandbox.session()
			.run(ExecSpec.of(java.toRealPath().toString(), "Fetch.java", this.registry.url() + "/json")
				.withTimeout(Duration.ofSeconds(90)));
		assertThat(result.stdoutText().strip()).as(result.stderrText()).isEqualTo("{\"answer\":42}");
	}

	@Test
	void gitClonesAndPushesByTheUrlThatPeopleWrite() throws IOException {
		this.registry.withGit();
		ExecResult clone = run("git clone -q " + this.registry.origin() + "/git/project.git p && cd p && "
				+ "git log --oneline | wc -l && echo more > new.txt && git add -A && "
				+ "git -c user.name=g -c user.email=g@example.com commit -qm new && git push -q origin main && "
				+ "git ls-remote origin main | cut -c1-40 && git rev-parse HEAD");
		assertThat(clone.succeeded()).as(clone.stderrText()).isTrue();
		List<String> lines = clone.stdoutText().lines().map(String::strip).toList();
		assertThat(lines.get(0)).isEqualTo("20");
		assertThat(lines.get(1)).isEqualTo(lines.get(2));
	}

	@Test
	void pipDownloadsAPackage() {
		assumeThat(run("python3 -m pip --version").succeeded()).as("pip is installed").isTrue();
		ExecResult result = run(
				"python3 -m pip download -q --no-deps --disable-pip-version-check -d out tinypkg && ls out");
		assertThat(result.stdoutText().strip()).as(result.stderrText()).isEqualTo("tinypkg-1.0-py3-none-any.whl");
	}

	@Test
	void npmInstallsAPackage() {
		assumeThat(run("npm --version").succeeded()).as("npm is installed").isTrue();
		ExecResult result = run(
				"npm install --no-audit --no-fund --loglevel=error tiny-npm && node -p \"require('tiny-npm')\"");
		assertThat(result.succeeded()).as(result.stderrText()).isTrue();
		assertThat(result.stdoutText().strip()).endsWith("42");
	}

	@Test
	void anotherOriginIsDenied() {
		assertThat(out("curl -sS http://evil.example/")).startsWith("Sandbox network denied");
		assertThat(
				run("curl -sS --noproxy '*' --max-time 5 http://127.0.0.1:" + this.registry.port() + "/").succeeded())
			.isFalse();
	}

	@Test
	void theAuditKnowsTheCommand() {
		out("curl -sS " + this.registry.url() + "/json?token=query");
		await().until(() -> requests().size() == 1);
		GatewayRequest request = requests().get(0);
		CommandFinished command = this.sandboxes.events()
			.stream()
			.filter(CommandFinished.class::isInstance)
			.map(CommandFinished.class::cast)
			.findFirst()
			.orElseThrow();
		assertThat(request.commandId()).isEqualTo(command.commandId());
		assertThat(request.sessionId()).isEqualTo(this.sandbox.session().id());
		assertThat(request.path()).isEqualTo("/json");
		assertThat(request.status()).isEqualTo(200);
	}

	@Test
	void everyRequestHadTheCredentialAndNoGuestHasIt() throws Exception {
		Logger root = (Logger) LoggerFactory.getLogger("io.sandbox4j");
		Level before = root.getLevel();
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		root.addAppender(log);
		root.setLevel(Level.TRACE);
		try {
			String seen = out("curl -sS -i " + this.registry.url() + "/echo; curl -sS -i " + this.registry.url()
					+ "/json; curl -sS -i http://evil.example/; env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline "
					+ "/proc/self/mountinfo; find /workspace /run /tmp /etc /dev/shm -type f -exec cat {} + 2>/dev/null");
			assertThat(seen).contains("answer").doesNotContain(SECRET);
			assertThat(this.registry.refused()).isEmpty();
			assertThat(this.sandbox.captureState().toString()).doesNotContain(SECRET);
			assertThat(this.sandbox.session().networkPolicy().toString()).doesNotContain(SECRET);
			assertThat(this.sandboxes.events().toString()).doesNotContain(SECRET);
			assertThat(this.gateway.status().toString()).doesNotContain(SECRET);
			assertNotIn(this.sandboxes.stateDirectory());
			assertNotIn(this.sandboxes.runtimeDirectory());
			for (ILoggingEvent event : List.copyOf(log.list)) {
				assertThat(event.getFormattedMessage()).doesNotContain(SECRET);
				assertThat(String.valueOf(event.getThrowableProxy())).doesNotContain(SECRET);
			}
			assertThat(log.list).isNotEmpty();
		}
		finally {
			root.setLevel(before);
			root.detachAppender(log);
		}
	}

	private static void assertNotIn(Path directory) throws IOException {
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.filter(Files::isRegularFile).toList()) {
				assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)).doesNotContain(SECRET);
			}
		}
	}

	@Test
	void twoSandboxesHaveTheirOwnPolicies() {
		PreparedTemplate template = this.backend
			.prewarm(SandboxTemplate.named("test").file("README", "hello\n").build());
		try (SandboxHandle other = this.backend
			.create(SandboxRequest.from(template).network(NetworkPolicy.denyAll()).build())) {
			String request = "curl -sS --unix-socket /run/sandbox/gateway.sock -H 'Host: " + PackageRegistry.HOST + ":"
					+ this.registry.port() + "' http://any/json";
			assertThat(BackendExtension.out(other, request)).startsWith("Sandbox network denied");
			assertThat(out(request)).isEqualTo("{\"answer\":42}");
		}
	}

	private List<GatewayRequest> requests() {
		return this.sandboxes.events()
			.stream()
			.filter(GatewayRequest.class::isInstance)
			.map(GatewayRequest.class::cast)
			.toList();
	}

	private ExecResult run(String script) {
		return this.sandbox.session()
			.run(ExecSpec.shell(script)
				.withTimeout(Duration.ofSeconds(90))
				.withMaxOutput(16L << 20, OutputOverflow.STOP));
	}

	private String out(String script) {
		return run(script).stdoutText().strip();
	}

}
