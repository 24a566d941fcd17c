package io.sandbox4j.test;

import java.nio.file.Path;

import io.sandbox4j.checkpoint.FileSnapshotStore;
import io.sandbox4j.checkpoint.SnapshotStore;
import org.junit.jupiter.api.io.TempDir;

class FileSnapshotStoreContractTests extends SnapshotStoreContract {

	@TempDir
	Path directory;

	@Override
	protected SnapshotStore openStore() {
		return FileSnapshotStore.open(this.directory.resolve("store"));
	}

}
