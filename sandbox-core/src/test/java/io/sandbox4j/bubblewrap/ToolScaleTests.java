package io.sandbox4j.bubblewrap;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tools over more than fits into memory, in a JVM with a small heap.
 */
class ToolScaleTests {

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	// Not on the disk: to make so many files there takes longer than all else.
	private Path directory;

	@BeforeEach
	void makeDirectory() throws Exception {
		this.directory = BackendExtension.temporaryDirectory(Path.of("/dev/shm"));
	}

	@AfterEach
	void removeDirectory() throws Exception {
		BackendExtension.deleteRecursively(this.directory);
	}

	@Test
	void largeFilesDirectoriesAndTreesFitIntoASmallHeap() throws Exception {
		Process jvm = ChildJvm.start(SmallHeapTools.class, List.of("-Xmx80m"), Map.of(),
				this.sandboxes.stateDirectory().toString(), this.sandboxes.runtimeDirectory().toString(),
				this.directory.resolve("workspace").toString());
		String said = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertThat(said.lines()).containsExactly("read 2 of 10737418240", "listed 500 of 100000",
				"found [\"tree/49/999/f49999\"] false", "searched 50000 1 false", "every 100 true");
	}

}
