package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import io.sandbox4j.storage.FileOwner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The guest's {@code /etc}: a small directory of its own, made once for each backend, so
 * that nothing of the host's configuration is visible but what programs cannot do
 * without. What is copied is public on every Linux; unreadable files are left out.
 */
final class GuestEtc {

	/**
	 * Where the host's resolver configuration is mounted when the guest has the host's
	 * network. Empty otherwise, so that names fail to resolve at once.
	 */
	static final String RESOLVER = "resolv.conf";

	private static final Logger logger = LoggerFactory.getLogger(GuestEtc.class);

	/**
	 * Public certificates, mounted when the guest has the host's network: OpenSSL looks
	 * them up one by one. Without a network the bundles are enough.
	 */
	static final String CERTIFICATES = "ssl/certs";

	private static final List<String> COPIED_FILES = List.of("ld.so.cache", "localtime", "mime.types", "protocols",
			"services", "os-release", "debian_version", "ssl/openssl.cnf", "ssl/certs/ca-certificates.crt",
			"ssl/certs/java/cacerts", "pki/tls/certs/ca-bundle.crt", "pki/java/cacerts");

	/**
	 * Directories without which programs of {@code /usr} do not start: links of Debian's
	 * alternatives, and what the JDK's own configuration links to.
	 */
	private static final List<String> COPIED_TREES = List.of("alternatives", "java-17-openjdk", "java-21-openjdk",
			"java-25-openjdk");

	private GuestEtc() {
	}

	/**
	 * Makes the directory.
	 * @param target the directory, which does not exist
	 * @param root the root file system that programs come from
	 * @param user the guest's user
	 */
	static void create(Path target, Path root, FileOwner user) throws IOException {
		Files.createDirectory(target);
		Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
		Path source = root.resolve("etc");
		makeDirectories(target.resolve(CERTIFICATES));
		for (String name : COPIED_FILES) {
			copyFile(root, source.resolve(name), target.resolve(name));
		}
		for (String name : COPIED_TREES) {
			copyTree(root, source.resolve(name), target.resolve(name));
		}
		write(target.resolve("passwd"), "root:x:0:0:root:/:/usr/sbin/nologin\nsandbox:x:" + user.uid() + ":"
				+ user.gid() + ":sandbox:/workspace:/bin/sh\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n");
		write(target.resolve("group"), "root:x:0:\nsandbox:x:" + user.gid() + ":\nnogroup:x:65534:\n");
		write(target.resolve("hosts"), "127.0.0.1 localhost sandbox\n::1 localhost\n");
		write(target.resolve("nsswitch.conf"), "passwd: files\ngroup: files\nhosts: files dns\n");
		write(target.resolve(RESOLVER), "");
		Path fetch = target.resolve(NodeFetch.FILE);
		makeDirectories(fetch.resolveSibling("").normalize());
		write(fetch, NodeFetch.SCRIPT);
	}

	private static void write(Path file, String text) throws IOException {
		Files.writeString(file, text);
		Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
	}

	private static void copyTree(Path root, Path source, Path target) throws IOException {
		if (!Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
			return;
		}
		Files.walkFileTree(source, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
					throws IOException {
				makeDirectories(target.resolve(source.relativize(directory)));
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
				Path copy = target.resolve(source.relativize(file));
				if (attributes.isSymbolicLink()) {
					copyLink(file, copy);
				}
				else {
					copyFile(root, file, copy);
				}
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFileFailed(Path file, IOException ex) {
				logger.debug("Left {} out of the guest's /etc", file, ex);
				return FileVisitResult.CONTINUE;
			}

		});
	}

	private static void copyLink(Path source, Path target) throws IOException {
		Path points = Files.readSymbolicLink(source);
		// Half of the alternatives are manual pages, which no guest reads.
		if (!points.toString().endsWith(".gz")) {
			Files.createSymbolicLink(target, points);
		}
	}

	private static void makeDirectories(Path directory) throws IOException {
		Path parent = directory.getParent();
		if (parent != null && !Files.exists(directory)) {
			makeDirectories(parent);
			Files.createDirectory(directory);
			Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		}
	}

	private static void copyFile(Path root, Path source, Path target) throws IOException {
		// A link of another root file system leads into the host's: what it names there
		// is not
		// what the guest should read.
		if (Files.isRegularFile(source) && Files.isReadable(source)
				&& source.toRealPath().startsWith(root.toRealPath())) {
			makeDirectories(target.resolveSibling("").normalize());
			Files.copy(source, target);
			Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r--r--"));
		}
	}

}
