package io.sandbox4j.storage;

import java.nio.channels.FileChannel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Who in this JVM holds or takes which lock file. A POSIX lock is the process's, and is
 * lost when any descriptor of the file closes, even one that was opened to try the lock;
 * so a file that is claimed here is not even opened.
 * <p>
 * The claims are the lines of one system property, because they must be the same for all
 * class loaders of the JVM (two web applications, a restarted context), which no static
 * field is. {@code Properties.compute} is atomic. The value is plain text, so that
 * whoever prints or stores the properties can.
 */
final class LeaseClaims {

	private static final String KEY = "io.sandbox4j.lease-claims";

	private static final String SEPARATOR = "\n";

	// Only ever added to: a lost reference would let the collector close the channel.
	private static final Queue<FileChannel> parked = new ConcurrentLinkedQueue<>();

	private LeaseClaims() {
	}

	static boolean claim(String path) {
		return change((claims) -> claims.add(line(path)));
	}

	static void giveBack(String path) {
		change((claims) -> claims.remove(line(path)));
	}

	static boolean isClaimed(String path) {
		return change((claims) -> claims.contains(line(path)));
	}

	/**
	 * Keeps a channel open, and its file claimed, until the JVM ends.
	 * @param path the claimed file
	 * @param channel a channel whose closing would lose somebody's lock
	 */
	static void park(String path, FileChannel channel) {
		claim(path);
		parked.add(channel);
	}

	private static boolean change(Predicate<Set<String>> change) {
		boolean[] result = new boolean[1];
		System.getProperties().compute(KEY, (key, value) -> {
			Set<String> claims = parse(value);
			result[0] = change.test(claims);
			return claims.isEmpty() ? null : String.join(SEPARATOR, claims);
		});
		return result[0];
	}

	private static Set<String> parse(@Nullable Object value) {
		return (value != null) ? new LinkedHashSet<>(List.of(value.toString().split(SEPARATOR)))
				: new LinkedHashSet<>();
	}

	private static String line(String path) {
		return path.replace("\\", "\\\\").replace(SEPARATOR, "\\n");
	}

}
