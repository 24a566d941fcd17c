package io.sandbox4j.gateway;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the redactors that were used last, by the secrets that they know: one takes
 * milliseconds to build, so not for every request. In memory only; a secret that is no
 * longer used goes when others need its room. Thread-safe.
 */
final class RedactorCache {

	private static final int MAX_ENTRIES = 128;

	/**
	 * About 25 MiB for all, and 64 KiB for each.
	 */
	private static final long MAX_STATES = 1 << 20;

	private final Map<List<String>, Redactor> redactors = new LinkedHashMap<>(16, 0.75F, true);

	private long states;

	/**
	 * Finds or builds a redactor.
	 * @param secrets what it is to know
	 * @return the redactor
	 * @throws IllegalArgumentException if they are too long to be searched for
	 */
	Redactor of(List<String> secrets) {
		synchronized (this) {
			Redactor known = this.redactors.get(secrets);
			if (known != null) {
				return known;
			}
		}
		// Not under the lock: a request with known secrets does not wait for this one.
		Redactor built = Redactor.of(secrets);
		synchronized (this) {
			Redactor other = this.redactors.putIfAbsent(new ArrayList<>(secrets), built);
			if (other != null) {
				return other;
			}
			this.states += built.states();
			Iterator<Redactor> eldest = this.redactors.values().iterator();
			while (this.redactors.size() > 1 && (this.redactors.size() > MAX_ENTRIES || this.states > MAX_STATES)) {
				this.states -= eldest.next().states();
				eldest.remove();
			}
			return built;
		}
	}

	synchronized int size() {
		return this.redactors.size();
	}

	/**
	 * Says nothing of the secrets.
	 */
	@Override
	public String toString() {
		return "RedactorCache[size=" + size() + "]";
	}

}
