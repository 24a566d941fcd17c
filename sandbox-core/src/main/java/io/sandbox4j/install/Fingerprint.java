package io.sandbox4j.install;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * What an install was made of: the command, and the names and contents of its files. Each
 * part has its length before it, so that no two lists of parts read the same.
 */
final class Fingerprint {

	static final int MAX_FILE = 64 << 20;

	private static final int MAX_TEXT = 1 << 20;

	// What the manager reads further files for, whose changes nobody would see.
	private static final Pattern REQUIREMENTS = Pattern
		.compile("(?m)^\\s*(-[rce]|--(requirement|constraint|editable)\\b|\\.|/|file:)" + "|@\\s*file:");

	private static final Pattern SUBPROJECTS = Pattern.compile("\\b(include|includeBuild|includeFlat|apply)\\b");

	private static final Map<String, Pattern> FURTHER_FILES = Map.of("requirements.txt", REQUIREMENTS,
			"constraints.txt", REQUIREMENTS, "pom.xml", Pattern.compile("<(module|relativePath)>"), "settings.gradle",
			SUBPROJECTS, "settings.gradle.kts", SUBPROJECTS, "build.gradle", SUBPROJECTS, "build.gradle.kts",
			SUBPROJECTS);

	private Fingerprint() {
	}

	/**
	 * Computes the fingerprint.
	 * @param files the workspace's files
	 * @param directory the directory
	 * @param command the command
	 * @param names the files that count
	 * @return the SHA-256 in hexadecimal digits, or {@code null} if none of the files is
	 * there, or one is a link, too large, or names further files: such an install is
	 * never skipped
	 */
	static @Nullable String of(SandboxFiles files, WorkspacePath directory, String command, List<String> names) {
		MessageDigest digest = sha256();
		update(digest, command.getBytes(StandardCharsets.UTF_8));
		boolean found = false;
		for (String name : names) {
			try {
				WorkspacePath path = PlanResolver.path(directory, name);
				if (!files.exists(path.toString())) {
					continue;
				}
				byte[] content = digest(files, name, path.toString());
				if (content == null) {
					return null;
				}
				update(digest, name.getBytes(StandardCharsets.UTF_8));
				update(digest, content);
				found = true;
			}
			catch (SandboxException ex) {
				if (ex.code() != ErrorCode.SANDBOX_PATH && ex.code() != ErrorCode.SANDBOX_NOT_FOUND) {
					throw ex;
				}
				return null;
			}
		}
		return found ? HexFormat.of().formatHex(digest.digest()) : null;
	}

	private static byte @Nullable [] digest(SandboxFiles files, String name, String path) {
		if (files.stat(path).type() != FileType.FILE) {
			return null;
		}
		Pattern further = FURTHER_FILES.get(name);
		MessageDigest digest = sha256();
		try (InputStream content = files.open(path)) {
			if (further != null) {
				byte[] whole = content.readNBytes(MAX_TEXT + 1);
				boolean alone = whole.length <= MAX_TEXT
						&& !further.matcher(new String(whole, StandardCharsets.UTF_8)).find();
				return alone ? digest.digest(whole) : null;
			}
			return digest(content, digest);
		}
		catch (IOException ex) {
			return null;
		}
	}

	private static byte @Nullable [] digest(InputStream content, MessageDigest digest) throws IOException {
		byte[] buffer = new byte[65_536];
		long left = MAX_FILE;
		for (int count = content.read(buffer); count >= 0; count = content.read(buffer)) {
			left -= count;
			if (left < 0) {
				return null;
			}
			digest.update(buffer, 0, count);
		}
		return digest.digest();
	}

	private static void update(MessageDigest digest, byte[] part) {
		digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
		digest.update(part);
	}

	static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
