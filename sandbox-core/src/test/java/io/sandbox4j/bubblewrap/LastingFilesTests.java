package io.sandbox4j.bubblewrap;

import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.advisory.Advisories;
import io.sandbox4j.install.StorageUse;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("isolation")
class LastingFilesTests {

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	@Test
	void whileStorageIsFullWritesAreRefusedAndRoomCanBeMade() {
		AtomicReference<StorageUse> use = new AtomicReference<>(new StorageUse(1, 1));
		SandboxFiles real = this.sandboxes.sandbox().session().files();
		SandboxFiles files = Advisories.lasting(real, use::get);
		List<ThrowingCallable> writes = List.of(() -> files.writeText("a", "x"), () -> files.write("a", new byte[1]),
				() -> files.write("a", new ByteArrayInputStream(new byte[1])), () -> files.create("a", new byte[1]),
				() -> files.createDirectories("d"));
		for (ThrowingCallable write : writes) {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(write)
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_LIMIT));
		}
		assertThat(real.list(".")).singleElement()
			.satisfies((entry) -> assertThat(entry.path().relative()).isEqualTo("README"));
		assertThat(files.readText("README")).isEqualTo("hello\n");
		files.move("README", "OTHER");
		assertThat(files.remove("OTHER")).isTrue();
		use.set(null);
		files.writeText("a", "x");
		assertThat(real.readText("a")).isEqualTo("x");
	}

}
