package io.sandbox4j.test;

import java.util.Set;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SessionInfo;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A session lives from create to delete; stop only ends its handle.
 */
interface SessionFacts extends ContractFacts {

	@Test
	default void sessionsHaveUnguessableIds() {
		String first = sandbox().session().id();
		assertThat(first).matches("[0-9a-f]{64}");
		assertThat(sandbox().session().id()).isNotEqualTo(first);
	}

	@Test
	default void theStateNamesBackendAndSessionAndTemplate() {
		SandboxHandle sandbox = sandbox();
		String key = backend().prewarm(ContractFixture.template()).key();
		assertThat(sandbox.captureState())
			.isEqualTo(new SandboxState(ContractFixture.NAME, sandbox.session().id(), key));
	}

	@Test
	default void theStateCanBeCapturedAfterStopAndNotAfterDelete() {
		SandboxHandle sandbox = sandbox();
		SandboxState running = sandbox.captureState();
		sandbox.stop();
		assertThat(sandbox.captureState()).isEqualTo(running);
		sandbox.delete();
		ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED, sandbox::captureState);
	}

	@Test
	default void afterStopEveryWorkIsRefused() {
		SandboxHandle sandbox = sandbox();
		SandboxSession session = sandbox.session();
		sandbox.stop();
		ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED, () -> session.run(commands().exit(0)));
		ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED, () -> session.start(commands().exit(0)));
		ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED, () -> session.files().read("README"));
		ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED, () -> session.files().writeText("new", "x"));
		ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED, () -> session.setNetworkPolicy(NetworkPolicy.denyAll()));
	}

	@Test
	default void stopAndShutdownAndCloseAreOneAndMayComeOften() {
		SandboxHandle sandbox = sandbox();
		sandbox.stop();
		sandbox.stop();
		sandbox.shutdown();
		sandbox.close();
		assertThat(fixture().events(SandboxEvent.SessionStopped.class)).hasSize(1);
	}

	@Test
	default void closingNeverDeletes() {
		SandboxHandle sandbox = sandbox();
		sandbox.session().files().writeText("work", "done");
		sandbox.close();
		SandboxHandle again = ContractFixture.attach(backend(), sandbox.captureState());
		assertThat(again.session().files().readText("work")).isEqualTo("done");
	}

	@Test
	default void deleteStopsAndRemovesTheSession() {
		SandboxHandle sandbox = sandbox();
		SandboxState state = sandbox.captureState();
		sandbox.delete();
		ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED, () -> sandbox.session().run(commands().exit(0)));
		assertThat(backend().sessions()).isEmpty();
		ContractFixture.assertFails(ErrorCode.SANDBOX_NOT_FOUND, () -> ContractFixture.attach(backend(), state));
		assertThat(backend().sessions()).as("an attach to nothing leaves nothing").isEmpty();
	}

	@Test
	default void deleteMayComeAfterStopAndMayComeOften() {
		SandboxHandle sandbox = sandbox();
		sandbox.stop();
		sandbox.delete();
		sandbox.delete();
		sandbox.stop();
		assertThat(backend().sessions()).isEmpty();
		assertThat(fixture().events(SandboxEvent.SessionDeleted.class)).hasSize(1);
	}

	@Test
	default void twoSessionsNeverSeeEachOthersFiles() {
		SandboxSession first = sandbox().session();
		SandboxSession second = sandbox().session();
		first.files().writeText("mine", "1");
		first.run(commands().writeFile("also-mine", "1")).orThrow();
		assertThat(second.files().list(".")).extracting((entry) -> entry.path().relative()).containsExactly("README");
		ExecResult result = second.run(commands().printFile("mine"));
		assertThat(result.exitCode()).isNotZero();
		assertThat(result.stdoutText()).isEmpty();
	}

	@Test
	default void theBackendKnowsItsRunningHandles() {
		SandboxHandle sandbox = sandbox();
		assertThat(backend().handles()).containsExactly(sandbox);
		assertThat(backend().handle(sandbox.session().id())).containsSame(sandbox);
		sandbox.stop();
		assertThat(backend().handles()).isEmpty();
		assertThat(backend().handle(sandbox.session().id())).isEmpty();
	}

	@Test
	default void sessionsAreListedWithWhoOwnsThem() {
		SandboxHandle running = sandbox();
		SandboxHandle stopped = sandbox();
		stopped.stop();
		SandboxHandle elsewhere = ContractFixture.sandbox(fixture().anotherBackend());
		assertThat(backend().sessions()).extracting(SessionInfo::id)
			.containsExactlyInAnyOrder(running.session().id(), stopped.session().id(), elsewhere.session().id());
		assertThat(info(running).status()).isEqualTo(SessionInfo.Status.RUNNING);
		assertThat(info(running).templateKey()).isEqualTo(running.captureState().templateKey());
		assertThat(info(running).owner()).isNotNull();
		assertThat(info(stopped).status()).isEqualTo(SessionInfo.Status.STOPPED);
		assertThat(info(elsewhere).status()).isEqualTo(SessionInfo.Status.OWNED_ELSEWHERE);
	}

	@Test
	default void sessionsAreListedInTheOrderOfTheirCreation() {
		for (int i = 0; i < 4; i++) {
			sandbox();
		}
		assertThat(backend().sessions()).extracting(SessionInfo::created).isSorted();
	}

	@Test
	default void backendsOfTwoNamesShareNoSession() {
		SandboxBackend other = fixture().open("other", ContractFixture.LIMITS, (event) -> {
		});
		SandboxHandle sandbox = sandbox();
		sandbox.stop();
		assertThat(other.sessions()).isEmpty();
		assertThat(other.delete(sandbox.session().id())).isFalse();
		assertThat(backend().sessions()).hasSize(1);
	}

	@Test
	default void aSessionIsDeletedById() {
		SandboxHandle running = sandbox();
		SandboxHandle stopped = sandbox();
		stopped.stop();
		assertThat(backend().delete(running.session().id())).isTrue();
		assertThat(backend().delete(stopped.session().id())).isTrue();
		assertThat(backend().delete(running.session().id())).isFalse();
		assertThat(backend().sessions()).isEmpty();
		ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED, () -> running.session().files().list("."));
	}

	@Test
	default void thePolicyOfTheRequestIsInForceAndCanBeReplaced() {
		PreparedTemplate template = backend().prewarm(ContractFixture.template());
		SandboxSession session = backend()
			.create(SandboxRequest.from(template).network(NetworkPolicy.denyAll()).build())
			.session();
		assertThat(session.networkPolicy()).isEqualTo(NetworkPolicy.denyAll());
		session.setNetworkPolicy(NetworkPolicy.allow());
		assertThat(session.networkPolicy()).isEqualTo(NetworkPolicy.allow());
		assertThat(session.run(commands().exit(0)).succeeded()).isTrue();
	}

	@Test
	default void aSessionHoldsNoMoreThanTheBackendProved() {
		Set<Restriction> held = backend().isolation().held();
		assertThat(held).containsAll(sandbox().session().restrictions());
	}

	@Test
	default void itsLifeIsPublished() {
		SandboxHandle sandbox = sandbox();
		SandboxState state = sandbox.captureState();
		sandbox.stop();
		ContractFixture.attach(backend(), state).delete();
		assertThat(fixture().events(SandboxEvent.SessionCreated.class))
			.containsExactly(new SandboxEvent.SessionCreated(state.sessionId(), state.templateKey()));
		assertThat(fixture().events(SandboxEvent.SessionAttached.class))
			.containsExactly(new SandboxEvent.SessionAttached(state.sessionId(), false, 0));
		assertThat(fixture().events(SandboxEvent.SessionStopped.class)).hasSize(2);
		assertThat(fixture().events(SandboxEvent.SessionDeleted.class))
			.containsExactly(new SandboxEvent.SessionDeleted(state.sessionId()));
	}

	@Test
	default void aListenerThatThrowsHarmsNobody() {
		SandboxBackend backend = fixture().open(ContractFixture.NAME, ContractFixture.LIMITS, (event) -> {
			throw new IllegalStateException("from the listener");
		});
		SandboxHandle sandbox = ContractFixture.sandbox(backend);
		assertThat(sandbox.session().run(commands().exit(3)).exitCode()).isEqualTo(3);
		assertThat(sandbox.session().files().readText("README")).isEqualTo("hello");
		assertThat(sandbox.session().admission().active()).isZero();
		sandbox.delete();
		assertThat(backend.sessions()).isEmpty();
	}

	private SessionInfo info(SandboxHandle sandbox) {
		return backend().sessions()
			.stream()
			.filter((info) -> info.id().equals(sandbox.session().id()))
			.findFirst()
			.orElseThrow();
	}

}
