package io.sandbox4j.bubblewrap;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.install.InstallKey;
import io.sandbox4j.install.InstallPlan;
import io.sandbox4j.install.InstallStore;
import io.sandbox4j.install.Installs;
import org.jspecify.annotations.Nullable;

/**
 * An application that starts an install, and dies before it can write down how it ended.
 */
public final class InstallingOwner {

	static final String REPOSITORY = "owner/repo";

	private InstallingOwner() {
	}

	// Arguments: state directory, runtime directory, session, template, store, command,
	// and whether to die at the second write.
	public static void main(String[] args) throws InterruptedException {
		BubblewrapBackend backend = BubblewrapBackend.builder()
			.stateDirectory(Path.of(args[0]))
			.runtimeDirectory(Path.of(args[1]))
			.build();
		SandboxHandle handle = backend.create(SandboxRequest.attach(new SandboxState("bubblewrap", args[2], args[3]))
			.network(NetworkPolicy.denyAll())
			.build());
		InstallStore files = InstallStore.directory(Path.of(args[4]));
		InstallStore store = args[6].equals("die") ? new DyingStore(files) : files;
		say("attached");
		Installs.builder(handle.session(), store).plan(plan(args[5])).build().start(".", REPOSITORY);
		say("started");
		new CountDownLatch(1).await();
	}

	private static void say(String word) {
		System.out.println(word);
		System.out.flush();
	}

	static InstallPlan plan(String command) {
		return InstallPlan.builder().override(REPOSITORY, command, "node_modules").build();
	}

	/**
	 * Takes the first write, and ends the application at the second.
	 *
	 * @param store the store
	 */
	private record DyingStore(InstallStore store) implements InstallStore {

		@Override
		public @Nullable Entry load(InstallKey key) {
			return this.store.load(key);
		}

		@Override
		public List<Entry> list(String sessionId) {
			return this.store.list(sessionId);
		}

		@Override
		public boolean replace(InstallKey key, long generation, String document) {
			if (generation > 0) {
				Runtime.getRuntime().halt(9);
			}
			return this.store.replace(key, generation, document);
		}

		@Override
		public void removeSession(String sessionId) {
			this.store.removeSession(sessionId);
		}

	}

}
