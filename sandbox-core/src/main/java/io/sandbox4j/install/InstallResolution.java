package io.sandbox4j.install;

import java.util.List;

/**
 * What a directory needs: a command, or nothing, with the reason.
 *
 * @since 0.1.0
 */
public sealed interface InstallResolution {

	/**
	 * A command is needed.
	 *
	 * @param manager the manager that was chosen, or the repository of an override
	 * @param command the text for {@code /bin/sh}
	 * @param files what the fingerprint is made of
	 * @param trees where the command installs to
	 * @param scriptsSkipped whether scripts of packages are left out that the manager
	 * would run
	 */
	record Command(String manager, String command, List<String> files, List<String> trees,
			boolean scriptsSkipped) implements InstallResolution {

		/**
		 * Copies the lists.
		 */
		public Command {
			files = List.copyOf(files);
			trees = List.copyOf(trees);
		}

	}

	/**
	 * Nothing is installed.
	 *
	 * @param reason why, as a sentence
	 */
	record Skip(String reason) implements InstallResolution {

	}

}
