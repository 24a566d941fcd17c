package io.sandbox4j.advisory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.install.InstallState;
import io.sandbox4j.install.Installs;
import io.sandbox4j.install.StorageUse;
import org.jspecify.annotations.Nullable;

/**
 * Derives advisories from what is so now. Nothing is kept, so nothing can be out of date.
 *
 * @since 0.1.0
 */
public final class Advisories {

	private static final String SKIPPED_SCRIPTS = " Scripts of packages were left out.";

	private Advisories() {
	}

	/**
	 * Derives what is so for a directory now.
	 * @param installs the installs of the session
	 * @param directory a workspace path
	 * @return the advisories, the most severe first; none is good
	 */
	public static List<Advisory> of(Installs installs, String directory) {
		return derive(installs.state(directory), installs.treePresent(directory), installs.storage());
	}

	/**
	 * Derives advisories from a state.
	 * @param state the state of an install
	 * @param treePresent whether a tree of dependencies is there
	 * @param storage how full the storage is, or {@code null} if it is not known
	 * @return the advisories, the most severe first; none is good
	 */
	public static List<Advisory> derive(InstallState state, boolean treePresent, @Nullable StorageUse storage) {
		List<Advisory> advisories = new ArrayList<>();
		if (storage != null && storage.exhausted()) {
			advisories.add(new Advisory(AdvisoryKind.STORAGE_EXHAUSTED, storage.describe(), false, null, null));
		}
		Advisory dependencies = dependencies(state, treePresent);
		if (dependencies != null) {
			advisories.add(dependencies);
		}
		return List.copyOf(advisories);
	}

	private static @Nullable Advisory dependencies(InstallState state, boolean treePresent) {
		if (state instanceof InstallState.Running running) {
			return new Advisory(AdvisoryKind.DEPS_BUILDING, null, false, running.startedAt(), running.tail());
		}
		if (state instanceof InstallState.Skipped skipped) {
			return new Advisory(AdvisoryKind.DEPS_ABSENT, skipped.reason(), false, null, null);
		}
		if (state instanceof InstallState.Failed failed) {
			return (failed.repairAt() != null) ? building(failed.tail())
					: new Advisory(AdvisoryKind.DEPS_BROKEN,
							failed.error() + (failed.scriptsSkipped() ? SKIPPED_SCRIPTS : ""), treePresent, null,
							failed.tail());
		}
		return (state instanceof InstallState.Done done && done.repairAt() != null) ? building(done.tail()) : null;
	}

	private static Advisory building(@Nullable String tail) {
		return new Advisory(AdvisoryKind.DEPS_BUILDING, null, false, null, tail);
	}

	/**
	 * Says all of them in words.
	 * @param advisories the advisories
	 * @param audience who reads it
	 * @return a line for each, or {@code null} if there is nothing to say
	 */
	public static @Nullable String brief(List<Advisory> advisories, Audience audience) {
		return advisories.isEmpty() ? null
				: advisories.stream().map((advisory) -> advisory.wording(audience)).collect(Collectors.joining("\n"));
	}

	/**
	 * Refuses a write that would not stay, rather than have it reported as done.
	 * @param advisories what is so now
	 * @throws SandboxException {@link ErrorCode#SANDBOX_LIMIT} if writes do not persist
	 */
	public static void requireLastingWrites(List<Advisory> advisories) {
		for (Advisory advisory : advisories) {
			if (!advisory.kind().writesPersist()) {
				throw new SandboxException(ErrorCode.SANDBOX_LIMIT, advisory.wording(Audience.TOOL_CALL));
			}
		}
	}

	/**
	 * Returns files that refuse to write while the storage is full. To remove stays
	 * allowed: it makes room.
	 * @param files the workspace's files
	 * @param storage how full the storage is; {@code null} if it is not known
	 * @return the files
	 */
	public static SandboxFiles lasting(SandboxFiles files, Supplier<@Nullable StorageUse> storage) {
		return new LastingFiles(files,
				() -> requireLastingWrites(derive(new InstallState.Idle(), false, storage.get())));
	}

}
