package io.sandbox4j.install;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What installs, with the scripts of packages and without. Both are texts for
 * {@code /bin/sh}, of whoever makes the plan and never of the workspace.
 *
 * @param safe the command that runs no code of the packages that it installs, or
 * {@code null} if the manager cannot do without
 * @param withScripts the command that may run such code
 * @since 0.1.0
 */
public record InstallCommand(@Nullable String safe, String withScripts) {

	// A record of a run has it, and must fit into a store.
	private static final int MAX_LENGTH = 4096;

	/**
	 * Validates the components.
	 */
	public InstallCommand {
		Objects.requireNonNull(withScripts, "'withScripts' must not be null");
		requireText(withScripts);
		if (safe != null) {
			requireText(safe);
		}
	}

	static void requireText(String command) {
		if (command.isBlank() || command.length() > MAX_LENGTH) {
			throw new IllegalArgumentException("A command must have 1 to " + MAX_LENGTH + " characters");
		}
	}

	/**
	 * Returns a command that runs no code of packages in any case.
	 * @param command the command
	 * @return the command, the same with scripts and without
	 */
	public static InstallCommand harmless(String command) {
		return new InstallCommand(command, command);
	}

	/**
	 * Returns a command that always runs code of packages, or of the project.
	 * @param command the command
	 * @return the command, which is refused where scripts are not allowed
	 */
	public static InstallCommand runningCode(String command) {
		return new InstallCommand(null, command);
	}

	@Nullable String text(boolean scripts) {
		return scripts ? this.withScripts : this.safe;
	}

	boolean skipsScripts(boolean scripts) {
		return !scripts && !this.withScripts.equals(this.safe);
	}

}
