package io.sandbox4j.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Set;

import io.sandbox4j.SandboxTemplate;
import org.jspecify.annotations.Nullable;

/**
 * Digests the content of a template, and writes it while doing so. Not thread-safe.
 */
final class TemplateBuild {

	private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_DIRECTORY = PosixFilePermissions
		.asFileAttribute(Directories.PRIVATE);

	private static final Set<PosixFilePermission> PRIVATE_FILE_MODE = PosixFilePermissions.fromString("rw-------");

	private final String backend;

	private final SandboxTemplate template;

	private final TemplateContent content;

	private final byte[] buffer = new byte[64 * 1024];

	private long total;

	TemplateBuild(String backend, SandboxTemplate template, TemplateContent content) {
		this.backend = backend;
		this.template = template;
		this.content = content;
	}

	/**
	 * Digests the content where it is.
	 * @return the key
	 * @throws IOException if it cannot be read
	 */
	String digest() throws IOException {
		return process(null);
	}

	/**
	 * Writes the content.
	 * @param data an empty directory
	 * @return the key of what was written, even if the source changed meanwhile
	 * @throws IOException if it cannot be read or written
	 */
	String write(Path data) throws IOException {
		return process(data);
	}

	private String process(@Nullable Path data) throws IOException {
		TemplateKey key = new TemplateKey(this.backend, this.template.name());
		this.total = 0;
		for (Map.Entry<String, TemplateEntry> item : this.content.entries().entrySet()) {
			Path target = (data != null) ? data.resolve(FileNames.pathOf(item.getKey())) : null;
			key.add(item.getKey(), item.getValue(), process(item.getValue(), target));
		}
		return key.hex();
	}

	private byte[] process(TemplateEntry entry, @Nullable Path target) throws IOException {
		if (target != null) {
			Path parent = target.getParent();
			if (parent != null && !Files.isDirectory(parent)) {
				Files.createDirectories(parent, PRIVATE_DIRECTORY);
			}
		}
		switch (entry.kind()) {
			case LINK -> {
				if (target != null) {
					Files.createSymbolicLink(target, FileNames.pathOf(entry.target()));
				}
			}
			case DIRECTORY -> {
				if (target != null) {
					Files.createDirectories(target, PRIVATE_DIRECTORY);
				}
			}
			default -> {
				return copy(entry, target);
			}
		}
		return new byte[0];
	}

	private byte[] copy(TemplateEntry entry, @Nullable Path target) throws IOException {
		try (InputStream in = open(entry)) {
			if (target == null) {
				return transfer(in, null);
			}
			Files.createFile(target, PosixFilePermissions.asFileAttribute(
					(entry.kind() == TemplateEntry.Kind.EXECUTABLE) ? Directories.PRIVATE : PRIVATE_FILE_MODE));
			try (OutputStream out = Files.newOutputStream(target, StandardOpenOption.WRITE)) {
				return transfer(in, out);
			}
		}
	}

	private static InputStream open(TemplateEntry entry) throws IOException {
		SandboxTemplate.Content content = entry.content();
		if (content != null) {
			return new ByteArrayInputStream(content.bytes());
		}
		Path source = entry.source();
		if (source == null) {
			throw new IllegalStateException("A file has content or a source");
		}
		return Files.newInputStream(source, LinkOption.NOFOLLOW_LINKS);
	}

	private byte[] transfer(InputStream in, @Nullable OutputStream out) throws IOException {
		MessageDigest digest = StateDirectory.sha256();
		for (int read = in.read(this.buffer); read >= 0; read = in.read(this.buffer)) {
			this.total += read;
			this.content.checkBytes(this.total);
			digest.update(this.buffer, 0, read);
			if (out != null) {
				out.write(this.buffer, 0, read);
			}
		}
		return digest.digest();
	}

}
