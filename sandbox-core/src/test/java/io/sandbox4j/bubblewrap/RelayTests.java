package io.sandbox4j.bubblewrap;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The relay in real sandboxes, with a server of the test's behind it.
 */
@Tag("isolation")
class RelayTests {

	private static final NetworkPolicy LIST = NetworkPolicy.allow(OriginRule.of("https://api.example.com", Map.of()));

	private static final long LARGE = 64L << 20;

	/**
	 * What the kernel's own buffers take at most, on both sides of the relay.
	 */
	private static final long IN_KERNEL = 24L << 20;

	/**
	 * The relay closes once it has passed on what there is. What is on its way when a
	 * program ends is lost, as the relay goes with the sandbox.
	 */
	private static final String ALL_PASSED_ON = "c.shutdown(1)\nc.recv(1)\n";

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	private GatewayStub stub;

	@AfterEach
	void closeStub() throws IOException {
		if (this.stub != null) {
			this.stub.close();
		}
	}

	@Test
	void programsThatOnlyKnowAProxyReachTheGateway() throws Exception {
		SandboxHandle sandbox = sandbox(this.sandboxes.backend());
		this.stub = GatewayStub.echo(this.sandboxes.runtimeDirectory(sandbox));
		assertThat(BackendExtension.out(sandbox, "curl -sS http://api.example.com/a http://api.example.com/b"))
			.isEqualTo("GET http://api.example.com/a HTTP/1.1\nGET http://api.example.com/b HTTP/1.1");
		assertThat(BackendExtension.out(sandbox,
				"python3 -c \"import urllib.request as r; print(r.urlopen('http://api.example.com/c').read().decode())\""))
			.isEqualTo("GET http://api.example.com/c HTTP/1.1");
		assertThat(BackendExtension.sh(sandbox, "curl -sS https://api.example.com/").stderrText()).contains("curl:");
	}

	@Test
	void itListensBeforeTheProgramRuns() throws Exception {
		SandboxHandle sandbox = sandbox(this.sandboxes.backend());
		ExecSpec connect = ExecSpec.of("bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/3128");
		for (int i = 0; i < 50; i++) {
			ExecResult result = sandbox.session().run(connect);
			assertThat(result.stderrText()).isEmpty();
			assertThat(result.exitCode()).isZero();
		}
	}

	@Test
	void aReaderThatIsSlowHoldsTheGatewayBack() throws Exception {
		AtomicLong sent = new AtomicLong();
		SandboxHandle sandbox = sandbox(this.sandboxes.backend());
		this.stub = new GatewayStub(this.sandboxes.runtimeDirectory(sandbox), (in, out) -> {
			GatewayStub.head(in);
			send(out, sent);
		});
		try (SandboxProcess process = sandbox.session()
			.start(python("c.sendall(b'GET / HTTP/1.1\\r\\n\\r\\n'); sys.stdin.readline()\n"
					+ "n = 0\nwhile True:\n  b = c.recv(65536)\n  if not b: break\n  n += len(b)\nprint(n)"))) {
			awaitStandstill(sent);
			assertThat(sent.get()).isLessThan(IN_KERNEL);
			long relay = relayOf(sandbox);
			assertThat(peakMemory(relay)).isLessThan(20 << 20);
			process.stdin().write('\n');
			process.stdin().close();
			assertThat(new BufferedReader(new InputStreamReader(process.stdout())).readLine())
				.isEqualTo(Long.toString(LARGE));
		}
	}

