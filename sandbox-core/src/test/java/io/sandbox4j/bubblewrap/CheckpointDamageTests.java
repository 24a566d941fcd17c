package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.checkpoint.Checkpoint;
import io.sandbox4j.checkpoint.Checkpoints;
import io.sandbox4j.checkpoint.FileSnapshotStore;
import io.sandbox4j.checkpoint.RestoreSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Stores that were damaged: a restore says so and the workspace stays as it is.
 */
class CheckpointDamageTests {

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	@TempDir
	Path directory;

	private SandboxHandle sandbox;

	private Checkpoint checkpoint;

	private String before;

	@BeforeEach
	void captureAndGoOn() {
		this.sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(this.sandbox, "head -c 3000000 /dev/urandom >large; mkdir d; echo one >d/f");
		this.checkpoint = checkpoints().capture(this.sandbox);
		BackendExtension.sh(this.sandbox, "rm -rf d; echo two >d; chmod 555 .; touch -d @7 .");
		this.before = state();
	}

	@AfterEach
	void theWorkspaceIsAsItWas() {
		assertThat(state()).isEqualTo(this.before);
		assertThat(checkpoints().recover(this.sandbox.session())).isFalse();
		BackendExtension.sh(this.sandbox, "chmod 755 .");
	}

	@Test
	void aByteOfTheContentThatChangedIsFound() throws IOException {
		flip(pack(), 1_500_000);
		refused(ErrorCode.SANDBOX_INVALID);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> checkpoints().verify(this.checkpoint.id()))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
	}

	@Test
	void aByteOfAnIndexThatChangedIsFound() throws IOException {
		Path pack = pack();
		flip(pack, Files.size(pack) - 100);
		refused(ErrorCode.SANDBOX_INVALID);
	}

	@Test
	void aByteOfTheTrailerThatChangedIsFound() throws IOException {
		Path pack = pack();
		flip(pack, Files.size(pack) - 1);
		refused(ErrorCode.SANDBOX_INVALID);
	}

	@Test
	void aPackThatIsCutOffIsFound() throws IOException {
		Path pack = pack();
		byte[] content = Files.readAllBytes(pack);
		Files.write(pack, Arrays.copyOf(content, content.length / 2));
		refused(ErrorCode.SANDBOX_INVALID);
	}

	@Test
	void anEmptyPackIsFound() throws IOException {
		Files.write(pack(), new byte[0]);
		refused(ErrorCode.SANDBOX_INVALID);
	}

	@Test
	void aPackThatIsMissingIsFound() throws IOException {
		Files.delete(pack());
		refused(ErrorCode.SANDBOX_INVALID);
	}

	@Test
	void aDocumentThatChangedIsFound() throws IOException {
		flip(this.directory.resolve("store/objects/checkpoints/" + this.checkpoint.id()), 30);
		refused(ErrorCode.SANDBOX_INVALID);
	}

	@Test
	void aDocumentThatIsMissingIsNotFound() throws IOException {
		Files.delete(this.directory.resolve("store/objects/checkpoints/" + this.checkpoint.id()));
		refused(ErrorCode.SANDBOX_NOT_FOUND);
	}

	@Test
	void aLineageThatCannotBeReadIsFound() throws IOException {
		Path lineage = this.directory.resolve("store/refs/lineages/" + this.sandbox.session().id());
		Files.write(lineage, new byte[] { 1 });
		refused(ErrorCode.SANDBOX_INVALID);
		Files.write(lineage, "\0\0\0\0\0\0\0\1{\"format\":1".getBytes(StandardCharsets.UTF_8));
		refused(ErrorCode.SANDBOX_INVALID);
	}

	@Test
	void aNewerFormatIsSaidToBeOne() throws IOException {
		Path lineage = this.directory.resolve("store/refs/lineages/" + this.sandbox.session().id());
		Files.write(lineage, "\0\0\0\0\0\0\0\1{\"format\":2}".getBytes(StandardCharsets.UTF_8));
		refused(ErrorCode.SANDBOX_STATE_MISMATCH);
	}

	@Test
	void aPackThatCannotBeReadHurtsNoOtherCheckpoint() throws IOException {
		Path pack = pack();
		flip(pack, Files.size(pack) - 1);
		Checkpoints checkpoints = checkpoints();
		Checkpoint next = checkpoints.capture(this.sandbox);
		assertThat(next.newBytes()).isGreaterThan(3_000_000);
		checkpoints.restore(RestoreSpec.of(next.id()).withReplace(true), this.sandbox);
		assertThat(checkpoints.verify(next.id())).isEqualTo(next);
	}

	private void refused(ErrorCode code) {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(
					() -> checkpoints().restore(RestoreSpec.of(this.checkpoint.id()).withReplace(true), this.sandbox))
			.satisfies((ex) -> assertThat(ex.code()).as(ex.getMessage()).isEqualTo(code));
	}

	private String state() {
		return BackendExtension.out(this.sandbox,
				"find . -printf '%P|%y|%m|%T@|%l\\n' | sort; find . -type f -exec sha256sum {} + | sort");
	}

	private Checkpoints checkpoints() {
		return Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).build();
	}

	private Path pack() throws IOException {
		try (Stream<Path> packs = Files.list(this.directory.resolve("store/objects/packs"))) {
			return packs.findFirst().orElseThrow();
		}
	}

	private static void flip(Path file, long offset) throws IOException {
		byte[] content = Files.readAllBytes(file);
		content[(int) offset] ^= 1;
		Files.write(file, content);
	}

}
