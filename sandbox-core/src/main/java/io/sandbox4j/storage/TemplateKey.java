package io.sandbox4j.storage;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The key of a template: a digest over the backend's name, the template's name, and each
 * path with the digest of its content. Times, owners and the other mode bits are no part
 * of it. Not thread-safe.
 */
final class TemplateKey {

	private final String backend;

	private final String template;

	private final List<List<String>> entries = new ArrayList<>();

	TemplateKey(String backend, String template) {
		this.backend = backend;
		this.template = template;
	}

	/**
	 * Adds an entry. Paths come sorted.
	 * @param path its path
	 * @param entry what it is
	 * @param digest the digest of a file's bytes
	 */
	void add(String path, TemplateEntry entry, byte[] digest) {
		switch (entry.kind()) {
			case FILE -> this.entries.add(List.of(path, HexFormat.of().formatHex(digest)));
			case EXECUTABLE -> this.entries.add(List.of(path, HexFormat.of().formatHex(digest), "x"));
			case LINK -> this.entries.add(List.of(path, sha256(entry.target()), "link:" + entry.target()));
			case DIRECTORY -> this.entries.add(List.of(path, "", "directory"));
		}
	}

	String hex() {
		byte[] document = JsonFiles.bytes(List.of(this.backend, this.template, this.entries));
		return HexFormat.of().formatHex(StateDirectory.sha256().digest(document));
	}

	private static String sha256(String text) {
		return HexFormat.of().formatHex(StateDirectory.sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
	}

}
