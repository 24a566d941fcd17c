package io.sandbox4j.autoconfigure;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import com.sun.net.httpserver.HttpServer;
import io.sandbox4j.Credential;
import io.sandbox4j.CredentialSource;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxState;
import io.sandbox4j.lease.LeaseKey;
import io.sandbox4j.lease.SandboxLease;
import io.sandbox4j.lease.SandboxLeases;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A real application whose leases have real sandboxes, a real gateway and an origin that
 * wants a credential.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("isolation")
class LeaseIntegrationTests {

	private static final String SECRET = "hush-5f2d8c1a";

	private static final LeaseKey KEY = LeaseKey.forConversation("alice");

	private final List<String> received = new CopyOnWriteArrayList<>();

	@TempDir(factory = PassableTempDirFactory.class)
	private Path directory;

	private HttpServer origin;

	@BeforeAll
	static void needsBubblewrap() {
		assumeTrue(
				Files.isExecutable(Path.of("/usr/bin/bwrap")) || Boolean.getBoolean("sandbox.test.require-bubblewrap"),
				"bubblewrap is not installed");
	}

	@BeforeEach
	void serve() throws Exception {
		this.origin = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
		this.origin.createContext("/", (exchange) -> {
			try (exchange) {
				this.received.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
				byte[] body = "welcome".getBytes(StandardCharsets.US_ASCII);
				exchange.sendResponseHeaders(200, body.length);
				exchange.getResponseBody().write(body);
			}
		});
		this.origin.start();
	}

	@AfterEach
	void stop() {
		this.origin.stop(0);
	}

	@Test
	void theGatewayAddsTheCredentialOfALeaseAndRefusesItAfterItsEnd(CapturedOutput output) {
		try (ConfigurableApplicationContext context = start()) {
			SandboxLeases leases = context.getBean(SandboxLeases.class);
			NetworkPolicy granted;
			try (SandboxLease lease = leases.open(context.getBean(LeaseSpecs.class).of(KEY))) {
				assertThat(get(lease.session())).isEqualTo("welcome 200");
				assertThat(this.received).containsExactly("Bearer " + SECRET);
				ExecResult search = lease.session()
					.run(ExecSpec
						.shell("env; cat /proc/*/environ; grep -rsa hush- /workspace /tmp /etc /run; echo end"));
				assertThat(search.stdoutText()).doesNotContain(SECRET).endsWith("end\n");
				granted = lease.session().networkPolicy();
				assertThat(get(sandboxOfNoLease(context, granted))).startsWith("Sandbox").endsWith(" 500");
			}
			assertThat(leases.end(KEY)).isTrue();
			assertThat(get(sandboxOfNoLease(context, granted))).startsWith("Sandbox").endsWith(" 500");
			assertThat(this.received).hasSize(1);
			context.getBean(SandboxBackend.class).handles().forEach(SandboxHandle::delete);
		}
		assertThat(output).doesNotContain(SECRET).contains("reason=credential_missing");
	}

	@Test
	void aSessionThatOutlivesItsLeaseLosesTheCredentialUntilItHasOneAgain() {
		String session;
		try (ConfigurableApplicationContext context = start("--sandbox.lease.journal.enabled=true")) {
			SandboxBackend backend = context.getBean(SandboxBackend.class);
			SandboxLeases leases = context.getBean(SandboxLeases.class);
			SandboxState state;
			NetworkPolicy granted;
			try (SandboxLease lease = leases.open(context.getBean(LeaseSpecs.class).of(KEY))) {
				assertThat(get(lease.session())).isEqualTo("welcome 200");
				lease.session().files().writeText("kept.txt", "kept");
				session = lease.session().id();
				granted = lease.session().networkPolicy();
				state = backend.handle(session).orElseThrow().captureState();
			}
			leases.close();
			try (SandboxHandle attached = backend.create(SandboxRequest.attach(state).network(granted).build())) {
				assertThat(get(attached.session())).endsWith(" 500");
			}
			assertThat(this.received).hasSize(1);
		}
		try (ConfigurableApplicationContext context = start("--sandbox.lease.journal.enabled=true")) {
			SandboxLeases leases = context.getBean(SandboxLeases.class);
			assertThat(leases.recovery().recovered()).containsExactly(KEY);
			try (SandboxLease lease = leases.open(context.getBean(LeaseSpecs.class).of(KEY))) {
				assertThat(lease.session().id()).isEqualTo(session);
				assertThat(lease.session().files().readText("kept.txt")).isEqualTo("kept");
				assertThat(get(lease.session())).isEqualTo("welcome 200");
			}
			leases.endAll();
			assertThat(context.getBean(SandboxBackend.class).sessions()).isEmpty();
		}
	}

	private static SandboxSession sandboxOfNoLease(ConfigurableApplicationContext context, NetworkPolicy network) {
		return context.getBean(SandboxBackend.class)
			.create(SandboxRequest.from(context.getBean(SandboxTemplates.class).get("empty")).network(network).build())
			.session();
	}

	private String get(SandboxSession session) {
		return session.run(
				ExecSpec.shell("curl -sS -w ' %{http_code}' --unix-socket \"$SANDBOX_GATEWAY_SOCKET\" http://localhost:"
						+ this.origin.getAddress().getPort() + "/"))
			.stdoutText();
	}

	private ConfigurableApplicationContext start(String... arguments) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		String granted = "sandbox.credentials.gateway.allow[0].";
		application.setDefaultProperties(Map.ofEntries(Map.entry("logging.level.io.sandbox4j", "trace"),
				Map.entry("sandbox.state-directory", this.directory.resolve("state").toString()),
				Map.entry("sandbox.runtime-directory", this.directory.resolve("run").toString()),
				Map.entry("sandbox.templates.empty.files.README", "hello"),
				Map.entry("sandbox.lease.template", "empty"), Map.entry("sandbox.credentials.broker", "gateway"),
				Map.entry(granted + "origin", "http://localhost:" + this.origin.getAddress().getPort()),
				Map.entry(granted + "allow-private", "true"), Map.entry(granted + "allow-plaintext", "true"),
				Map.entry(granted + "credentials[0].header", "Authorization"),
				Map.entry(granted + "credentials[0].source", "token"),
				Map.entry(granted + "credentials[0].prefix", "Bearer ")));
		return application.run(arguments);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		CredentialSource token() {
			return (use) -> Credential.of(SECRET);
		}

	}

}
