package io.sandbox4j.tools;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.sandbox4j.WorkspacePath;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Timeout(60)
class ToolApprovalsTests {

	private static final ToolRequest REMOVE = new ToolRequest.Remove(WorkspacePath.parse("a"));

	private static final ToolRequest READ = new ToolRequest.Read(WorkspacePath.parse("a"));

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private ToolApprovals approvals = approvals((builder) -> builder);

	private static ToolApprovals approvals(UnaryOperator<ToolApprovalsBuilder> customizer) {
		return customizer.apply(ToolApprovals.builder("alice")).build();
	}

	@AfterEach
	void end() {
		this.approvals.close();
		this.threads.shutdownNow();
	}

	private CompletableFuture<Boolean> call() {
		int before = this.approvals.pending().size();
		CompletableFuture<Boolean> call = CompletableFuture.supplyAsync(() -> this.approvals.authorize(REMOVE),
				this.threads);
		Awaitility.await().until(() -> call.isDone() || this.approvals.pending().size() > before);
		return call;
	}

	private PendingApproval waiting() {
		assertThat(this.approvals.pending()).hasSize(1);
		return this.approvals.pending().get(0);
	}

	private static ToolRefusedException refusal(CompletableFuture<Boolean> call) {
		AtomicReference<ToolRefusedException> refusal = new AtomicReference<>();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(call::join)
			.satisfies((ex) -> refusal.set((ToolRefusedException) ex.getCause()));
		return refusal.get();
	}

	@Test
	void aHeldCallWaitsForItsOwner() {
		CompletableFuture<Boolean> call = call();
		PendingApproval waiting = waiting();
		assertThat(waiting.request()).isEqualTo(REMOVE);
		assertThat(waiting.owner()).isEqualTo("alice");
		assertThat(waiting.until()).isEqualTo(waiting.since().plus(Duration.ofMinutes(5)));
		assertThat(waiting.id()).matches("[0-9a-f]{64}");
		assertThat(call).isNotDone();
		assertThat(this.approvals.approve(waiting.id(), "alice")).isTrue();
		assertThat(call.join()).isTrue();
		assertThat(this.approvals.pending()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "mallory", "Alice", "alice ", "", " " })
	void anyoneElsesAnswerHasNoEffect(String principal) {
		CompletableFuture<Boolean> call = call();
		String id = waiting().id();
		assertThat(this.approvals.approve(id, principal)).isFalse();
		assertThat(this.approvals.refuse(id, principal, "no")).isFalse();
		assertThat(this.approvals.pending(principal)).isEmpty();
		assertThat(call).isNotDone();
		assertThat(waiting().id()).isEqualTo(id);
		assertThat(this.approvals.pending("alice")).containsExactly(waiting());
	}

	@Test
	void anUnknownIdAndAnAnsweredOneLookAsAForeignOne() {
		CompletableFuture<Boolean> call = call();
		String id = waiting().id();
		assertThat(this.approvals.approve("0".repeat(64), "alice")).isFalse();
		assertThat(this.approvals.approve(id, "alice")).isTrue();
		assertThat(this.approvals.approve(id, "alice")).isFalse();
		assertThat(this.approvals.refuse(id, "alice", "too late")).isFalse();
		assertThat(call.join()).isTrue();
	}

