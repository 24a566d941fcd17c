package io.sandbox4j.storage;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * How a state directory stores.
 *
 * @param durability what stored data survives
 * @param owner who owns the files of workspaces, or {@code null} for the user of this
 * process
 * @param maxTemplateBytes how large the files of a template may be together
 * @param maxTemplateFiles how many files, links and directories a template may have
 * @since 0.1.0
 */
public record StorageSettings(Durability durability, @Nullable FileOwner owner, long maxTemplateBytes,
		int maxTemplateFiles) {

	/**
	 * Validates the components.
	 */
	public StorageSettings {
		Objects.requireNonNull(durability, "'durability' must not be null");
		if (maxTemplateBytes <= 0) {
			throw new IllegalArgumentException("'maxTemplateBytes' must be positive");
		}
		if (maxTemplateFiles <= 0) {
			throw new IllegalArgumentException("'maxTemplateFiles' must be positive");
		}
	}

	/**
	 * Returns the settings that hold unless others are given: what is stored survives the
	 * process, workspaces belong to its user, a template has up to 1 GiB in 200,000
	 * files.
	 * @return the settings
	 */
	public static StorageSettings defaults() {
		return new StorageSettings(Durability.PROCESS, null, 1L << 30, 200_000);
	}

}
