package io.sandbox4j.autoconfigure.tools;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.autoconfigure.WatchedSandboxBackend;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.tools.CodingTools;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link LeasedToolSandboxes} over a fake backend.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeasedToolSandboxesTests {

	private static final ToolCallOwners OWNERS = new ToolCallOwners((key, context) -> key);

	private static final Duration LONG = Duration.ofHours(1);

	private static final Duration SHORT = Duration.ofMillis(40);

	private final FakeSandboxBackend backend = new FakeSandboxBackend();

	private final WatchedSandboxBackend watched = new WatchedSandboxBackend(this.backend);

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final List<LeasedToolSandboxes> opened = new ArrayList<>();

	@AfterEach
	void nothingIsLeft() {
		this.opened.forEach(LeasedToolSandboxes::close);
		this.executor.shutdownNow();
		assertThat(this.backend.sessions()).isEmpty();
		this.backend.close();
	}

	@Test
	void aKeyGetsOneSandboxHoweverManyAskAtOnce() throws Exception {
		LeasedToolSandboxes sandboxes = open(4, LONG);
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
		assertThat(creations()).isEqualTo(1);
	}

	@Test
	void aSlowCreationHoldsUpNoOtherKey() throws Exception {
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		AtomicBoolean first = new AtomicBoolean(true);
		LeasedToolSandboxes sandboxes = open(200, LONG, (request) -> {
			if (first.compareAndSet(true, false)) {
				started.countDown();
				await(release);
			}
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
		LeasedToolSandboxes sandboxes = open(1, LONG, (request) -> {
			if (failures.getAndDecrement() > 0) {
				throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, "no");
			}
		});
		for (int i = 0; i < 3; i++) {
			assertRefused(ErrorCode.SANDBOX_UNAVAILABLE, () -> sandboxes.use("a", (tools) -> "done"));
		}
		assertThat(sandboxes.<String>use("a", (tools) -> "done")).isEqualTo("done");
	}

	@Test
	void aSandboxWhoseToolsCannotBeBuiltIsDeleted() {
		LeasedToolSandboxes sandboxes = open(this.watched, (session) -> CodingTools.builder(session).build(), 1, LONG);
		// The fake holds no restriction, and the tools ask for some.
		assertRefused(ErrorCode.SANDBOX_UNAVAILABLE, () -> sandboxes.use("a", (tools) -> "done"));
		assertThat(creations()).isEqualTo(1);
		assertThat(this.backend.sessions()).isEmpty();
	}

	@Test
	void thereAreNoMoreThanTheMaximum() {
		LeasedToolSandboxes sandboxes = open(2, LONG);
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
		LeasedToolSandboxes sandboxes = open(3, LONG);
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
					// Stopped if another caller of the key ended it meanwhile.
					assertThat(ex.code()).isIn(ErrorCode.SANDBOX_BUSY, ErrorCode.SANDBOX_STOPPED);
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
		LeasedToolSandboxes sandboxes = open(8, SHORT);
		write(sandboxes, "a");
		Awaitility.await().untilAsserted(() -> assertThat(this.backend.sessions()).isEmpty());
		assertThat(sandboxes.<Boolean>use("a", (tools) -> tools.call("read_file", "{\"path\":\"a.txt\"}").refused()))
			.isTrue();
		assertThat(creations()).isEqualTo(2);
	}

	@Test
	void whatIsInUseIsNeverIdle() {
		LeasedToolSandboxes sandboxes = open(8, SHORT);
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
		LeasedToolSandboxes sandboxes = open(8, SHORT);
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
		LeasedToolSandboxes sandboxes = open(1, LONG);
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
		LeasedToolSandboxes sandboxes = open(2, LONG);
		write(sandboxes, "a");
		assertThat(sandboxes.<String>use("b", (tools) -> tools.call("read_file", "{\"path\":\"a.txt\"}").text()))
			.contains("NOT_FOUND");
		assertThat(sandboxes.<String>use("a", (tools) -> tools.call("read_file", "{\"path\":\"a.txt\"}").text()))
			.contains("of a");
	}

	@Test
	void closeDeletesEverythingAndRefusesWhatComesLater() {
		LeasedToolSandboxes sandboxes = open(2, LONG);
		write(sandboxes, "a");
		write(sandboxes, "b");
		sandboxes.close();
		assertThat(this.backend.sessions()).isEmpty();
		assertRefused(ErrorCode.SANDBOX_STOPPED, () -> sandboxes.use("a", (tools) -> "done"));
		assertThat(creations()).isEqualTo(2);
	}

	@Test
	void closeWaitsForWhatIsBeingMade() throws Exception {
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		LeasedToolSandboxes sandboxes = open(1, LONG, (request) -> {
			started.countDown();
			await(release);
		});
		Future<String> call = this.executor.submit(() -> sandboxes.use("a", (tools) -> "done"));
		started.await();
		CompletableFuture<Void> close = CompletableFuture.runAsync(sandboxes::close, this.executor);
		assertThat(close).isNotDone();
		release.countDown();
		close.join();
		assertThat(this.backend.sessions()).isEmpty();
		// It got its sandbox before that went, or it did not get it.
		try {
			assertThat(call.get()).isEqualTo("done");
		}
		catch (ExecutionException ex) {
			assertThat(ex).cause()
				.isInstanceOfSatisfying(SandboxException.class,
						(cause) -> assertThat(cause.code()).isEqualTo(ErrorCode.SANDBOX_STOPPED));
		}
	}

	@Test
	void whoGivesUpWaitingEndsNothing() throws Exception {
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		LeasedToolSandboxes sandboxes = open(1, LONG, (request) -> {
			started.countDown();
			await(release);
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
		LeasedToolSandboxes sandboxes = open(stubborn, LeasedToolSandboxesTests::tools, 1, Duration.ofMillis(200));
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

	@Test
	void keysMayHaveBlanksAndAreInNoLog(CapturedOutput output) {
		LeasedToolSandboxes sandboxes = open(2, LONG);
		this.backend.on("wait", (program) -> program.stdin().read());
		write(sandboxes, "mcp:s3cret id");
		write(sandboxes, "mcp:s3cret%20id");
		assertThat(sandboxes.<String>use("mcp:s3cret id",
				(tools) -> tools.call("read_file", "{\"path\":\"a.txt\"}").text()))
			.contains("of mcp:s3cret id");
		assertRefused(ErrorCode.SANDBOX_BUSY, () -> sandboxes.use("other", (tools) -> "done"));
		assertThat(sandboxes.end("mcp:s3cret id")).isTrue();
		assertThat(output).doesNotContain("s3cret");
	}

	@Test
	void aSandboxThatSomebodyStoppedIsFoundAgainWithNewTools() {
		LeasedToolSandboxes sandboxes = open(1, LONG);
		write(sandboxes, "a");
		CodingTools first = sandboxes.use("a", (tools) -> tools);
		this.backend.handles().forEach(SandboxHandle::stop);
		assertThat(sandboxes.<String>use("a", (tools) -> tools.call("read_file", "{\"path\":\"a.txt\"}").text()))
			.contains("of a");
		assertThat(sandboxes.<CodingTools>use("a", (tools) -> tools)).isNotSameAs(first);
	}

	@Test
	void aSandboxThatSomebodyDeletedIsMadeAnew() {
		LeasedToolSandboxes sandboxes = open(1, LONG);
		write(sandboxes, "a");
		this.backend.handles().forEach(SandboxHandle::delete);
		assertThat(sandboxes.<String>use("a", (tools) -> tools.call("read_file", "{\"path\":\"a.txt\"}").text()))
			.contains("NOT_FOUND");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a\nb", "\u0000", "ü", "\u202e", "\u007f" })
	void aKeyMustBePrintable(String key) {
		LeasedToolSandboxes sandboxes = open(1, LONG);
		assertThatIllegalArgumentException().isThrownBy(() -> sandboxes.use(key, (tools) -> "done"))
			.withMessageContaining("1 to 256 printable");
		assertThat(creations()).isEqualTo(0);
	}

	@Test
	void whatIsNoKeyEndsNothing() {
		LeasedToolSandboxes sandboxes = open(1, LONG);
		write(sandboxes, "?");
		for (String key : List.of("", "\u00fc", "\n", "?".repeat(257))) {
			assertThat(sandboxes.end(key)).isFalse();
		}
		assertThat(sandboxes.end("?")).isTrue();
	}

	@Test
	void aKeyHasAMaximumLengthAndIsNotRepeated() {
		LeasedToolSandboxes sandboxes = open(1, LONG);
		assertThatIllegalArgumentException().isThrownBy(() -> sandboxes.use("k".repeat(257), (tools) -> "done"))
			.withMessageNotContaining("kkk");
		assertThat(sandboxes.<String>use("k".repeat(256), (tools) -> "done")).isEqualTo("done");
	}

	@ParameterizedTest
	@ValueSource(strings = { "../../etc", "/", ".", "a/b", "*" })
	void aKeyIsNeverAPath(String key) {
		LeasedToolSandboxes sandboxes = open(1, LONG);
		write(sandboxes, key);
		assertThat(this.backend.sessions()).singleElement()
			.satisfies((session) -> assertThat(session.id()).matches("[0-9a-f]{64}"));
	}

	private void write(LeasedToolSandboxes sandboxes, String key) {
		assertThat(sandboxes.<Boolean>use(key,
				(tools) -> tools.call("write_file", "{\"path\":\"a.txt\",\"content\":\"of " + key + "\"}").refused()))
			.isFalse();
	}

	private static void assertRefused(ErrorCode code, ThrowingCallable call) {
		assertThatThrownBy(call).isInstanceOfSatisfying(SandboxException.class,
				(ex) -> assertThat(ex.code()).isEqualTo(code));
	}

	private LeasedToolSandboxes open(int max, Duration idle) {
		return open(this.watched, LeasedToolSandboxesTests::tools, max, idle);
	}

	private LeasedToolSandboxes open(int max, Duration idle, Consumer<SandboxRequest> beforeCreate) {
		this.watched.beforeCreate = beforeCreate;
		return open(max, idle);
	}

	private LeasedToolSandboxes open(SandboxBackend backend, Function<SandboxSession, CodingTools> tools, int max,
			Duration idle) {
		LeasedToolSandboxes sandboxes = new LeasedToolSandboxes(backend,
				backend.prewarm(SandboxTemplate.named("empty").build()), NetworkPolicy.denyAll(), tools, OWNERS,
				new LeasedToolSandboxes.Bounds(max, idle));
		this.opened.add(sandboxes);
		return sandboxes;
	}

	private int creations() {
		return this.watched.calls.size();
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
