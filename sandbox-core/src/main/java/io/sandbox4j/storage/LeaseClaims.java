package io.sandbox4j.storage;

import java.nio.channels.FileChannel;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Who in this JVM holds or takes which lock file. A POSIX lock is the process's, and is
 * lost when any descriptor of the file closes, even one that was opened to try the lock;
 * so a file that is claimed here is not even opened.
 * <p>
 * The table hangs in the system properties because it must be one for all class loaders
 * of the JVM (two web applications, a restarted context), which no static field is; it
 * holds JDK types only, so it keeps no class loader alive.
 */
final class LeaseClaims {

	private static final String KEY = "io.sandbox4j.lease-claims";

	private LeaseClaims() {
	}

	static boolean claim(String path) {
		return table().putIfAbsent(path, Boolean.TRUE) == null;
	}

	static void giveBack(String path) {
		table().remove(path);
	}

	static boolean isClaimed(String path) {
		return table().containsKey(path);
	}

	/**
	 * Keeps a channel open, and its file claimed, until the JVM ends.
	 * @param path the claimed file
	 * @param channel a channel whose closing would lose somebody's lock
	 */
	static void park(String path, FileChannel channel) {
		table().put(path, channel);
	}

	@SuppressWarnings("unchecked")
	private static ConcurrentMap<String, Object> table() {
		return (ConcurrentMap<String, Object>) System.getProperties()
			.computeIfAbsent(KEY, (key) -> new ConcurrentHashMap<String, Object>());
	}

}
