package io.sandbox4j.storage;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SessionInfo;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class SessionStoreTests {

	@TempDir
	Path temporary;

	private Path directory;

	private StateDirectory state;

	private String key;

	@BeforeEach
	void setUp() throws Exception {
		this.directory = this.temporary.toRealPath().resolve("state");
		this.state = TestState.open(this.directory);
		this.key = TestState.template(this.state);
	}

	@AfterEach
	void tearDown() {
		this.state.close();
	}

	@Test
	void newSessionHasItsOwnCopy() throws Exception {
		StoredSession first = this.state.sessions().create(this.key);
		Files.writeString(first.workspace().resolve("src/a.txt"), "changed");
		StoredSession second = this.state.sessions().create(this.key);
		assertThat(second.workspace().resolve("src/a.txt")).hasContent("initial");
		assertThat(second.id()).matches("[0-9a-f]{64}").isNotEqualTo(first.id());
		assertThat(second.templateKey()).isEqualTo(this.key);
		assertThat(second.recovered()).isFalse();
		assertThat(second.lease().token()).isOne();
	}

	@Test
	void sessionIsForThisUserOnly() throws Exception {
		StoredSession session = this.state.sessions().create(this.key);
		Path path = TestState.session(this.directory, session.id());
		assertThat(modeOf(path)).isEqualTo("rwx------");
		for (String file : List.of("lease", "owner.json", "state.json")) {
			assertThat(modeOf(path.resolve(file))).isEqualTo("rw-------");
		}
		assertThat(modeOf(session.staging())).isEqualTo("rwx------");
		assertThat(modeOf(session.workspace())).isEqualTo("rwx------");
	}

	@Test
	@EnabledIf("io.sandbox4j.storage.TestState#isRoot")
	void ownerOfTheWorkspaceReachesItAndNothingElse() throws Exception {
		Files.setPosixFilePermissions(this.temporary, PosixFilePermissions.fromString("rwx--x--x"));
		Path passable = this.temporary.toRealPath().resolve("passable");
		try (StateDirectory owned = TestState.open(passable, TestState.BACKEND,
				TestState.withOwner(new FileOwner(65532, 65532)))) {
			StoredSession session = owned.sessions().create(TestState.template(owned));
			String file = session.workspace().resolve("src/a.txt").toString();
			assertThat(asGuest("sh", "-c", "echo more >> " + file)).isZero();
			assertThat(asGuest("ls", TestState.sessions(passable).toString())).isNotZero();
			assertThat(asGuest("cat", TestState.session(passable, session.id()).resolve("state.json").toString()))
				.isNotZero();
			assertThat(asGuest("touch", session.staging().resolve("x").toString())).isNotZero();
			assertThat(asGuest("ls", TestState.root(passable, TestState.BACKEND).resolve("templates").toString()))
				.isNotZero();
		}
	}

	@Test
	void unknownTemplateLeavesNothing() {
		assertFails(() -> this.state.sessions().create("a".repeat(64)), ErrorCode.SANDBOX_NOT_FOUND);
		assertThat(TestState.sessions(this.directory)).isEmptyDirectory();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "..", "../../x", "ABC", "g" })
	void keyThatIsNoneIsInvalid(String invalid) {
		assertFails(() -> this.state.sessions().create(invalid), ErrorCode.SANDBOX_INVALID);
	}

	@Test
	@EnabledIf("io.sandbox4j.storage.TestState#isUnprivileged")
	void failedCreateLeavesNothing() throws Exception {
		Path data = TestState.root(this.directory, TestState.BACKEND)
			.resolve("templates")
			.resolve(this.key)
			.resolve("data/src/a.txt");
		Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("---------"));
		assertFails(() -> this.state.sessions().create(this.key), ErrorCode.SANDBOX_UNAVAILABLE);
		assertNothingMade();
	}

	@Test
	void createThatIsInterruptedLeavesNothing() throws Exception {
		Thread.currentThread().interrupt();
		assertFails(() -> this.state.sessions().create(this.key), ErrorCode.SANDBOX_STOPPED);
		assertThat(Thread.interrupted()).isTrue();
		assertNothingMade();
	}

	@Test
	void createThatCannotPublishLeavesNothingAndNoClaim() throws Exception {
		Path sessions = TestState.sessions(this.directory);
		Files.delete(sessions);
		Files.createFile(sessions);
		assertFails(() -> this.state.sessions().create(this.key), ErrorCode.SANDBOX_UNAVAILABLE);
		Files.delete(sessions);
		Files.createDirectory(sessions);
		assertNothingMade();
	}

	@Test
	void attachSeesWhatTheLastOwnerWrote() throws Exception {
		StoredSession session = this.state.sessions().create(this.key);
		Files.writeString(session.workspace().resolve("src/a.txt"), "changed");
		session.release();
		try (StateDirectory other = TestState.open(this.directory)) {
			StoredSession attached = other.sessions().attach(TestState.stateOf(session));
			assertThat(attached.id()).isEqualTo(session.id());
			assertThat(attached.workspace().resolve("src/a.txt")).hasContent("changed");
			assertThat(attached.lease().token()).isEqualTo(session.lease().token() + 1);
			assertThat(attached.recovered()).isFalse();
			assertThat(attached.killedGuests()).isZero();
			attached.release();
		}
	}

	@Test
	void ownedSessionIsBusy() {
		StoredSession session = this.state.sessions().create(this.key);
		assertFails(() -> this.state.sessions().attach(TestState.stateOf(session)), ErrorCode.SANDBOX_BUSY);
		try (StateDirectory other = TestState.open(this.directory)) {
			assertFails(() -> other.sessions().attach(TestState.stateOf(session)), ErrorCode.SANDBOX_BUSY);
			assertFails(() -> other.sessions().delete(session.id()), ErrorCode.SANDBOX_BUSY);
		}
		assertThatNoException().isThrownBy(session.lease()::ensureValid);
	}

	@Test
	void unknownSessionIsNotFoundAndLeavesNoDirectory() {
		SandboxState unknown = new SandboxState(TestState.BACKEND, "a".repeat(64), this.key);
		assertFails(() -> this.state.sessions().attach(unknown), ErrorCode.SANDBOX_NOT_FOUND);
		assertThat(TestState.sessions(this.directory)).isEmptyDirectory();
	}

	@Test
	void deletedSessionIsNotFoundAndLeavesNoDirectory() {
		StoredSession session = this.state.sessions().create(this.key);
		session.delete();
		assertFails(() -> this.state.sessions().attach(TestState.stateOf(session)), ErrorCode.SANDBOX_NOT_FOUND);
		assertThat(TestState.sessions(this.directory)).isEmptyDirectory();
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "..", "../../../etc", "/etc", "A", "session" })
	void sessionIdThatIsNoneIsInvalid(String id) {
		assertFails(() -> this.state.sessions().attach(new SandboxState(TestState.BACKEND, id, this.key)),
				ErrorCode.SANDBOX_INVALID);
		assertFails(() -> this.state.sessions().find(id), ErrorCode.SANDBOX_INVALID);
		assertFails(() -> this.state.sessions().delete(id), ErrorCode.SANDBOX_INVALID);
	}

	@Test
	void stateOfAnotherBackendIsAMismatch() {
		StoredSession session = released();
		assertFails(() -> this.state.sessions().attach(new SandboxState("other", session.id(), this.key)),
				ErrorCode.SANDBOX_STATE_MISMATCH);
	}

	@Test
	void stateOfAnotherTemplateIsAMismatchAndChangesNothing() throws Exception {
		StoredSession session = released();
		byte[] owner = Files.readAllBytes(TestState.session(this.directory, session.id()).resolve("owner.json"));
		assertFails(
				() -> this.state.sessions().attach(new SandboxState(TestState.BACKEND, session.id(), "a".repeat(64))),
				ErrorCode.SANDBOX_STATE_MISMATCH);
		assertThat(TestState.session(this.directory, session.id()).resolve("owner.json")).hasBinaryContent(owner);
	}

	@Test
	void storedStateOfAnotherSessionIsAMismatch() throws Exception {
		StoredSession session = released();
		StoredSession other = released();
		Files.copy(TestState.session(this.directory, other.id()).resolve("state.json"),
				TestState.session(this.directory, session.id()).resolve("state.json"),
				StandardCopyOption.REPLACE_EXISTING);
		assertFails(() -> this.state.sessions().attach(TestState.stateOf(session)), ErrorCode.SANDBOX_STATE_MISMATCH);
	}

	@Test
	void markerOfAnotherTemplateIsAMismatch() throws Exception {
		StoredSession session = released();
		Files.writeString(TestState.root(this.directory, TestState.BACKEND)
			.resolve("templates")
			.resolve(this.key)
			.resolve("ready"), "{\"backend\":\"other\",\"key\":\"" + this.key + "\"}");
		assertFails(() -> this.state.sessions().attach(TestState.stateOf(session)), ErrorCode.SANDBOX_STATE_MISMATCH);
	}

	@Test
	void sessionOutlivesItsTemplate() throws Exception {
		StoredSession session = released();
		Path template = TestState.root(this.directory, TestState.BACKEND).resolve("templates").resolve(this.key);
		assertThat(new ProcessBuilder("rm", "-rf", template.toString()).start().waitFor()).isZero();
		this.state.sessions().attach(TestState.stateOf(session)).release();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "garbage", "null", "{}", "[]", "{\"backend\":\"test\"}" })
	void damagedStateIsInvalidAndKeepsTheWorkspace(String content) throws Exception {
		StoredSession session = released();
		Path stored = TestState.session(this.directory, session.id()).resolve("state.json");
		byte[] good = Files.readAllBytes(stored);
		Files.writeString(stored, content);
		assertFails(() -> this.state.sessions().attach(TestState.stateOf(session)), ErrorCode.SANDBOX_INVALID);
		Files.write(stored, good);
		StoredSession attached = this.state.sessions().attach(TestState.stateOf(session));
		assertThat(attached.workspace().resolve("src/a.txt")).hasContent("initial");
		attached.release();
	}

	@Test
	void workspaceThatIsALinkIsInvalidAndTheLeaseIsFreed() throws Exception {
		StoredSession session = released();
		Path moved = session.workspace().resolveSibling("moved");
		Files.move(session.workspace(), moved);
		Files.createSymbolicLink(session.workspace(), moved);
		assertFails(() -> this.state.sessions().attach(TestState.stateOf(session)), ErrorCode.SANDBOX_INVALID);
		Files.delete(session.workspace());
		Files.move(moved, session.workspace());
		this.state.sessions().attach(TestState.stateOf(session)).release();
	}

	@Test
	void failedAttachKeepsACrashOnRecord() throws Exception {
		StoredSession session = this.state.sessions().create(this.key);
		session.lease().abandon();
		Path moved = session.workspace().resolveSibling("moved");
		Files.move(session.workspace(), moved);
		assertFails(() -> this.state.sessions().attach(TestState.stateOf(session)), ErrorCode.SANDBOX_INVALID);
		Files.move(moved, session.workspace());
		StoredSession attached = this.state.sessions().attach(TestState.stateOf(session));
		assertThat(attached.recovered()).isTrue();
		attached.release();
	}

	@Test
	void attachAfterACrashEmptiesStaging() throws Exception {
		StoredSession session = this.state.sessions().create(this.key);
		Files.createFile(session.staging().resolve("half-written"));
		session.lease().abandon();
		StoredSession attached = this.state.sessions().attach(TestState.stateOf(session));
		assertThat(attached.staging()).isEmptyDirectory();
		attached.release();
	}

	@Test
	void attachDoesNotWalkTheWorkspace() throws Exception {
		StoredSession session = released();
		Path closed = Files.createDirectory(session.workspace().resolve("closed"));
		Object before = Files.getAttribute(closed, "lastAccessTime", LinkOption.NOFOLLOW_LINKS);
		this.state.sessions().attach(TestState.stateOf(session)).release();
		assertThat(Files.getAttribute(closed, "lastAccessTime", LinkOption.NOFOLLOW_LINKS)).isEqualTo(before);
	}

	@Test
	void deleteRemovesTheSessionAndKeepsTheTemplate() {
		StoredSession session = this.state.sessions().create(this.key);
		session.delete();
		session.delete();
		assertThat(TestState.sessions(this.directory)).isEmptyDirectory();
		assertThat(this.state.templates().keys()).containsExactly(this.key);
		assertThat(LeaseClaims.isClaimed(TestState.session(this.directory, session.id()).resolve("lease").toString()))
			.isFalse();
	}

	@Test
	void deleteAfterReleaseRemovesTheSession() {
		StoredSession session = released();
		session.delete();
		assertThat(TestState.sessions(this.directory)).isEmptyDirectory();
	}

	@Test
	void formerOwnerCannotDeleteFromUnderTheNewOne() {
		StoredSession former = released();
		StoredSession owner = this.state.sessions().attach(TestState.stateOf(former));
		assertFails(former::delete, ErrorCode.SANDBOX_BUSY);
		assertThat(owner.workspace().resolve("src/a.txt")).hasContent("initial");
		owner.delete();
		former.delete();
		assertThat(TestState.sessions(this.directory)).isEmptyDirectory();
	}

	@Test
	void formerOwnerThatLostItsLeaseCannotDeleteFromUnderTheNewOne() throws Exception {
		StoredSession former = this.state.sessions().create(this.key);
		Path lease = TestState.session(this.directory, former.id()).resolve("lease");
		Files.delete(lease);
		LeaseClaims.giveBack(lease.toString());
		StoredSession owner = this.state.sessions().attach(TestState.stateOf(former));
		LeaseClaims.claim(lease.toString());
		try (StateDirectory other = TestState.open(this.directory)) {
			assertFails(() -> other.sessions().delete(former.id()), ErrorCode.SANDBOX_BUSY);
		}
		assertThat(owner.workspace()).exists();
	}

	@Test
	void deleteById() {
		StoredSession session = released();
		assertThat(this.state.sessions().delete(session.id())).isTrue();
		assertThat(this.state.sessions().delete(session.id())).isFalse();
	}

	@Test
	void damagedSessionCanBeDeleted() throws Exception {
		StoredSession session = released();
		Files.writeString(TestState.session(this.directory, session.id()).resolve("state.json"), "garbage");
		assertThat(this.state.sessions().delete(session.id())).isTrue();
	}

	@Test
	void listsSessionsByCreationWithTheirStatus() {
		StoredSession owned = this.state.sessions().create(this.key);
		StoredSession stopped = released();
		try (StateDirectory other = TestState.open(this.directory)) {
			StoredSession elsewhere = other.sessions().create(this.key);
			List<SessionInfo> sessions = this.state.sessions().list();
			assertThat(sessions).extracting(SessionInfo::id).containsExactly(owned.id(), stopped.id(), elsewhere.id());
			assertThat(sessions).extracting(SessionInfo::status)
				.containsExactly(SessionInfo.Status.RUNNING, SessionInfo.Status.STOPPED,
						SessionInfo.Status.OWNED_ELSEWHERE);
			assertThat(sessions.get(0).owner()).isEqualTo(owned.lease().owner());
		}
	}

	@Test
	void listLeavesOutWhatIsDamaged() throws Exception {
		StoredSession good = released();
		StoredSession damaged = released();
		Files.writeString(TestState.session(this.directory, damaged.id()).resolve("state.json"), "garbage");
		Files.createDirectory(TestState.sessions(this.directory).resolve("stranger"));
		assertThat(this.state.sessions().list()).extracting(SessionInfo::id).containsExactly(good.id());
		assertThat(this.state.sessions().find(damaged.id())).isEmpty();
	}

	@Test
	void crashedOwnerInThisProcessIsStopped() {
		StoredSession session = this.state.sessions().create(this.key);
		session.lease().abandon();
		try (StateDirectory other = TestState.open(this.directory)) {
			assertThat(other.sessions().find(session.id()).orElseThrow().status())
				.isEqualTo(SessionInfo.Status.STOPPED);
		}
	}

	@Test
	void statusWithoutARecordIsThatOfTheLock() throws Exception {
		StoredSession session = released();
		Files.delete(TestState.session(this.directory, session.id()).resolve("owner.json"));
		assertThat(this.state.sessions().find(session.id()).orElseThrow().status())
			.isEqualTo(SessionInfo.Status.STOPPED);
	}

	@Test
	void findsNothingForAnUnknownId() {
		assertThat(this.state.sessions().find("a".repeat(64))).isEqualTo(Optional.empty());
	}

	private StoredSession released() {
		StoredSession session = this.state.sessions().create(this.key);
		session.release();
		return session;
	}

	private void assertNothingMade() throws Exception {
		assertThat(TestState.sessions(this.directory)).isEmptyDirectory();
		for (Path entry : StateDirectory.list(TestState.root(this.directory, TestState.BACKEND).resolve("building"))) {
			if (Files.isDirectory(entry)) {
				assertThat(entry).isEmptyDirectory();
			}
		}
	}

	private static void assertFails(ThrowingCallable call, ErrorCode code) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(code));
	}

	private static int asGuest(String... command) throws Exception {
		List<String> full = new ArrayList<>(
				List.of("setpriv", "--reuid=65532", "--regid=65532", "--clear-groups", "--"));
		full.addAll(List.of(command));
		return new ProcessBuilder(full).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start()
			.waitFor();
	}

	private static String modeOf(Path path) throws Exception {
		return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
	}

}
