package io.sandbox4j.session;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class AdmissionTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final Admission admission = new Admission(2);

	@Test
	void admitsUpToTheLimitAndCountsWhatItRefuses() {
		this.admission.admit();
		Admission.Slot second = this.admission.admit();
		assertFails(ErrorCode.SANDBOX_BUSY, this.admission::admit);
		assertThat(this.admission.status()).isEqualTo(new AdmissionStatus(2, 2, 1, 0));
		second.release();
		this.admission.admit();
		assertThat(this.admission.status()).isEqualTo(new AdmissionStatus(2, 2, 1, 0));
	}

	@Test
	void aSlotIsGivenBackOnce() {
		Admission.Slot slot = this.admission.admit();
		this.admission.admit();
		slot.release();
		slot.release();
		assertThat(this.admission.status().active()).isEqualTo(1);
	}

	@Test
	void anUnprovenSlotIsKeptAndShown() {
		Admission.Slot slot = this.admission.admit();
		slot.markUnproven();
		slot.markUnproven();
		assertThat(this.admission.status()).isEqualTo(new AdmissionStatus(1, 2, 0, 1));
		slot.release();
		assertThat(this.admission.status()).isEqualTo(new AdmissionStatus(0, 2, 0, 0));
		slot.markUnproven();
		assertThat(this.admission.status()).isEqualTo(new AdmissionStatus(0, 2, 0, 0));
	}

	@Test
	void aChangeExcludesCommandsAndOtherChanges() {
		this.admission.exclusively(() -> {
			assertFails(ErrorCode.SANDBOX_BUSY, this.admission::admit);
			assertFails(ErrorCode.SANDBOX_BUSY, () -> this.admission.exclusively(() -> {
			}));
		});
		this.admission.admit();
		assertFails(ErrorCode.SANDBOX_BUSY, () -> this.admission.exclusively(() -> {
			throw new AssertionError("a command lives");
		}));
		assertThat(this.admission.status().rejected()).as("no command was too many").isZero();
	}

	@Test
	void aChangeThatFailsIsOver() {
		assertThatIllegalStateException().isThrownBy(() -> this.admission.exclusively(() -> {
			throw new IllegalStateException();
		}));
		this.admission.admit();
	}

	@Test
	void afterCloseNothingIsAdmitted() {
		this.admission.close();
		this.admission.close();
		assertFails(ErrorCode.SANDBOX_STOPPED, this.admission::admit);
		assertFails(ErrorCode.SANDBOX_STOPPED, this.admission::ensureOpen);
		assertFails(ErrorCode.SANDBOX_STOPPED, () -> this.admission.exclusively(() -> {
		}));
	}

	@Test
	void whatIsEndingIsNotCountedAndHoldsUpWhatCouldSeeIt() {
		Admission.Slot slot = this.admission.admit();
		slot.end();
		slot.end();
		assertThat(this.admission.status()).isEqualTo(new AdmissionStatus(0, 2, 0, 0));
		assertThat(this.admission.awaitIdle(Duration.ZERO)).isFalse();
		List<CompletableFuture<?>> waiting = List.of(CompletableFuture.runAsync(this.admission::awaitEnds),
				CompletableFuture.supplyAsync(this.admission::admit));
		assertThat(waiting).noneMatch(CompletableFuture::isDone);
		slot.release();
		assertThat(waiting).allSatisfy((future) -> assertThat(future).succeedsWithin(LONG));
		assertThat(this.admission.status()).isEqualTo(new AdmissionStatus(1, 2, 0, 0));
	}

	@Test
	void aChangeWaitsForWhatIsEnding() {
		Admission.Slot slot = this.admission.admit();
		slot.end();
		CompletableFuture<Void> change = CompletableFuture.runAsync(() -> this.admission.exclusively(() -> {
		}));
		assertThat(change).isNotDone();
		slot.release();
		assertThat(change).succeedsWithin(LONG);
	}

	@Test
	void whatEndedAndCannotBeProvenGoneHoldsNobodyUp() {
		Admission.Slot slot = this.admission.admit();
		slot.end();
		slot.markUnproven();
		slot.end();
		this.admission.awaitEnds();
		assertThat(this.admission.status()).isEqualTo(new AdmissionStatus(1, 2, 0, 1));
		slot.release();
		assertThat(this.admission.status()).isEqualTo(new AdmissionStatus(0, 2, 0, 0));
	}

	@Test
	void isIdleWithoutACommand() {
		assertThat(this.admission.awaitIdle(Duration.ZERO)).isTrue();
		this.admission.admit();
		assertThat(this.admission.awaitIdle(Duration.ZERO)).isFalse();
		assertThat(this.admission.awaitIdle(Duration.ofMillis(5))).isFalse();
	}

	@Test
	void waitsForTheLastCommand() {
		Admission.Slot slot = this.admission.admit();
		CompletableFuture<Boolean> idle = CompletableFuture.supplyAsync(() -> this.admission.awaitIdle(LONG));
		assertThat(idle).isNotDone();
		slot.release();
		assertThat(idle).succeedsWithin(LONG).isEqualTo(true);
	}

	@Test
	void doesNotWaitForWhatIsKnownToStay() {
		this.admission.admit().markUnproven();
		assertThat(this.admission.awaitIdle(Duration.ofDays(1))).isFalse();
	}

	@Test
	void anInterruptDoesNotEndTheWaitAndIsKept() {
		Admission.Slot slot = this.admission.admit();
		CompletableFuture<Boolean> flag = new CompletableFuture<>();
		Thread waiting = new Thread(() -> {
			boolean idle = this.admission.awaitIdle(LONG);
			flag.complete(idle && Thread.currentThread().isInterrupted());
		});
		waiting.start();
		Awaitility.await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
		waiting.interrupt();
		Awaitility.await().until(() -> !waiting.isInterrupted());
		assertThat(flag).isNotDone();
		slot.release();
		assertThat(flag).succeedsWithin(LONG).isEqualTo(true);
	}

	@Test
	void somethingUndisturbedRunsOnlyWhileNoCommandLives() {
		assertThat(this.admission.undisturbed(() -> "undisturbed", () -> "disturbed")).isEqualTo("undisturbed");
		Admission.Slot slot = this.admission.admit();
		assertThat(this.admission.undisturbed(() -> "undisturbed", () -> "disturbed")).isEqualTo("disturbed");
		slot.markUnproven();
		assertThat(this.admission.undisturbed(() -> "undisturbed", () -> "disturbed")).isEqualTo("disturbed");
		slot.release();
		assertThat(this.admission.undisturbed(() -> "undisturbed", () -> "disturbed")).isEqualTo("undisturbed");
	}

	@Test
	void aCommandWaitsUntilNothingIsUndisturbedAndNothingElseBeginsMeanwhile() {
		CompletableFuture<Admission.Slot> command = new CompletableFuture<>();
		this.admission.undisturbed(() -> {
			Thread thread = new Thread(() -> command.complete(this.admission.admit()));
			thread.start();
			Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
			assertThat(command).isNotDone();
			assertThat(this.admission.undisturbed(() -> "undisturbed", () -> "disturbed")).isEqualTo("disturbed");
			return "";
		}, () -> "");
		assertThat(command).succeedsWithin(LONG);
		assertThat(this.admission.status().active()).isEqualTo(1);
	}

	@Test
	void whatFailsUndisturbedIsOver() {
		assertThatIllegalStateException().isThrownBy(() -> this.admission.undisturbed(() -> {
			throw new IllegalStateException();
		}, () -> ""));
		this.admission.admit();
	}

	@Test
	void nothingIsUndisturbedAfterClose() {
		this.admission.close();
		assertFails(ErrorCode.SANDBOX_STOPPED, () -> this.admission.undisturbed(() -> "", () -> ""));
	}

	private static void assertFails(ErrorCode code, ThrowingCallable call) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.extracting(SandboxException::code)
			.isEqualTo(code);
	}

}
