package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class WorkspaceFilesOwnershipTests {

	@TempDir
	Path directory;

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() {
		this.workspace = Workspace.in(this.directory);
	}

	@Test
	void noChangeIsMadeOnceTheWorkspaceIsAnothers() throws IOException {
		SandboxException lost = new SandboxException(ErrorCode.SANDBOX_LEASE_LOST, "Lost.");
		Workspace fenced = Workspace.in(this.directory, "staging", null, Durability.PROCESS, () -> {
			throw lost;
		}, new PipeGuard());
		fenced.file("f", "old");

		for (ThrowingCallable change : List.<ThrowingCallable>of(() -> fenced.write("f", "new"),
				() -> fenced.files.createDirectories(Workspace.path("d")),
				() -> fenced.files.setExecutable(Workspace.path("f"), true), () -> fenced.remove("f"),
				() -> fenced.move("f", "g"))) {
			assertThatThrownBy(change).isSameAs(lost);
		}

		assertThat(fenced.names(".")).containsExactly("f");
		assertThat(fenced.read("f")).isEqualTo("old");
		assertThat(fenced.stat("f").executable()).isFalse();
		assertThat(fenced.stagedNames()).isEmpty();
	}

	@Test
	void aWorkspaceLostWhileTheContentIsReadIsNotChanged() throws IOException {
		AtomicInteger calls = new AtomicInteger();
		Workspace fenced = Workspace.in(this.directory, "staging", null, Durability.PROCESS, () -> {
			if (calls.incrementAndGet() > 1) {
				throw new SandboxException(ErrorCode.SANDBOX_LEASE_LOST, "Lost.");
			}
		}, new PipeGuard());

		Workspace.refused(ErrorCode.SANDBOX_LEASE_LOST, () -> fenced.write("f", "new"));

		assertThat(fenced.names(".")).isEmpty();
		assertThat(fenced.stagedNames()).isEmpty();
	}

	@Test
	void aWorkspaceThatIsDeletedAmidACallIsLostAndNotBroken() throws IOException {
		AtomicBoolean lost = new AtomicBoolean();
		Workspace fenced = Workspace.in(this.directory, "staging", null, Durability.PROCESS, () -> {
			if (lost.getAndSet(true)) {
				throw new SandboxException(ErrorCode.SANDBOX_LEASE_LOST, "Lost.");
			}
		}, new PipeGuard());
		Files.delete(this.directory.resolve("staging"));
		Files.delete(this.directory.resolve("workspace"));

		Workspace.refused(ErrorCode.SANDBOX_LEASE_LOST, () -> fenced.write("f", "new"));
		Workspace.refused(ErrorCode.SANDBOX_LEASE_LOST, () -> fenced.read("f"));
	}

}
