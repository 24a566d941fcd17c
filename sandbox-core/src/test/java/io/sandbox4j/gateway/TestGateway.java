package io.sandbox4j.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxEvent.GatewayFailure;
import io.sandbox4j.SandboxEvent.GatewayRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A gateway with one session, whose names all resolve to 127.0.0.1 and which trusts
 * {@link TestAuthority#shared()}. Keeps what the host is told.
 */
final class TestGateway implements AutoCloseable {

	static final GatewayLimits LIMITS = GatewayLimits.DEFAULT;

	private final Path directory;

	private final SandboxGateway gateway;

	private final GatewaySession session;

	private final List<SandboxEvent> events = new CopyOnWriteArrayList<>();

	private TestGateway(NetworkPolicy policy, Consumer<SandboxGateway.Builder> customizer, boolean keepEvents) {
		try {
			this.directory = Files.createTempDirectory("gw");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		SandboxGateway.Builder builder = SandboxGateway.builder()
			.tls(TestAuthority.shared().client())
			.lookup((host) -> new InetAddress[] { InetAddress.getByAddress(host, new byte[] { 127, 0, 0, 1 }) });
		customizer.accept(builder);
		this.gateway = builder.build();
		this.session = this.gateway.open("test-session", this.directory, policy, (pid) -> "pid-" + pid, (event) -> {
			if (keepEvents) {
				this.events.add(event);
			}
		});
	}

	static TestGateway with(NetworkPolicy policy) {
		return with(policy, (builder) -> {
		});
	}

	static TestGateway with(NetworkPolicy policy, Consumer<SandboxGateway.Builder> customizer) {
		return new TestGateway(policy, customizer, true);
	}

	/**
	 * Makes a gateway for very many requests: it keeps nothing of what the host is told.
	 * @param policy the policy
	 * @return the gateway
	 */
	static TestGateway forgetful(NetworkPolicy policy) {
		return new TestGateway(policy, (builder) -> {
		}, false);
	}

	/**
	 * Allows a server of the test, which is at a private address.
	 * @param upstream the server
	 * @return a gateway that allows nothing else
	 */
	static TestGateway to(TestUpstream upstream) {
		return to(upstream, UnaryOperator.identity());
	}

	static TestGateway to(TestUpstream upstream, UnaryOperator<OriginRule.Builder> rule) {
		return with(NetworkPolicy.allow(rule(upstream, rule)));
	}

	static TestGateway to(TestUpstream upstream, UnaryOperator<OriginRule.Builder> rule, GatewayLimits limits) {
		return with(NetworkPolicy.allow(rule(upstream, rule)), (builder) -> builder.limits(limits));
	}

	static OriginRule rule(TestUpstream upstream, UnaryOperator<OriginRule.Builder> rule) {
		return rule
			.apply(OriginRule.builder(upstream.origin().toString())
				.allowPrivate(true)
				.allowPlaintext(true)
				.header("Authorization", "Bearer top-secret-token"))
			.build();
	}

	TestGuest connect() {
		return TestGuest.connect(socket());
	}

	/**
	 * Sends one request on a connection of its own.
	 * @param request the whole request
	 * @return the answer
	 */
	TestGuest.Response send(String request) {
		try (TestGuest guest = connect()) {
			guest.write(request);
			return guest.readResponse();
		}
	}

	/**
	 * Asks for a path with GET.
	 * @param upstream names the host
	 * @param target the target
	 * @param headers whole lines
	 * @return the answer
	 */
	TestGuest.Response get(TestUpstream upstream, String target, String... headers) {
		return send(request("GET", upstream, target, headers) + "\r\n");
	}

	static String request(String method, TestUpstream upstream, String target, String... headers) {
		StringBuilder text = new StringBuilder(
				method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + upstream.port());
		for (String header : headers) {
			text.append("\r\n").append(header);
		}
		return text + "\r\n";
	}

	Path socket() {
		return this.directory.resolve(GatewaySession.SOCKET);
	}

	GatewaySession session() {
		return this.session;
	}

	SandboxGateway gateway() {
		return this.gateway;
	}

	/**
	 * Waits until so many requests are in the audit: it is written after the answer.
	 * @param count how many
	 * @return the records
	 */
	List<GatewayRequest> audit(int count) {
		return await().atMost(Duration.ofSeconds(10))
			.until(() -> only(GatewayRequest.class), (all) -> all.size() >= count);
	}

	List<GatewayFailure> failures() {
		return only(GatewayFailure.class);
	}

	private <T extends SandboxEvent> List<T> only(Class<T> type) {
		return this.events.stream().filter(type::isInstance).map(type::cast).toList();
	}

	@Override
	public void close() {
		this.session.close();
		this.gateway.close();
		assertThat(this.directory).isEmptyDirectory();
		try {
			Files.delete(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
