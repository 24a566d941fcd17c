package io.sandbox4j.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * URLs as they may be shown: one that is configured can hold a password, before it is
 * refused for that.
 */
final class Urls {

	private Urls() {
	}

	static @Nullable String withoutUser(@Nullable String url) {
		return (url != null) ? url.substring(url.lastIndexOf('@') + 1) : null;
	}

}
