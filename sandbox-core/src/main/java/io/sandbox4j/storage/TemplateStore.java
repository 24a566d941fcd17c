package io.sandbox4j.storage;

import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxTemplate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The templates of one backend name, each stored once under a key made of its content.
 * Thread-safe, also between processes.
 *
 * @since 0.1.0
 */
public final class TemplateStore {

	private static final Logger logger = LoggerFactory.getLogger(TemplateStore.class);

	private final String backend;

	private final Path directory;

	private final Path building;

	private final StorageSettings settings;

	private final Sync sync;

	private final JsonFiles files;

	private final Trash trash;

	private final Map<String, SoftReference<TemplateIndex>> indexes = new ConcurrentHashMap<>();

	TemplateStore(String backend, Path directory, Path building, StorageSettings settings, Trash trash) {
		this.backend = backend;
		this.directory = directory;
		this.building = building;
		this.settings = settings;
		this.sync = new Sync(settings.durability());
		this.files = new JsonFiles(this.sync);
		this.trash = trash;
	}

	/**
	 * Stores a template, unless the same is stored already. A directory is read once to
	 * know that, and again while it is copied: the key is that of the copy.
	 * @param template the template
	 * @return its key, and whether it was stored already, by this call's competitor at
	 * the latest
	 * @throws SandboxException {@link ErrorCode#SANDBOX_LIMIT} if it is larger than
	 * allowed, {@link ErrorCode#SANDBOX_INVALID} if it has more than files, directories
	 * and links
	 */
	public PreparedTemplate prewarm(SandboxTemplate template) {
		Objects.requireNonNull(template, "'template' must not be null");
		try {
			TemplateContent content = TemplateContent.list(template, this.settings);
			TemplateBuild build = new TemplateBuild(this.backend, template, content);
			String key = build.digest();
			if (isReady(key)) {
				return new PreparedTemplate(key, true);
			}
			return build(build);
		}
		catch (IOException ex) {
			throw StorageFailures.io("Template '" + template.name() + "' could not be stored", ex);
		}
	}

	private PreparedTemplate build(TemplateBuild build) throws IOException {
		Path temporary = this.building.resolve(RandomIds.next());
		Path data = temporary.resolve("data");
		try {
			Directories.make(temporary, Directories.PRIVATE);
			Directories.make(data, Directories.PRIVATE);
			String key = build.write(data);
			this.sync.tree(data);
			this.files.write(temporary.resolve("ready"), new TemplateMarker(this.backend, key));
			boolean published = publish(temporary, key);
			this.sync.directory(this.directory);
			return new PreparedTemplate(key, !published);
		}
		finally {
			if (Files.exists(temporary, LinkOption.NOFOLLOW_LINKS)) {
				this.trash.discard(temporary);
			}
		}
	}

	private boolean publish(Path temporary, String key) throws IOException {
		Path target = this.directory.resolve(key);
		try {
			Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
			return true;
		}
		catch (FileSystemException ex) {
			if (isReady(key)) {
				return false;
			}
			if (!(ex instanceof FileAlreadyExistsException || ex instanceof DirectoryNotEmptyException)
					&& !Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
				throw ex;
			}
			// Not made by us: ours appear with their marker.
			this.trash.discard(target);
			Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
			return true;
		}
	}

	/**
	 * Returns the keys of the templates that are ready.
	 * @return the keys, sorted
	 */
	public List<String> keys() {
		try {
			return StateDirectory.list(this.directory)
				.stream()
				.map((path) -> path.getFileName().toString())
				.filter((name) -> RandomIds.isHex64(name)
						&& Files.exists(this.directory.resolve(name).resolve("ready")))
				.sorted()
				.toList();
		}
		catch (IOException ex) {
			throw StorageFailures.io("The templates in '" + this.directory + "' could not be listed", ex);
		}
	}

	/**
	 * Checks that a template is there and is this backend's.
	 * @param key its key
	 * @return what is in it
	 */
	TemplateIndex require(String key) {
		try {
			if (!isReady(key)) {
				this.indexes.remove(key);
				throw StorageFailures.noTemplate(key);
			}
			SoftReference<TemplateIndex> known = this.indexes.get(key);
			TemplateIndex index = (known != null) ? known.get() : null;
			if (index == null) {
				index = TemplateIndex.scan(this.directory.resolve(key).resolve("data"));
				this.indexes.put(key, new SoftReference<>(index));
			}
			return index;
		}
		catch (IOException ex) {
			throw StorageFailures.io("Template '" + key + "' could not be read", ex);
		}
	}

	/**
	 * Whether a template is ready.
	 * @param key its key
	 * @return {@code false} if there is none
	 * @throws IOException if its marker cannot be read
	 */
	boolean isReady(String key) throws IOException {
		if (!RandomIds.isHex64(key)) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"A template key has 64 hexadecimal digits. Use the one that prewarming returned.");
		}
		try {
			TemplateMarker marker = JsonFiles.read(this.directory.resolve(key).resolve("ready"), TemplateMarker.class);
			if (marker == null) {
				return false;
			}
			if (!marker.backend().equals(this.backend) || !marker.key().equals(key)) {
				throw StorageFailures
					.mismatch("The marker of template '" + key + "' names another backend or template");
			}
			return true;
		}
		catch (JsonFiles.BrokenException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "The marker of template '" + key
					+ "' is damaged. Remove '" + this.directory.resolve(key) + "' and prewarm again.", ex);
		}
	}

	int collect() throws IOException {
		int collected = 0;
		for (Path template : StateDirectory.list(this.directory)) {
			if (!Files.exists(template.resolve("ready"), LinkOption.NOFOLLOW_LINKS)) {
				logger.info("Template directory '{}' has no marker and is removed", template);
				collected += (this.trash.discard(template)) ? 1 : 0;
			}
		}
		return collected;
	}

}
