package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.SortedMap;
import java.util.TreeMap;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxTemplate;
import org.jspecify.annotations.Nullable;

/**
 * What a template consists of, listed before anything is written. Not thread-safe.
 */
final class TemplateContent {

	private final SandboxTemplate template;

	private final StorageSettings limits;

	private final SortedMap<String, TemplateEntry> entries = new TreeMap<>();

	private long bytes;

	private int directories;

	private TemplateContent(SandboxTemplate template, StorageSettings limits) {
		this.template = template;
		this.limits = limits;
	}

	/**
	 * Lists a template.
	 * @param template the template
	 * @param limits how large it may be
	 * @return its content
	 * @throws SandboxException {@link ErrorCode#SANDBOX_LIMIT} if it is too large,
	 * {@link ErrorCode#SANDBOX_INVALID} if the directory does not exist or holds what
	 * cannot be copied
	 * @throws IOException if it cannot be read
	 */
	static TemplateContent list(SandboxTemplate template, StorageSettings limits) throws IOException {
		TemplateContent content = new TemplateContent(template, limits);
		Path directory = template.directory();
		if (directory != null) {
			content.addTree(directory);
		}
		content.addFiles();
		return content;
	}

	SortedMap<String, TemplateEntry> entries() {
		return this.entries;
	}

	private void addTree(Path directory) throws IOException {
		if (!Files.isDirectory(directory)) {
			throw invalid("names the directory '" + directory + "', which does not exist or is none");
		}
		Path root = directory.toRealPath();
		Files.walkFileTree(root, EnumSet.noneOf(FileVisitOption.class), Integer.MAX_VALUE, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
				add(text(root.relativize(file)), file, attributes);
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
				if (!visited.equals(root)) {
					TemplateContent.this.directories++;
					checkCount();
				}
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
				if (failure != null) {
					throw failure;
				}
				String path = text(root.relativize(visited));
				if (!visited.equals(root) && isEmpty(path)) {
					TemplateContent.this.directories--;
					put(path, TemplateEntry.directory());
				}
				return FileVisitResult.CONTINUE;
			}

		});
	}

	private String text(Path path) {
		String text = FileNames.textOf(path);
		if (text == null) {
			throw invalid("has '" + path + "', whose name or target is not UTF-8");
		}
		return text;
	}

	private boolean isEmpty(String path) {
		SortedMap<String, TemplateEntry> below = this.entries.tailMap(path + "/");
		return below.isEmpty() || !below.firstKey().startsWith(path + "/");
	}

	private void add(String path, Path file, BasicFileAttributes attributes) throws IOException {
		if (attributes.isSymbolicLink()) {
			put(path, TemplateEntry.link(text(Files.readSymbolicLink(file))));
			return;
		}
		if (!attributes.isRegularFile()) {
			throw invalid("has '" + path + "', which is a FIFO, a socket or a device");
		}
		boolean executable = ((PosixFileAttributes) posix(file, attributes)).permissions()
			.contains(PosixFilePermission.OWNER_EXECUTE);
		put(path, TemplateEntry.file(file, executable, attributes.size()));
	}

	private static BasicFileAttributes posix(Path file, BasicFileAttributes attributes) throws IOException {
		return (attributes instanceof PosixFileAttributes) ? attributes
				: Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
	}

	private void addFiles() {
		this.template.files().forEach((path, content) -> {
			TemplateEntry before = this.entries.get(path);
			if (!isEmpty(path) || (before != null && before.kind() == TemplateEntry.Kind.DIRECTORY)) {
				throw invalid("has '" + path + "' as a file and as a directory");
			}
			for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
				String parent = path.substring(0, slash);
				TemplateEntry above = this.entries.get(parent);
				if (above != null && above.kind() == TemplateEntry.Kind.DIRECTORY) {
					this.entries.remove(parent);
				}
				else if (above != null) {
					throw invalid("has '" + parent + "' as a file or link and as a directory");
				}
			}
			put(path, TemplateEntry.of(content, content.bytes().length));
		});
	}

	private void put(String path, TemplateEntry entry) {
		TemplateEntry replaced = this.entries.put(path, entry);
		this.bytes += entry.size() - ((replaced != null) ? replaced.size() : 0);
		checkBytes(this.bytes);
		checkCount();
	}

	private void checkCount() {
		if (this.entries.size() + this.directories > this.limits.maxTemplateFiles()) {
			throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "Template '" + this.template.name() + "' has more than "
					+ this.limits.maxTemplateFiles()
					+ " files and directories. Remove what a workspace does not need, or raise 'sandbox.storage.max-template-files'.");
		}
	}

	/**
	 * Checks a size against the limit; also while copying, as files may grow.
	 * @param total the size of all files
	 */
	void checkBytes(long total) {
		if (total > this.limits.maxTemplateBytes()) {
			throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "Template '" + this.template.name() + "' has more than "
					+ this.limits.maxTemplateBytes()
					+ " bytes. Remove what a workspace does not need, or raise 'sandbox.storage.max-template-size'.");
		}
	}

	private SandboxException invalid(String what) {
		return new SandboxException(ErrorCode.SANDBOX_INVALID, "Template '" + this.template.name() + "' " + what
				+ ". A template has regular files, directories and symbolic links.");
	}

}
