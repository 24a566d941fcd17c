package io.sandbox4j.install;

/**
 * Hears how installs end. It is called while the state is settled, so it must be quick;
 * what it throws is logged.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface InstallListener {

	/**
	 * Called once for each run that ended, however it did, and for each directory that
	 * turned out to need none.
	 * @param sessionId the session
	 * @param directory the directory, relative to the workspace
	 * @param state done, failed or skipped
	 */
	void onSettled(String sessionId, String directory, InstallState state);

}
