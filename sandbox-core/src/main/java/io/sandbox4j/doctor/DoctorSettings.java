package io.sandbox4j.doctor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.sandbox4j.NetworkPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What {@link SandboxDoctor.Builder} gathered, fixed. Its methods say what each means.
 */
record DoctorSettings(@Nullable Path executable, @Nullable Path stateDirectory, @Nullable Path runtimeDirectory,
		Map<String, NetworkPolicy> networks, List<DoctorCheck> checks, Duration checkTimeout, Duration timeout) {

	List<Path> paths() {
		return Stream
			.of(this.executable, this.stateDirectory, this.runtimeDirectory, Path.of(System.getProperty("user.home")))
			.flatMap(Stream::ofNullable)
			.toList();
	}

}
