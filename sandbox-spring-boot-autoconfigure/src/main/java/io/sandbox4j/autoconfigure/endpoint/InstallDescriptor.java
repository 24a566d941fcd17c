package io.sandbox4j.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.sandbox4j.SandboxException;
import io.sandbox4j.advisory.Advisories;
import io.sandbox4j.advisory.Advisory;
import io.sandbox4j.advisory.AdvisoryKind;
import io.sandbox4j.install.InstallState;
import io.sandbox4j.install.Installs;
import org.jspecify.annotations.Nullable;

/**
 * An install: no command, and nothing of what it printed.
 *
 * @param directory the directory, relative to the workspace
 * @param state where it stands
 * @param reason why it was skipped or failed
 * @param exitCode the exit code, if it ended by itself
 * @param since when it was started, if it runs, or when it ended
 * @param repairAt when it is run again, if it is
 * @param advisories what a caller must not assume away
 * @since 0.1.0
 */
public record InstallDescriptor(String directory, String state, @Nullable String reason, @Nullable Integer exitCode,
		@Nullable Instant since, @Nullable Instant repairAt, List<AdvisoryKind> advisories) {

	static List<InstallDescriptor> of(Installs installs) {
		return installs.states()
			.entrySet()
			.stream()
			.map((entry) -> of(entry.getKey(), entry.getValue(), advisories(installs, entry)))
			.toList();
	}

	// A session that stops meanwhile has no tree to look at.
	private static List<AdvisoryKind> advisories(Installs installs, Map.Entry<String, InstallState> install) {
		boolean tree;
		try {
			tree = installs.treePresent(install.getKey());
		}
		catch (SandboxException ex) {
			tree = false;
		}
		return Advisories.derive(install.getValue(), tree, installs.storage()).stream().map(Advisory::kind).toList();
	}

	private static InstallDescriptor of(String directory, InstallState state, List<AdvisoryKind> advisories) {
		String name = state.getClass().getSimpleName().toLowerCase(Locale.ROOT);
		if (state instanceof InstallState.Running running) {
			return new InstallDescriptor(directory, name, null, null, running.startedAt(), null, advisories);
		}
		if (state instanceof InstallState.Done done) {
			return new InstallDescriptor(directory, name, null, done.exitCode(), done.finishedAt(), done.repairAt(),
					advisories);
		}
		if (state instanceof InstallState.Failed failed) {
			return new InstallDescriptor(directory, name, failed.error(), failed.exitCode(), failed.finishedAt(),
					failed.repairAt(), advisories);
		}
		String reason = (state instanceof InstallState.Skipped skipped) ? skipped.reason() : null;
		return new InstallDescriptor(directory, name, reason, null, null, null, advisories);
	}

}
