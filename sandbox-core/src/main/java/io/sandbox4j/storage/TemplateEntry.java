package io.sandbox4j.storage;

import java.nio.file.Path;

import io.sandbox4j.SandboxTemplate;
import org.jspecify.annotations.Nullable;

/**
 * One file, link or empty directory of a template.
 *
 * @param kind what it is
 * @param size how many bytes a file had when it was listed
 * @param source where on the host it is, or {@code null} for content in memory
 * @param content the content in memory, or {@code null}
 * @param target where a link points, or empty
 */
record TemplateEntry(Kind kind, long size, @Nullable Path source, SandboxTemplate.@Nullable Content content,
		String target) {

	static TemplateEntry of(SandboxTemplate.Content content, long size) {
		return new TemplateEntry(content.executable() ? Kind.EXECUTABLE : Kind.FILE, size, null, content, "");
	}

	static TemplateEntry file(Path source, boolean executable, long size) {
		return new TemplateEntry(executable ? Kind.EXECUTABLE : Kind.FILE, size, source, null, "");
	}

	static TemplateEntry link(String target) {
		return new TemplateEntry(Kind.LINK, 0, null, null, target);
	}

	static TemplateEntry directory() {
		return new TemplateEntry(Kind.DIRECTORY, 0, null, null, "");
	}

	/**
	 * What an entry is.
	 */
	enum Kind {

		FILE, EXECUTABLE, LINK, DIRECTORY

	}

}
