package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class HostMemoryTests {

	@TempDir
	private Path directory;

	@ParameterizedTest
	@CsvSource({ "1000, 49, true", "1000, 50, false", "1000, 1000, false" })
	void memoryIsShortBelowATwentieth(long total, long available, boolean expected) throws IOException {
		assertThat(isShort("MemTotal: " + total + " kB\nMemFree: 1 kB\nMemAvailable: " + available + " kB\n"))
			.isEqualTo(expected);
	}

	@Test
	void whatIsNotKnownIsNotShort() throws IOException {
		assertThat(isShort("MemTotal: 1000 kB\n")).isFalse();
		assertThat(isShort("MemAvailable: \n")).isFalse();
		assertThat(new HostMemory(this.directory.resolve("missing")).isShort()).isFalse();
	}

	@Test
	void thisHostSaysIt() {
		assertThat(Path.of("/proc/meminfo")).content().contains("MemTotal:", "MemAvailable:");
	}

	private boolean isShort(String text) throws IOException {
		return new HostMemory(Files.writeString(this.directory.resolve("meminfo"), text)).isShort();
	}

}
