package io.sandbox4j;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * The files that a new workspace starts with. Immutable; bytes are copied in.
 * <p>
 * A template is files, not an image: what programs a sandbox has comes from the host's
 * {@code /usr} or a configured root file system.
 *
 * @since 0.1.0
 */
public final class SandboxTemplate {

	private final String name;

	private final SortedMap<String, Content> files;

	private final @Nullable Path directory;

	private SandboxTemplate(String name, SortedMap<String, Content> files, @Nullable Path directory) {
		this.name = name;
		this.files = Collections.unmodifiableSortedMap(files);
		this.directory = directory;
	}

	/**
	 * Starts a template.
	 * @param name its name, part of its key
	 * @return a builder
	 */
	public static Builder named(String name) {
		return new Builder(name);
	}

	/**
	 * Returns the name.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns the files by workspace path, relative to the root.
	 * @return the files, sorted by path
	 */
	public SortedMap<String, Content> files() {
		return this.files;
	}

	/**
	 * Returns the host directory whose tree the template starts with; its files come
	 * before {@link #files()}, which replace those of the same path. It is read when the
	 * template is prepared: regular files, directories and symbolic links (kept as
	 * links), nothing else.
	 * @return the directory, or {@code null}
	 */
	public @Nullable Path directory() {
		return this.directory;
	}

	/**
	 * One file of a template.
	 *
	 * @param bytes its content
	 * @param executable whether its owner may execute it
	 */
	public record Content(byte[] bytes, boolean executable) {

		/**
		 * Copies the bytes.
		 */
		public Content {
			bytes = bytes.clone();
		}

		/**
		 * Returns the content.
		 * @return a copy of the bytes
		 */
		@Override
		public byte[] bytes() {
			return this.bytes.clone();
		}

	}

	/**
	 * Builds a template. Not thread-safe.
	 */
	public static final class Builder {

		private final String name;

		private final SortedMap<String, Content> files = new TreeMap<>();

		private @Nullable Path directory;

		private Builder(String name) {
			if (Objects.requireNonNull(name, "'name' must not be null").isBlank()) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'template.name' must not be empty.");
			}
			this.name = name;
		}

		/**
		 * Adds a text file as UTF-8.
		 * @param path its workspace path
		 * @param text its content
		 * @return this builder
		 */
		public Builder file(String path, String text) {
			return file(path, text.getBytes(StandardCharsets.UTF_8), false);
		}

		/**
		 * Adds a file.
		 * @param path its workspace path
		 * @param bytes its content, copied now
		 * @return this builder
		 */
		public Builder file(String path, byte[] bytes) {
			return file(path, bytes, false);
		}

		/**
		 * Adds a file.
		 * @param path its workspace path
		 * @param bytes its content, copied now
		 * @param executable whether its owner may execute it
		 * @return this builder
		 * @throws SandboxException {@link ErrorCode#SANDBOX_PATH} for a refused path or
		 * the workspace root, {@link ErrorCode#SANDBOX_INVALID} if the path was added
		 * before
		 */
		public Builder file(String path, byte[] bytes, boolean executable) {
			WorkspacePath parsed = WorkspacePath.parse(path);
			if (parsed.isRoot()) {
				throw new SandboxException(ErrorCode.SANDBOX_PATH,
						"A template file cannot be the workspace root. Give it a name such as 'src/app.py'.");
			}
			if (this.files.putIfAbsent(parsed.relative(), new Content(bytes, executable)) != null) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID,
						"Template '" + this.name + "' has '" + parsed.relative() + "' twice. Keep one of them.");
			}
			return this;
		}

		/**
		 * Starts the template with the tree of a host directory.
		 * @param directory the directory
		 * @return this builder
		 */
		public Builder directory(Path directory) {
			this.directory = Objects.requireNonNull(directory, "'directory' must not be null");
			return this;
		}

		/**
		 * Builds the template.
		 * @return the template
		 */
		public SandboxTemplate build() {
			for (String path : this.files.keySet()) {
				for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
					if (this.files.containsKey(path.substring(0, slash))) {
						throw new SandboxException(ErrorCode.SANDBOX_INVALID, "Template '" + this.name + "' has '"
								+ path.substring(0, slash) + "' as a file and as a directory. Rename one of them.");
					}
				}
			}
			return new SandboxTemplate(this.name, new TreeMap<>(this.files), this.directory);
		}

	}

}
