package io.sandbox4j.lease;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of each run. It is looked up for every line, so that one registered later gets
 * what comes later.
 */
final class RunLogs {

	private static final Logger logger = LoggerFactory.getLogger(RunLogs.class);

	private final Map<String, RunLog> logs = new ConcurrentHashMap<>();

	void register(String run, RunLog log) {
		this.logs.put(run, log);
	}

	void drop(String run) {
		this.logs.remove(run);
	}

	void clear() {
		this.logs.clear();
	}

	void line(LeaseKey key, String line) {
		String run = key.run();
		RunLog log = (run != null) ? find(run) : null;
		if (log == null) {
			return;
		}
		try {
			log.line(key, line);
		}
		catch (RuntimeException ex) {
			logger.warn("The log of run '{}' failed", run, ex);
		}
	}

	private @Nullable RunLog find(String run) {
		return this.logs.get(run);
	}

}