	@Test
	void ofManyAnswersAtOnceOneCounts() {
		for (int round = 0; round < 50; round++) {
			CompletableFuture<Boolean> call = call();
			String id = waiting().id();
			CountDownLatch start = new CountDownLatch(1);
			List<CompletableFuture<Boolean>> answers = IntStream.range(0, 8)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> {
					awaitStart(start);
					return (i % 2 == 0) ? this.approvals.approve(id, "alice") : this.approvals.refuse(id, "alice", "");
				}, this.threads))
				.toList();
			start.countDown();
			List<Boolean> counted = answers.stream().map(CompletableFuture::join).toList();
			assertThat(counted).containsOnlyOnce(true);
			boolean approved = counted.indexOf(true) % 2 == 0;
			assertThat(call.handle((answer, failure) -> failure == null).join()).isEqualTo(approved);
		}
	}

	private static void awaitStart(CountDownLatch start) {
		try {
			start.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void theModelIsToldWhyAPersonRefused() {
		CompletableFuture<Boolean> call = call();
		assertThat(this.approvals.refuse(waiting().id(), "alice", "keep that file")).isTrue();
		ToolRefusedException refusal = refusal(call);
		assertThat(refusal.code()).isEqualTo(RefusalCode.FORBIDDEN);
		assertThat(refusal).hasMessage("A person refused this call: keep that file");
		assertThat(refusal.hint()).contains("ask the user");
	}

	@Test
	void aLongReasonIsCutBetweenCharacters() {
		CompletableFuture<Boolean> call = call();
		this.approvals.refuse(waiting().id(), "alice", "x".repeat(499) + "\ud83d\ude00".repeat(500));
		assertThat(refusal(call)).message().endsWith("x...").hasSizeLessThan(600);
	}

	@Test
	void afterTheDeadlineTheCallIsRefusedAndNoAnswerCounts() {
		List<String> ids = new CopyOnWriteArrayList<>();
		this.approvals = approvals((builder) -> builder.timeout(Duration.ofMillis(50)).listener(new ApprovalListener() {
			@Override
			public void waiting(PendingApproval call) {
				ids.add(call.id());
			}
		}));
		ToolRefusedException refusal = refusal(call());
		assertThat(refusal).hasMessageContaining("in time");
		assertThat(refusal.code()).isEqualTo(RefusalCode.FORBIDDEN);
		assertThat(refusal.hint()).contains("ask the user, or go on");
		assertThat(this.approvals.approve(ids.get(0), "alice")).isFalse();
		assertThat(this.approvals.pending()).isEmpty();
	}

	@Test
	void anAnswerAfterTheDeadlineDoesNotCountThoughTheCallStillWaits() {
		AtomicReference<Boolean> late = new AtomicReference<>();
		AtomicReference<ToolApprovals> own = new AtomicReference<>();
		this.approvals = approvals((builder) -> builder.timeout(Duration.ofMillis(20)).listener(new ApprovalListener() {
			@Override
			public void waiting(PendingApproval call) {
				Awaitility.await().until(() -> own.get().pending().isEmpty());
				late.set(own.get().approve(call.id(), "alice"));
			}
		}));
		own.set(this.approvals);
		assertThat(refusal(call())).hasMessageContaining("in time");
		assertThat(late.get()).isFalse();
	}

	@Test
	void anInterruptEndsTheWait() {
		AtomicReference<Thread> thread = new AtomicReference<>();
		AtomicReference<Boolean> kept = new AtomicReference<>();
		CompletableFuture<Boolean> call = CompletableFuture.supplyAsync(() -> {
			thread.set(Thread.currentThread());
			try {
				return this.approvals.authorize(REMOVE);
			}
			finally {
				kept.set(Thread.interrupted());
			}
		}, this.threads);
		Awaitility.await().until(() -> this.approvals.pending().size() == 1);
		String id = waiting().id();
		thread.get().interrupt();
		assertThat(refusal(call).code()).isEqualTo(RefusalCode.SANDBOX_BUSY);
		assertThat(kept.get()).isTrue();
		assertThat(this.approvals.approve(id, "alice")).isFalse();
	}

	@Test
	void beyondTheBoundCallsAreBusyAtOnceAndAPlaceComesBack() {
		this.approvals = approvals((builder) -> builder.maxPending(2));
		List<CompletableFuture<Boolean>> waiting = List.of(call(), call());
		assertThatExceptionOfType(ToolRefusedException.class).isThrownBy(() -> this.approvals.authorize(REMOVE))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(RefusalCode.SANDBOX_BUSY));
		assertThat(this.approvals.pending()).hasSize(2).doesNotHaveDuplicates();
		this.approvals.pending().forEach((call) -> this.approvals.refuse(call.id(), "alice", ""));
		waiting.forEach(ToolApprovalsTests::refusal);
		CompletableFuture<Boolean> next = call();
		this.approvals.approve(waiting().id(), "alice");
		assertThat(next.join()).isTrue();
	}

	@Test
	void whatIsNotHeldIsDecidedByOthersAndByDefaultRefused() {
		assertThat(this.approvals.authorize(READ)).isFalse();
		this.approvals = approvals((builder) -> builder.others((request) -> true));
		assertThat(this.approvals.authorize(READ)).isTrue();
		assertThat(this.approvals.pending()).isEmpty();
	}

	@Test
	void readsCanBeHeldToo() {
		this.approvals = approvals((builder) -> builder.hold((request) -> true).timeout(Duration.ofMillis(1)));
		assertThatExceptionOfType(ToolRefusedException.class).isThrownBy(() -> this.approvals.authorize(READ));
	}

	@Test
	void othersThanTheOwnerAnswerIfTheApplicationSaysSo() {
		this.approvals = approvals((builder) -> builder.approvers((call, principal) -> principal.equals("boss")));
		CompletableFuture<Boolean> call = call();
		String id = waiting().id();
		assertThat(this.approvals.approve(id, "alice")).isFalse();
		assertThat(this.approvals.pending("boss")).hasSize(1);
		assertThat(this.approvals.approve(id, "boss")).isTrue();
		assertThat(call.join()).isTrue();
	}

	@Test
	void aRuleOfApproversThatFailsLetsNobodyAnswer() {
		this.approvals = approvals((builder) -> builder.approvers((call, principal) -> {
			throw new IllegalStateException("no directory");
		}));
		CompletableFuture<Boolean> call = call();
		assertThat(this.approvals.approve(waiting().id(), "alice")).isFalse();
		assertThat(this.approvals.pending("alice")).isEmpty();
		assertThat(call).isNotDone();
	}

	@Test
	void theOwnerIsAskedOnTheThreadOfTheCall() {
		ThreadLocal<String> principal = new ThreadLocal<>();
		this.approvals = ToolApprovals.builder(principal::get).build();
		CompletableFuture<Boolean> call = CompletableFuture.supplyAsync(() -> {
			principal.set("bob");
			return this.approvals.authorize(REMOVE);
		}, this.threads);
		Awaitility.await().until(() -> !this.approvals.pending().isEmpty());
		assertThat(this.approvals.approve(waiting().id(), "alice")).isFalse();
		assertThat(this.approvals.approve(waiting().id(), "bob")).isTrue();
		assertThat(call.join()).isTrue();
	}

	@Test
	void aCallWithoutAnOwnerIsRefused() {
		this.approvals = ToolApprovals.builder(() -> " ").build();
		assertThatIllegalArgumentException().isThrownBy(() -> this.approvals.authorize(REMOVE));
		assertThatIllegalArgumentException().isThrownBy(() -> ToolApprovals.builder(""));
		assertThat(this.approvals.pending()).isEmpty();
	}

	@Test
	void aListenerHearsOfEachCallAndItsEnd() {
		List<Object> heard = new CopyOnWriteArrayList<>();
		this.approvals = approvals((builder) -> builder.listener(new ApprovalListener() {
			@Override
			public void waiting(PendingApproval call) {
				heard.add(call);
			}

			@Override
			public void ended(PendingApproval call, ApprovalOutcome outcome) {
				heard.add(outcome);
			}
		}));
		CompletableFuture<Boolean> call = call();
		PendingApproval waiting = waiting();
		this.approvals.refuse(waiting.id(), "alice", "");
		refusal(call);
		assertThat(heard).containsExactly(waiting, ApprovalOutcome.REFUSED);
	}

	@Test
	void aListenerThatThrowsHarmsNobody() {
		this.approvals = approvals((builder) -> builder.listener(new ApprovalListener() {
			@Override
			public void waiting(PendingApproval call) {
				throw new IllegalStateException("waiting");
			}

			@Override
			public void ended(PendingApproval call, ApprovalOutcome outcome) {
				throw new IllegalStateException("ended");
			}
		}));
		CompletableFuture<Boolean> call = call();
		this.approvals.approve(waiting().id(), "alice");
		assertThat(call.join()).isTrue();
		assertThat(this.approvals.pending()).isEmpty();
	}

	@Test
	void aListenerMayAnswer() {
		AtomicReference<ToolApprovals> own = new AtomicReference<>();
		this.approvals = approvals((builder) -> builder.listener(new ApprovalListener() {
			@Override
			public void waiting(PendingApproval call) {
				assertThat(own.get().approve(call.id(), "alice")).isTrue();
			}
		}));
		own.set(this.approvals);
		assertThat(this.approvals.authorize(REMOVE)).isTrue();
	}

	@Test
	void closedApprovalsEndWaitsAndHoldNoMore() {
		CompletableFuture<Boolean> call = call();
		String id = waiting().id();
		this.approvals.close();
		assertThat(refusal(call).code()).isEqualTo(RefusalCode.SANDBOX_UNAVAILABLE);
		assertThat(this.approvals.approve(id, "alice")).isFalse();
		assertThatExceptionOfType(ToolRefusedException.class).isThrownBy(() -> this.approvals.authorize(REMOVE));
	}

	@Test
	void boundsAreBounds() {
		assertThatIllegalArgumentException().isThrownBy(() -> approvals((builder) -> builder.timeout(Duration.ZERO)));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> approvals((builder) -> builder.timeout(Duration.ofDays(1).plusNanos(1))));
		assertThatIllegalArgumentException().isThrownBy(() -> approvals((builder) -> builder.maxPending(0)));
	}

}
