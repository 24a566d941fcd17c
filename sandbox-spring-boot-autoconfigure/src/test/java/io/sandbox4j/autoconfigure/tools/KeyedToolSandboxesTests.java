package io.sandbox4j.autoconfigure.tools;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.tools.CodingTools;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link KeyedToolSandboxes} over a fake backend.
 */
class KeyedToolSandboxesTests {

	private static final ToolCallOwners OWNERS = new ToolCallOwners((key, context) -> key);

	private static final Duration LONG = Duration.ofHours(1);

	private static final Duration SHORT = Duration.ofMillis(40);

	private final FakeSandboxBackend backend = new FakeSandboxBackend();

	private final SandboxRequest request = SandboxRequest
		.from(this.backend.prewarm(SandboxTemplate.named("empty").build()))
		.network(NetworkPolicy.denyAll())
		.build();

	private final AtomicInteger creations = new AtomicInteger();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final List<KeyedToolSandboxes> opened = new ArrayList<>();

	@AfterEach
	void nothingIsLeft() {
		this.opened.forEach(KeyedToolSandboxes::close);
		this.executor.shutdownNow();
		assertThat(this.backend.sessions()).isEmpty();
		this.backend.close();
	}

	@Test
	void aKeyGetsOneSandboxHoweverManyAskAtOnce() throws Exception {
		KeyedToolSandboxes sandboxes = open(4, LONG);
		CyclicBarrier barrier = new CyclicBarrier(16);
		List<Future<CodingTools>> tools = new ArrayList<>();
		for (int i = 0; i < 16; i++) {
			tools.add(this.executor.submit(() -> {
				barrier.await();
				return sandboxes.use("a", (found) -> found);
			}));
		}
		CodingTools first = tools.get(0).get();
		for (Future<CodingTools> other : tools) {
			assertThat(other.get()).isSameAs(first);
		}
		assertThat(this.creations).hasValue(1);
	}

	@Test
	void aSlowCreationHoldsUpNoOtherKey() throws Exception {
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		AtomicBoolean first = new AtomicBoolean(true);
		KeyedToolSandboxes sandboxes = open(200, LONG, () -> {
			if (first.compareAndSet(true, false)) {
				started.countDown();
				await(release);
			}
			return create();
		});
		Future<String> slow = this.executor.submit(() -> sandboxes.use("slow", (tools) -> "done"));
		started.await();
		// So many that some share a bin of any map with the first.
		for (int i = 0; i < 150; i++) {
			assertThat(sandboxes.<String>use("key-" + i, (tools) -> "done")).isEqualTo("done");
		}
		assertThat(slow).isNotDone();
		release.countDown();
		assertThat(slow.get()).isEqualTo("done");
	}

