package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import io.sandbox4j.SandboxHandle;
import io.sandbox4j.checkpoint.Checkpoint;
import io.sandbox4j.checkpoint.Checkpoints;
import io.sandbox4j.checkpoint.FileSnapshotStore;
import io.sandbox4j.checkpoint.RestoreSpec;
import io.sandbox4j.checkpoint.SnapshotUpload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Restores that were cut off, wherever that was.
 */
class CheckpointCutTests {

	private static final String NAME = ".sandbox4j-" + "0123456789abcdef".repeat(2);

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	@TempDir
	Path directory;

	// What a restore had done in the workspace when it was cut off, and what must follow.
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					true                                                                           | old
					mkdir $s                                                                       | old
					prepare; rm -rf $s/new/*; echo half >$s/new/file                               | old
					prepare                                                                        | old
					prepare; note                                                                  | old
					prepare; note; chmod u+w closed; mv file $s/old                                | old
					prepare; note; chmod u+w closed; mv file closed $s/old                         | old
					prepare; note; chmod u+w closed; mv file closed $s/old; mv $s/new $s/in        | new
					prepare; note; chmod u+w closed; mv file closed $s/old; mv $s/new $s/in; mv $s/in/file . | new
					prepare; note; chmod u+w closed; mv file closed $s/old; mv $s/new $s/in; mv $s/in/* . | new
					prepare; note; chmod u+w closed; mv file closed $s/old; mv $s/new $s/in; mv $s/in/* .; chmod 555 closed; mv $s $s.done; rm -rf $s.done/old | new
					""")
	void aCutOffRestoreIsUndoneOrFinished(String done, String outcome) throws IOException {
		FileSnapshotStore store = FileSnapshotStore.open(this.directory.resolve("store"));
		SandboxHandle sandbox = this.sandboxes.emptySandbox();
		BackendExtension.sh(sandbox,
				"echo old >file; mkdir closed; echo old >closed/f; chmod 555 closed; touch -d @9 .");
		BackendExtension.sh(sandbox, """
				s=%s
				touch -r . /tmp/root
				prepare() {
					mkdir $s $s/new $s/old; touch -r /tmp/root $s/root; chmod 755 $s/root
					cd $s/new; echo new >file; mkdir closed; echo new >closed/f; cd ../..
				}
				note() {
					chmod 700 $s/new; touch $s/root.new; touch -d @11 $s/root.new; chmod 755 $s/root.new
					printf '555\\0./closed\\0' >$s/modes.new; printf '555\\0./closed\\0' >$s/modes.old
				}
				%s
				chmod 755 .
				""".formatted(NAME, done));
		mark(store, sandbox);
		assertThat(Checkpoints.builder(store).build().recover(sandbox.session())).isTrue();
		assertThat(BackendExtension.out(sandbox, "ls -A; cat file closed/f; stat -c %a closed"))
			.isEqualTo("closed\nfile\n" + outcome + "\n" + outcome + "\n555");
		assertThat(Checkpoints.builder(store).build().recover(sandbox.session())).isFalse();
		BackendExtension.sh(sandbox, "chmod -R u+w .");
	}

	@Test
	void whatCameInBetweenIsKept() throws IOException {
		FileSnapshotStore store = FileSnapshotStore.open(this.directory.resolve("store"));
		SandboxHandle sandbox = this.sandboxes.emptySandbox();
		BackendExtension.sh(sandbox, "mkdir -p " + NAME + "/new " + NAME + "/old/d; echo old >" + NAME + "/old/d/x; "
				+ "mkdir d; echo between >d/y; echo other >z");
		mark(store, sandbox);
		Checkpoints.builder(store).build().recover(sandbox.session());
		assertThat(BackendExtension.out(sandbox, "find . -type f | sort; cat d/x d.~1~/y z"))
			.isEqualTo("./d.~1~/y\n./d/x\n./z\nold\nbetween\nother");
	}

	@Test
	void aCaptureMendsAWorkspaceFirst() throws IOException {
		FileSnapshotStore store = FileSnapshotStore.open(this.directory.resolve("store"));
		SandboxHandle sandbox = this.sandboxes.emptySandbox();
		BackendExtension.sh(sandbox, "mkdir -p " + NAME + "/new " + NAME + "/old; echo old >" + NAME + "/old/x");
		mark(store, sandbox);
		Checkpoints checkpoints = Checkpoints.builder(store).build();
		Checkpoint checkpoint = checkpoints.capture(sandbox);
		assertThat(checkpoint.files()).isEqualTo(1);
		checkpoints.restore(RestoreSpec.of(checkpoint.id()).withReplace(true), sandbox);
		assertThat(BackendExtension.out(sandbox, "ls -A")).isEqualTo("x");
	}

	private static void mark(FileSnapshotStore store, SandboxHandle sandbox) throws IOException {
		try (SnapshotUpload marker = store.create("restoring/" + sandbox.session().id())) {
			marker.write(("f".repeat(64) + " " + NAME).getBytes(StandardCharsets.US_ASCII));
			marker.commit();
		}
	}

}