	@Test
	void aGatewayThatIsSlowHoldsTheWriterBack() throws Exception {
		CountDownLatch read = new CountDownLatch(1);
		CompletableFuture<Long> received = new CompletableFuture<>();
		SandboxHandle sandbox = sandbox(this.sandboxes.backend());
		this.stub = new GatewayStub(this.sandboxes.runtimeDirectory(sandbox), (in, out) -> {
			read.await();
			received.complete(in.transferTo(OutputStream.nullOutputStream()));
		});
		try (SandboxProcess process = sandbox.session()
			.start(python("n = 0\nb = bytes(65536)\nprint('up', flush=True)\nwhile n < " + LARGE
					+ ":\n  c.sendall(b)\n  n += len(b)\n  open('sent', 'w').write(str(n))\n" + ALL_PASSED_ON))) {
			assertThat(process.stdout().read()).isEqualTo('u');
			AtomicLong sent = new AtomicLong();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
				long before = sent.getAndSet(sent(sandbox));
				return before > 0 && before == sent.get() && stands(() -> sent(sandbox));
			});
			assertThat(sent.get()).isLessThan(IN_KERNEL);
			assertThat(peakMemory(relayOf(sandbox))).isLessThan(20 << 20);
			read.countDown();
			assertThat(received.get(20, TimeUnit.SECONDS)).isEqualTo(LARGE);
		}
	}

	@Test
	void anAnswerThatComesBeforeTheEndOfTheRequestArrives() throws Exception {
		SandboxHandle sandbox = sandbox(this.sandboxes.backend());
		this.stub = new GatewayStub(this.sandboxes.runtimeDirectory(sandbox), (in, out) -> {
			GatewayStub.head(in);
			GatewayStub.respond(out, "413 Too Large", "too large");
		});
		for (int i = 0; i < 5; i++) {
			assertThat(BackendExtension.out(sandbox,
					"head -c 5000000 /dev/zero | "
							+ "curl -sS -H Expect: --data-binary @- -w ' %{http_code}' http://api.example.com/"))
				.isEqualTo("too large 413");
		}
	}

	@Test
	void aClientThatLeavesLeavesTheGateway() throws Exception {
		CompletableFuture<Integer> end = new CompletableFuture<>();
		SandboxHandle sandbox = sandbox(this.sandboxes.backend());
		this.stub = new GatewayStub(this.sandboxes.runtimeDirectory(sandbox), (in, out) -> {
			GatewayStub.head(in);
			end.complete(in.read());
		});
		SandboxProcess process = sandbox.session()
			.start(python("c.sendall(b'GET / HTTP/1.1\\r\\n\\r\\n'); c.close(); sys.stdin.readline()"));
		assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo(-1);
		process.close();
	}

	@Test
	void connectionsBeyondItsBoundWait() throws Exception {
		SandboxHandle sandbox = sandbox(this.sandboxes.backend((builder) -> builder
			.resourceLimits(new ResourceLimits(40, 512, 1 << 30, Duration.ofMinutes(1), 1 << 20, 1 << 20))));
		this.stub = GatewayStub.echo(this.sandboxes.runtimeDirectory(sandbox));
		// 16 find room; each of the others has it once one of those has closed.
		ExecResult result = sandbox.session().run(python("""
				a = [c] + [socket.create_connection(('127.0.0.1', 3128)) for i in range(24)]
				for i, s in enumerate(a): s.sendall(b'GET /%d HTTP/1.1\\r\\n\\r\\n' % i)
				n = 0
				for s in a:
				  s.settimeout(10)
				  n += b'200 OK' in s.recv(1000)
				  s.close()
				print(n)
				"""));
		assertThat(result.stderrText()).isEmpty();
		assertThat(result.stdoutText()).isEqualTo("25\n");
	}

	@Test
	void smallPiecesArriveAsTheyAreSent() throws Exception {
		CountDownLatch seen = new CountDownLatch(1);
		SandboxHandle sandbox = sandbox(this.sandboxes.backend());
		this.stub = new GatewayStub(this.sandboxes.runtimeDirectory(sandbox), (in, out) -> {
			GatewayStub.head(in);
			out.write("HTTP/1.1 200 OK\r\n\r\ndata: 1\n\n".getBytes(StandardCharsets.US_ASCII));
			seen.await();
			out.write("data: 2\n\n".getBytes(StandardCharsets.US_ASCII));
		});
		try (SandboxProcess process = sandbox.session().start(ExecSpec.of("curl", "-sSN", "http://api.example.com/"))) {
			BufferedReader out = new BufferedReader(new InputStreamReader(process.stdout()));
			assertThat(out.readLine()).isEqualTo("data: 1");
			seen.countDown();
			assertThat(out.lines()).containsExactly("", "data: 2", "");
		}
	}

	@Test
	void withNobodyBehindTheSocketTheClientIsToldAtOnce() throws Exception {
		SandboxHandle sandbox = sandbox(this.sandboxes.backend());
		new GatewayStub(this.sandboxes.runtimeDirectory(sandbox), (in, out) -> {
		}).close();
		ExecResult result = BackendExtension.sh(sandbox, "curl -sS -m 5 http://api.example.com/");
		assertThat(result.exitCode()).as(result.stderrText()).isIn(52, 56);
	}

	@Test
	void itDiesWithItsSandboxAndHoldsNoPipeOfTheCommand() throws Exception {
		SandboxHandle sandbox = sandbox(this.sandboxes.backend());
		long relay;
		try (SandboxProcess process = sandbox.session().start(ExecSpec.shell("echo up; read x"))) {
			assertThat(process.stdout().read()).isEqualTo('u');
			relay = relayOf(sandbox);
			process.stdin().close();
			assertThat(process.onExit().get(5, TimeUnit.SECONDS).exitCode()).isEqualTo(1);
		}
		Awaitility.await().until(() -> ProcessHandle.of(relay).isEmpty());
	}

	@Test
	void itHasNoPrivilegeThatTheCommandHasNot() throws Exception {
		SandboxHandle sandbox = sandbox(this.sandboxes.backend());
		String script = "for p in $$ $(grep -l sandbox-relay /proc/[0-9]*/comm | tr -dc 0-9); do "
				+ "grep -E '^(Uid|Cap|NoNewPrivs|Seccomp)' /proc/$p/status; cat /proc/$p/limits; echo; done";
		String[] both = BackendExtension.out(sandbox, script).split("\n\n");
		assertThat(both).hasSize(2);
		assertThat(both[1].strip()).isEqualTo(both[0].strip()).contains("Seccomp:\t2");
	}

	private SandboxHandle sandbox(BubblewrapBackend backend) {
		return this.sandboxes.sandbox(backend, LIST);
	}

	private static ExecSpec python(String script) {
		return ExecSpec.of("/usr/bin/python3", "-c",
				"import socket, sys\nc = socket.create_connection(('127.0.0.1', 3128))\n" + script);
	}

	private static void send(OutputStream out, AtomicLong sent) throws IOException {
		byte[] chunk = new byte[65536];
		while (sent.get() < LARGE) {
			out.write(chunk);
			sent.addAndGet(chunk.length);
		}
	}

	private static void awaitStandstill(AtomicLong count) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> count.get() > 0 && stands(count::get));
	}

	private static boolean stands(LongSupplier count) {
		long before = count.getAsLong();
		try {
			Awaitility.await()
				.pollInterval(Duration.ofMillis(20))
				.atMost(Duration.ofMillis(400))
				.until(() -> count.getAsLong() != before);
			return false;
		}
		catch (ConditionTimeoutException ex) {
			return true;
		}
	}

	private static long sent(SandboxHandle sandbox) {
		try {
			String text = sandbox.session().files().readText("sent");
			return text.isEmpty() ? 0 : Long.parseLong(text);
		}
		catch (SandboxException ex) {
			return 0;
		}
	}

	private static long relayOf(SandboxHandle sandbox) throws IOException {
		return BackendExtension.processesWithMarker(sandbox.session().id())
			.stream()
			.flatMap((init) -> HostProcess.children(init).stream())
			.filter((pid) -> HostProcess.field(pid, "Name").equals(Relay.NAME))
			.findFirst()
			.orElseThrow();
	}

	private static long peakMemory(long pid) {
		return Long.parseLong(HostProcess.field(pid, "VmHWM").replaceAll("\\D", "")) * 1024;
	}

}
