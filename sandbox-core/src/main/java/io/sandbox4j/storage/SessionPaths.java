package io.sandbox4j.storage;

import java.nio.file.Path;

/**
 * Where the parts of a session are.
 *
 * @param id the session's id
 * @param directory its directory
 */
record SessionPaths(String id, Path directory) {

	Path lease() {
		return this.directory.resolve("lease");
	}

	Path owner() {
		return this.directory.resolve("owner.json");
	}

	Path state() {
		return this.directory.resolve("state.json");
	}

	Path guests() {
		return this.directory.resolve("guests");
	}

	Path workspace() {
		return this.directory.resolve("workspace");
	}

	Path staging() {
		return this.directory.resolve("staging");
	}

}
