package io.sandbox4j.test;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.SessionInfo;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A session has one owner at a time, and whoever has its state can be the next.
 */
interface LeaseFacts extends ContractFacts {

	@Test
	default void anotherBackendObjectTakesAStoppedSessionOver() {
		SandboxHandle first = sandbox();
		first.session().files().writeText("README", "changed");
		first.stop();
		SandboxHandle second = ContractFixture.attach(fixture().anotherBackend(), first.captureState());
		assertThat(second.session().id()).isEqualTo(first.session().id());
		assertThat(second.captureState()).isEqualTo(first.captureState());
		assertThat(second.session().files().readText("README")).isEqualTo("changed");
		assertThat(second.session().run(commands().printFile("README")).stdoutText()).isEqualTo("changed");
	}

	@Test
	default void aRequestWithAStateAttaches() {
		SandboxHandle first = sandbox();
		first.stop();
		SandboxState state = first.captureState();
		SandboxHandle second = backend()
			.create(SandboxRequest.from(state.templateKey()).state(state).network(NetworkPolicy.denyAll()).build());
		assertThat(second.session().id()).isEqualTo(state.sessionId());
	}

	@Test
	default void anOwnedSessionIsBusyForEverybody() {
		SandboxHandle owner = sandbox();
		SandboxState state = owner.captureState();
		SandboxBackend other = fixture().anotherBackend();
		ContractFixture.assertFails(ErrorCode.SANDBOX_BUSY, () -> ContractFixture.attach(backend(), state));
		ContractFixture.assertFails(ErrorCode.SANDBOX_BUSY, () -> ContractFixture.attach(other, state));
		ContractFixture.assertFails(ErrorCode.SANDBOX_BUSY, () -> other.delete(state.sessionId()));
		assertThat(owner.session().files().readText("README")).isEqualTo("hello");
		assertThat(owner.session().run(commands().exit(0)).succeeded()).isTrue();
	}

	@Test
	default void anOldHandleCannotDeleteTheSessionOfANewOwner() {
		SandboxHandle old = sandbox();
		old.stop();
		SandboxHandle owner = ContractFixture.attach(fixture().anotherBackend(), old.captureState());
		ContractFixture.assertFails(ErrorCode.SANDBOX_BUSY, old::delete);
		assertThat(owner.session().files().readText("README")).isEqualTo("hello");
	}

	@Test
	default void anOldHandleCannotStopTheSessionOfANewOwner() {
		SandboxHandle old = sandbox();
		old.stop();
		SandboxHandle owner = ContractFixture.attach(fixture().anotherBackend(), old.captureState());
		old.stop();
		old.close();
		assertThat(owner.session().run(commands().exit(0)).succeeded()).isTrue();
		ContractFixture.assertFails(ErrorCode.SANDBOX_BUSY,
				() -> ContractFixture.attach(backend(), old.captureState()));
	}

	@Test
	default void oneOfManyAttachesAtOnceWins() {
		SandboxHandle sandbox = sandbox();
		sandbox.stop();
		List<SandboxBackend> backends = List.of(backend(), fixture().anotherBackend(), fixture().anotherBackend());
		CountDownLatch start = new CountDownLatch(1);
		List<CompletableFuture<String>> racing = Stream.concat(backends.stream(), backends.stream())
			.map((backend) -> ContractFixture.async(() -> attachAfter(start, backend, sandbox)))
			.toList();
		start.countDown();
		assertThat(racing.stream().map(CompletableFuture::join)).containsOnlyOnce("attached")
			.containsOnly("attached", ErrorCode.SANDBOX_BUSY.name());
	}

	@Test
	default void theStateOfAnotherBackendDoesNotMatch() {
		SandboxHandle sandbox = sandbox();
		sandbox.stop();
		SandboxState own = sandbox.captureState();
		SandboxState foreign = new SandboxState("other", own.sessionId(), own.templateKey());
		ContractFixture.assertFails(ErrorCode.SANDBOX_STATE_MISMATCH, () -> ContractFixture.attach(backend(), foreign));
		assertUnchanged(own);
	}

	@Test
	default void theStateOfAnotherTemplateDoesNotMatch() {
		SandboxHandle sandbox = sandbox();
		sandbox.stop();
		SandboxState own = sandbox.captureState();
		PreparedTemplate other = backend().prewarm(SandboxTemplate.named("other").build());
		SandboxState altered = new SandboxState(own.backend(), own.sessionId(), other.key());
		ContractFixture.assertFails(ErrorCode.SANDBOX_STATE_MISMATCH, () -> ContractFixture.attach(backend(), altered));
		ContractFixture.assertFails(ErrorCode.SANDBOX_STATE_MISMATCH,
				() -> backend().create(SandboxRequest.from(other).state(own).network(NetworkPolicy.denyAll()).build()));
		assertUnchanged(own);
	}

	@Test
	default void aSessionThatNeverWasIsNotFound() {
		String key = backend().prewarm(ContractFixture.template()).key();
		SandboxState state = new SandboxState(ContractFixture.NAME, "0123456789abcdef".repeat(4), key);
		ContractFixture.assertFails(ErrorCode.SANDBOX_NOT_FOUND, () -> ContractFixture.attach(backend(), state));
		assertThat(backend().delete(state.sessionId())).isFalse();
		assertThat(backend().sessions()).isEmpty();
	}

	@Test
	default void theFencingTokenGrowsWithEveryOwner() {
		SandboxHandle sandbox = sandbox();
		long first = token(sandbox.captureState());
		sandbox.stop();
		ContractFixture.attach(backend(), sandbox.captureState());
		assertThat(token(sandbox.captureState())).isGreaterThan(first);
	}

	private void assertUnchanged(SandboxState state) {
		SandboxHandle sandbox = ContractFixture.attach(backend(), state);
		assertThat(sandbox.session().files().readText("README")).isEqualTo("hello");
	}

	private long token(SandboxState state) {
		return backend().sessions()
			.stream()
			.filter((session) -> session.id().equals(state.sessionId()))
			.map(SessionInfo::owner)
			.mapToLong((owner) -> (owner != null) ? owner.token() : -1)
			.findFirst()
			.orElseThrow();
	}

	private static String attachAfter(CountDownLatch start, SandboxBackend backend, SandboxHandle stopped) {
		try {
			start.await();
			ContractFixture.attach(backend, stopped.captureState());
			return "attached";
		}
		catch (SandboxException ex) {
			return ex.code().name();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
