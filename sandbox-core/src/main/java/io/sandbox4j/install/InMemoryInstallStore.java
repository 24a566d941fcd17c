package io.sandbox4j.install;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Entries that end with the application.
 */
final class InMemoryInstallStore implements InstallStore {

	private final Map<InstallKey, Entry> entries = new HashMap<>();

	@Override
	public synchronized @Nullable Entry load(InstallKey key) {
		return this.entries.get(key);
	}

	@Override
	public synchronized List<Entry> list(String sessionId) {
		return this.entries.values().stream().filter((entry) -> entry.key().sessionId().equals(sessionId)).toList();
	}

	@Override
	public synchronized boolean replace(InstallKey key, long generation, String document) {
		FileInstallStore.requireShort(document);
		Entry known = this.entries.get(key);
		if (((known != null) ? known.generation() : 0) != generation) {
			return false;
		}
		this.entries.put(key, new Entry(key, generation + 1, document));
		return true;
	}

	@Override
	public synchronized void removeSession(String sessionId) {
		this.entries.keySet().removeIf((key) -> key.sessionId().equals(sessionId));
	}

}
