package io.sandbox4j.install;

import java.util.Locale;

/**
 * How full the storage of a workspace is.
 *
 * @param usedBytes the bytes that are used
 * @param limitBytes the bytes that there are
 * @since 0.1.0
 */
public record StorageUse(long usedBytes, long limitBytes) {

	private static final double GIGABYTE = 1e9;

	/**
	 * Validates the components.
	 */
	public StorageUse {
		if (usedBytes < 0 || limitBytes <= 0) {
			throw new IllegalArgumentException("'usedBytes' and 'limitBytes' must not be negative");
		}
	}

	/**
	 * Whether nothing more can be written.
	 * @return {@code true} if it is full
	 */
	public boolean exhausted() {
		return this.usedBytes >= this.limitBytes;
	}

	/**
	 * Describes it for a person or a model.
	 * @return such as {@code 10.0 of 10.0 GB}
	 */
	public String describe() {
		return String.format(Locale.ROOT, "%.1f of %.1f GB", this.usedBytes / GIGABYTE, this.limitBytes / GIGABYTE);
	}

}
