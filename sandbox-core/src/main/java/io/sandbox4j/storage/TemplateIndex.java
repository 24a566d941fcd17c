package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;

/**
 * What is in a stored template: it never changes, and not asking the file system again
 * for each session saves a fifth of a copy. Immutable.
 *
 * @param root where the template's data is
 * @param top its top directory
 */
record TemplateIndex(Path root, Directory top) {

	static TemplateIndex scan(Path root) throws IOException {
		return new TemplateIndex(root, scan(Path.of(""), root));
	}

	private static Directory scan(Path name, Path path) throws IOException {
		List<Directory> directories = new ArrayList<>();
		List<File> files = new ArrayList<>();
		List<Link> links = new ArrayList<>();
		for (Path entry : StateDirectory.list(path)) {
			PosixFileAttributes attributes = Files.readAttributes(entry, PosixFileAttributes.class,
					LinkOption.NOFOLLOW_LINKS);
			Path child = entry.getFileName();
			if (attributes.isDirectory()) {
				directories.add(scan(child, entry));
			}
			else if (attributes.isSymbolicLink()) {
				links.add(new Link(child, Files.readSymbolicLink(entry)));
			}
			else if (attributes.isRegularFile()) {
				files.add(new File(child, attributes.size(),
						attributes.permissions().contains(PosixFilePermission.OWNER_EXECUTE)));
			}
			else {
				throw new IOException("'" + entry + "' is no file, directory or link");
			}
		}
		return new Directory(name, List.copyOf(directories), List.copyOf(files), List.copyOf(links));
	}

	/**
	 * A directory.
	 *
	 * @param name its name, as the bytes that the kernel knows; empty for the top
	 * @param directories the directories in it
	 * @param files the files in it
	 * @param links the links in it
	 */
	record Directory(Path name, List<Directory> directories, List<File> files, List<Link> links) {

	}

	/**
	 * A file.
	 *
	 * @param name its name
	 * @param size its size
	 * @param executable whether its owner may execute it
	 */
	record File(Path name, long size, boolean executable) {

	}

	/**
	 * A symbolic link.
	 *
	 * @param name its name
	 * @param target where it points
	 */
	record Link(Path name, Path target) {

	}

}
