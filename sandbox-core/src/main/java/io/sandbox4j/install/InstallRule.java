package io.sandbox4j.install;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * How one package manager installs. File names are relative to the directory of the
 * install; a tree may also be a path below {@code /workspace}, where managers share one.
 *
 * @param manager its name, as {@code packageManager} of a {@code package.json} has it
 * @param manifests the files of which one must be there
 * @param lockfiles the files that choose this manager
 * @param settings further files that change what is installed
 * @param trees where it installs to; an install whose trees are all absent is never
 * skipped
 * @param locked the command if a lockfile is there, or {@code null} without lockfiles
 * @param unlocked the command if none is there, or {@code null} if that is no install
 * @since 0.1.0
 */
public record InstallRule(String manager, List<String> manifests, List<String> lockfiles, List<String> settings,
		List<String> trees, @Nullable InstallCommand locked, @Nullable InstallCommand unlocked) {

	/**
	 * Validates the components.
	 */
	public InstallRule {
		Objects.requireNonNull(manager, "'manager' must not be null");
		manifests = relative(manifests);
		lockfiles = relative(lockfiles);
		settings = relative(settings);
		trees = List.copyOf(trees);
		trees.forEach(WorkspacePath::parse);
		if (manifests.isEmpty()) {
			throw new IllegalArgumentException("'manifests' of " + manager + " must not be empty");
		}
		if (lockfiles.isEmpty() != (locked == null)) {
			throw new IllegalArgumentException("'lockfiles' and 'locked' of " + manager + " need each other");
		}
		if (locked == null && unlocked == null) {
			throw new IllegalArgumentException("'locked' or 'unlocked' of " + manager + " must be set");
		}
	}

	/**
	 * Returns what a fingerprint is made of.
	 * @return the manifests, the lockfiles and the settings, each once
	 */
	public List<String> files() {
		Set<String> files = new LinkedHashSet<>(this.manifests);
		files.addAll(this.lockfiles);
		files.addAll(this.settings);
		return List.copyOf(files);
	}

	private static List<String> relative(List<String> names) {
		for (String name : names) {
			if (name.startsWith("/") || WorkspacePath.parse(name).isRoot()) {
				throw new IllegalArgumentException("'" + name + "' must be relative to the directory");
			}
		}
		return List.copyOf(names);
	}

}