	@Test
	void aCreationThatFailsIsTriedAgainAndKeepsNoPlace() {
		AtomicInteger failures = new AtomicInteger(3);
		KeyedToolSandboxes sandboxes = open(1, LONG, () -> {
			if (failures.getAndDecrement() > 0) {
				throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, "no");
			}
			return create();
		});
		for (int i = 0; i < 3; i++) {
			assertRefused(ErrorCode.SANDBOX_UNAVAILABLE, () -> sandboxes.use("a", (tools) -> "done"));
		}
		assertThat(sandboxes.<String>use("a", (tools) -> "done")).isEqualTo("done");
	}

	@Test
	void aSandboxWhoseToolsCannotBeBuiltIsDeleted() {
		KeyedToolSandboxes sandboxes = new KeyedToolSandboxes(this::create,
				(session) -> CodingTools.builder(session).build(), OWNERS, 1, LONG);
		this.opened.add(sandboxes);
		// The fake holds no restriction, and the tools ask for some.
		assertRefused(ErrorCode.SANDBOX_UNAVAILABLE, () -> sandboxes.use("a", (tools) -> "done"));
		assertThat(this.creations).hasValue(1);
		assertThat(this.backend.sessions()).isEmpty();
	}

	@Test
	void thereAreNoMoreThanTheMaximum() {
		KeyedToolSandboxes sandboxes = open(2, LONG);
		sandboxes.use("a", (tools) -> "done");
		sandboxes.use("b", (tools) -> "done");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandboxes.use("c", (tools) -> "done"))
			.withMessageContaining("'sandbox.tools.max-sandboxes'")
			.returns(ErrorCode.SANDBOX_BUSY, SandboxException::code);
		sandboxes.use("a", (tools) -> "done");
		assertThat(sandboxes.end("b")).isTrue();
		assertThat(sandboxes.<String>use("c", (tools) -> "done")).isEqualTo("done");
	}

	@Test
	void manyKeysAtOnceNeverExceedTheMaximum() throws Exception {
		KeyedToolSandboxes sandboxes = open(3, LONG);
		AtomicInteger done = new AtomicInteger();
		List<Future<?>> calls = new ArrayList<>();
		for (int i = 0; i < 60; i++) {
			String key = "key-" + (i % 12);
			calls.add(this.executor.submit(() -> {
				try {
					sandboxes.use(key, (tools) -> done.incrementAndGet());
					assertThat(this.backend.handles()).hasSizeLessThanOrEqualTo(3);
					sandboxes.end(key);
				}
				catch (SandboxException ex) {
					assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY);
				}
			}));
		}
		for (Future<?> call : calls) {
			call.get();
		}
		assertThat(done).hasPositiveValue();
		for (int i = 0; i < 12; i++) {
			sandboxes.end("key-" + i);
		}
		for (String key : List.of("a", "b", "c")) {
			assertThat(sandboxes.<String>use(key, (tools) -> "done")).isEqualTo("done");
		}
	}

	@Test
	void whatIsIdleIsDeletedAndTheKeyGetsANewOne() {
		KeyedToolSandboxes sandboxes = open(8, SHORT);
		write(sandboxes, "a");
		Awaitility.await().untilAsserted(() -> assertThat(this.backend.sessions()).isEmpty());
		assertThat(sandboxes.<Boolean>use("a", (tools) -> tools.call("read_file", "{\"path\":\"a.txt\"}").refused()))
			.isTrue();
		assertThat(this.creations).hasValue(2);
	}

	@Test
	void whatIsInUseIsNeverIdle() {
		KeyedToolSandboxes sandboxes = open(8, SHORT);
		sandboxes.use("a", (tools) -> {
			// Others come and go meanwhile, so the sweep runs.
			for (int i = 0; i < 3; i++) {
				sandboxes.use("b", (others) -> "done");
				Awaitility.await().untilAsserted(() -> assertThat(this.backend.handles()).hasSize(1));
			}
			assertThat(tools.call("list_directory", "{}").refused()).isFalse();
			return "done";
		});
	}

	@Test
	void aSandboxWithARunningCommandIsNeverIdle() throws Exception {
		CountDownLatch started = new CountDownLatch(1);
		this.backend.on("wait", (program) -> {
			started.countDown();
			return program.stdin().read();
		});
		KeyedToolSandboxes sandboxes = open(8, SHORT);
		sandboxes.use("a", (tools) -> "done");
		try (SandboxProcess process = this.backend.handles().get(0).session().start(ExecSpec.of("wait"))) {
			started.await();
			for (int i = 0; i < 3; i++) {
				sandboxes.use("b", (others) -> "done");
				Awaitility.await().untilAsserted(() -> assertThat(this.backend.handles()).hasSize(1));
			}
			assertThat(process.onExit()).isNotDone();
			process.stdin().write(0);
			process.onExit().join();
		}
		Awaitility.await().untilAsserted(() -> assertThat(this.backend.sessions()).isEmpty());
	}

	@Test
	void endDeletesWhateverRuns() throws Exception {
		KeyedToolSandboxes sandboxes = open(1, LONG);
		this.backend.on("wait", (program) -> program.stdin().read());
		sandboxes.use("a", (tools) -> "done");
		SandboxProcess process = this.backend.handles().get(0).session().start(ExecSpec.of("wait"));
		assertThat(sandboxes.end("a")).isTrue();
		assertThat(this.backend.sessions()).isEmpty();
		assertThat(process.onExit().join().succeeded()).isFalse();
		assertThat(sandboxes.end("a")).isFalse();
	}

	@Test
	void twoKeysNeverSeeEachOthersFiles() {
		KeyedToolSandboxes sandboxes = open(2, LONG);
		write(sandboxes, "a");
		assertThat(sandboxes.<String>use("b", (tools) -> tools.call("read_file", "{\"path\":\"a.txt\"}").text()))
			.contains("NOT_FOUND");
		assertThat(sandboxes.<String>use("a", (tools) -> tools.call("read_file", "{\"path\":\"a.txt\"}").text()))
			.contains("of a");
	}

	@Test
	void closeDeletesEverythingAndRefusesWhatComesLater() {
		KeyedToolSandboxes sandboxes = open(2, LONG);
		write(sandboxes, "a");
		write(sandboxes, "b");
		sandboxes.close();
		assertThat(this.backend.sessions()).isEmpty();
		assertRefused(ErrorCode.SANDBOX_STOPPED, () -> sandboxes.use("a", (tools) -> "done"));
		assertThat(this.creations).hasValue(2);
	}

	@Test
	void closeWaitsForWhatIsBeingMade() throws Exception {
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		KeyedToolSandboxes sandboxes = open(1, LONG, () -> {
			started.countDown();
			await(release);
			return create();
		});
		Future<String> call = this.executor.submit(() -> sandboxes.use("a", (tools) -> "done"));
		started.await();
		CompletableFuture<Void> close = CompletableFuture.runAsync(sandboxes::close, this.executor);
		assertThat(close).isNotDone();
		release.countDown();
		close.join();
		call.get();
		assertThat(this.backend.sessions()).isEmpty();
	}

	@Test
	void whoGivesUpWaitingEndsNothing() throws Exception {
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		KeyedToolSandboxes sandboxes = open(1, LONG, () -> {
			started.countDown();
			await(release);
			return create();
		});
		Future<CodingTools> maker = this.executor.submit(() -> sandboxes.use("a", (tools) -> tools));
		started.await();
		AtomicReference<Object> end = new AtomicReference<>();
		Thread waiter = new Thread(() -> {
			try {
				sandboxes.use("a", (tools) -> "done");
			}
			catch (SandboxException ex) {
				end.set(ex.code() + " " + Thread.currentThread().isInterrupted());
			}
		});
		waiter.start();
		waiter.interrupt();
		waiter.join();
		assertThat(end).hasValue("SANDBOX_BUSY true");
		release.countDown();
		assertThat(sandboxes.<CodingTools>use("a", (tools) -> tools)).isSameAs(maker.get());
	}

	@Test
	void aDeletionThatFailsKeepsItsPlaceAndIsTriedAgain() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		FakeSandboxBackend stubborn = FakeSandboxBackend.builder().cleanupTimeout(Duration.ofMillis(20)).build();
		CountDownLatch started = new CountDownLatch(1);
		stubborn.on("stubborn", (program) -> {
			started.countDown();
			while (release.getCount() > 0) {
				try {
					release.await();
				}
				catch (InterruptedException ex) {
					// It ignores that it was killed.
				}
			}
			return 0;
		});
		SandboxRequest other = SandboxRequest.from(stubborn.prewarm(SandboxTemplate.named("empty").build()))
			.network(NetworkPolicy.denyAll())
			.build();
		KeyedToolSandboxes sandboxes = open(1, Duration.ofMillis(200), () -> stubborn.create(other));
		sandboxes.use("a", (tools) -> "done");
		stubborn.handles().get(0).session().start(ExecSpec.of("stubborn"));
		started.await();
		assertThat(sandboxes.end("a")).isTrue();
		assertRefused(ErrorCode.SANDBOX_BUSY, () -> sandboxes.use("b", (tools) -> "done"));
		release.countDown();
		Awaitility.await().untilAsserted(() -> assertThat(stubborn.sessions()).isEmpty());
		Awaitility.await().ignoreExceptions().until(() -> sandboxes.<String>use("b", (tools) -> "done").equals("done"));
		sandboxes.close();
		assertThat(stubborn.sessions()).isEmpty();
		stubborn.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a\nb", "\u0000", "ü", "\u202e", "\u007f" })
	void aKeyMustBePrintable(String key) {
		KeyedToolSandboxes sandboxes = open(1, LONG);
		assertThatIllegalArgumentException().isThrownBy(() -> sandboxes.use(key, (tools) -> "done"))
			.withMessageContaining("1 to 256 printable");
		assertThat(this.creations).hasValue(0);
	}

	@Test
	void aKeyHasAMaximumLengthAndIsNotRepeated() {
		KeyedToolSandboxes sandboxes = open(1, LONG);
		assertThatIllegalArgumentException().isThrownBy(() -> sandboxes.use("k".repeat(257), (tools) -> "done"))
			.withMessageNotContaining("kkk");
		assertThat(sandboxes.<String>use("k".repeat(256), (tools) -> "done")).isEqualTo("done");
	}

	@ParameterizedTest
	@ValueSource(strings = { "../../etc", "/", ".", "a/b", "*" })
	void aKeyIsNeverAPath(String key) {
		KeyedToolSandboxes sandboxes = open(1, LONG);
		write(sandboxes, key);
		assertThat(this.backend.sessions()).singleElement()
			.satisfies((session) -> assertThat(session.id()).matches("[0-9a-f]{64}"));
	}

	private void write(KeyedToolSandboxes sandboxes, String key) {
		assertThat(sandboxes.<Boolean>use(key,
				(tools) -> tools.call("write_file", "{\"path\":\"a.txt\",\"content\":\"of " + key + "\"}").refused()))
			.isFalse();
	}

	private static void assertRefused(ErrorCode code, ThrowingCallable call) {
		assertThatThrownBy(call).isInstanceOfSatisfying(SandboxException.class,
				(ex) -> assertThat(ex.code()).isEqualTo(code));
	}

	private KeyedToolSandboxes open(int max, Duration idle) {
		return open(max, idle, this::create);
	}

	private KeyedToolSandboxes open(int max, Duration idle, Supplier<SandboxHandle> maker) {
		KeyedToolSandboxes sandboxes = new KeyedToolSandboxes(maker, KeyedToolSandboxesTests::tools, OWNERS, max, idle);
		this.opened.add(sandboxes);
		return sandboxes;
	}

	private SandboxHandle create() {
		this.creations.incrementAndGet();
		return this.backend.create(this.request);
	}

	private static CodingTools tools(SandboxSession session) {
		return CodingTools.builder(session).authorize((request) -> true).requireRestrictions(Set.of()).build();
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
