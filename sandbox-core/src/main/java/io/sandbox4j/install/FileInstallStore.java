package io.sandbox4j.install;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Entries as files: a directory for each session, one in it for each directory of the
 * workspace, and there a file for each generation. Its name is taken by a hard link,
 * which fails if somebody was first, so no lock is needed and a crash leaves whole files
 * only. The name of a generation is never free again, or a writer that slept could take
 * it a second time: what is superseded stays as an empty file.
 */
final class FileInstallStore implements InstallStore {

	private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY_MODE = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

	private static final FileAttribute<Set<PosixFilePermission>> FILE_MODE = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

	private static final Set<StandardOpenOption> NEW_FILE = Set.of(StandardOpenOption.CREATE_NEW,
			StandardOpenOption.WRITE);

	private static final Set<PosixFilePermission> WRITABLE = Set.of(PosixFilePermission.GROUP_WRITE,
			PosixFilePermission.OTHERS_WRITE);

	private static final Pattern GENERATION = Pattern.compile("([1-9][0-9]{0,17})\\.json");

	private static final int MAX_BYTES = 8 * MAX_DOCUMENT;

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private final Path directory;

	private FileInstallStore(Path directory) {
		this.directory = directory;
	}

	static FileInstallStore open(Path directory) {
		try {
			Files.createDirectories(directory, DIRECTORY_MODE);
			Path real = directory.toRealPath();
			if (Files.getPosixFilePermissions(real).stream().anyMatch(WRITABLE::contains)) {
				throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, "The directory of installs '" + directory
						+ "' can be written by others. Run 'chmod go-w' on it.");
			}
			return new FileInstallStore(real);
		}
		catch (IOException | UnsupportedOperationException ex) {
			throw failed("made or opened", ex);
		}
	}

	@Override
	public @Nullable Entry load(InstallKey key) {
		try {
			return newest(entry(key));
		}
		catch (IOException ex) {
			throw failed("read", ex);
		}
	}

	@Override
	public List<Entry> list(String sessionId) {
		List<Entry> entries = new ArrayList<>();
		try {
			for (Path directory : children(session(sessionId))) {
				Entry entry = newest(directory);
				if (entry != null) {
					entries.add(entry);
				}
			}
			return entries;
		}
		catch (IOException ex) {
			throw failed("read", ex);
		}
	}

	@Override
	public boolean replace(InstallKey key, long generation, String document) {
		requireShort(document);
		Path entry = entry(key);
		try {
			if (latest(entry) != generation) {
				return false;
			}
			Files.createDirectories(entry, DIRECTORY_MODE);
			return link(key, entry, generation + 1, document);
		}
		catch (IOException ex) {
			throw failed("written", ex);
		}
	}

	private boolean link(InstallKey key, Path entry, long generation, String document) throws IOException {
		Path temporary = entry.resolve(UUID.randomUUID() + ".tmp");
		try {
			byte[] content = MAPPER.writeValueAsBytes(new Content(key.sessionId(), key.directory(), document));
			try (FileChannel file = FileChannel.open(temporary, NEW_FILE, FILE_MODE)) {
				for (ByteBuffer left = ByteBuffer.wrap(content); left.hasRemaining();) {
					file.write(left);
				}
				file.force(true);
			}
			Files.createLink(file(entry, generation), temporary);
			// The one before is emptied, so a power failure must not take this one back.
			flush(entry);
		}
		catch (FileAlreadyExistsException ex) {
			return false;
		}
		finally {
			Files.deleteIfExists(temporary);
		}
		if (generation > 1) {
			empty(file(entry, generation - 1));
		}
		return true;
	}

	private static void flush(Path directory) throws IOException {
		try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
			channel.force(true);
		}
	}

	// The new entry is there already, whatever becomes of the old one.
	private static void empty(Path file) {
		try {
			Files.write(file, new byte[0], StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
		}
		catch (IOException ex) {
			return;
		}
	}

	private @Nullable Entry newest(Path entry) throws IOException {
		while (true) {
			long generation = latest(entry);
			if (generation == 0) {
				return null;
			}
			byte[] bytes = read(file(entry, generation));
			try {
				return entry(entry, generation, bytes);
			}
			catch (IOException ex) {
				// Read while somebody superseded it and emptied it, unless it is the
				// last.
				if (latest(entry) == generation) {
					throw ex;
				}
			}
		}
	}

	private Entry entry(Path directory, long generation, byte[] bytes) throws IOException {
		try {
			Content content = MAPPER.readValue(bytes, Content.class);
			InstallKey key = new InstallKey(content.sessionId(), content.directory());
			if (entry(key).equals(directory)) {
				return new Entry(key, generation, content.document());
			}
		}
		catch (JacksonException | IllegalArgumentException | NullPointerException | SandboxException ex) {
			throw new IOException("An entry is damaged", ex);
		}
		throw new IOException("An entry is at the place of another");
	}

	private static byte[] read(Path file) throws IOException {
		// A FIFO would block the open for ever.
		if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
			return new byte[0];
		}
		try (InputStream content = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
			return content.readNBytes(MAX_BYTES);
		}
		catch (NoSuchFileException ex) {
			return new byte[0];
		}
	}

	private static long latest(Path entry) throws IOException {
		long latest = 0;
		for (Path file : children(entry)) {
			Matcher name = GENERATION.matcher(file.getFileName().toString());
			if (name.matches()) {
				latest = Math.max(latest, Long.parseLong(name.group(1)));
			}
		}
		return latest;
	}

	private static List<Path> children(Path directory) throws IOException {
		List<Path> children = new ArrayList<>();
		try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
			entries.forEach(children::add);
		}
		catch (NoSuchFileException ex) {
			return List.of();
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		return children;
	}

	@Override
	public void removeSession(String sessionId) {
		Path session = session(sessionId);
		try {
			for (Path entry : children(session)) {
				for (Path file : children(entry)) {
					Files.deleteIfExists(file);
				}
				Files.deleteIfExists(entry);
			}
			Files.deleteIfExists(session);
		}
		catch (IOException ex) {
			throw failed("removed", ex);
		}
	}

	private static Path file(Path entry, long generation) {
		return entry.resolve(generation + ".json");
	}

	private Path entry(InstallKey key) {
		return session(key.sessionId()).resolve(name(key.directory()));
	}

	private Path session(String sessionId) {
		return this.directory.resolve(name(sessionId));
	}

	// Ids of other backends may be anything, and directories too.
	private static String name(String text) {
		return HexFormat.of().formatHex(Fingerprint.sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
	}

	static void requireShort(String document) {
		if (document.length() > MAX_DOCUMENT) {
			throw new IllegalArgumentException("'document' must have at most " + MAX_DOCUMENT + " characters");
		}
	}

	private static SandboxException failed(String what, Exception cause) {
		return new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
				"The directory of installs cannot be " + what + ". Its files and its disk need a look.", cause);
	}

	/**
	 * What a file holds.
	 *
	 * @param sessionId the session
	 * @param directory the directory of the workspace
	 * @param document the document
	 */
	record Content(String sessionId, String directory, String document) {

	}

}
