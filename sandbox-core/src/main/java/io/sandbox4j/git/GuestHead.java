package io.sandbox4j.git;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import org.jspecify.annotations.Nullable;

/**
 * The commit that the agent's repository is at. Read as files, as no configuration has a
 * say then; a repository in any other form than that of a plain {@code .git} directory is
 * at none.
 */
final class GuestHead {

	private static final Pattern ID = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");

	private static final int MAX_BYTES = 4 << 20;

	private static final int MAX_STEPS = 5;

	private GuestHead() {
	}

	static boolean isId(String text) {
		return ID.matcher(text).matches();
	}

	static @Nullable String read(SandboxFiles files) {
		String name = "HEAD";
		for (int step = 0; step < MAX_STEPS; step++) {
			String value = text(files, name).strip();
			if (value.isEmpty()) {
				value = packed(files, name);
			}
			if (!value.startsWith("ref: refs/")) {
				return isId(value) ? value : null;
			}
			name = value.substring("ref: ".length()).strip();
		}
		return null;
	}

	// "ID NAME", see gitrepository-layout(5)
	private static String packed(SandboxFiles files, String name) {
		return text(files, "packed-refs").lines()
			.filter((line) -> line.endsWith(" " + name))
			.map((line) -> line.substring(0, line.length() - name.length() - 1))
			.findFirst()
			.orElse("");
	}

	private static String text(SandboxFiles files, String name) {
		try (InputStream content = files.open(".git/" + name)) {
			return new String(content.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
		}
		catch (IOException | SandboxException ex) {
			// Absent, a link, or no name that a file can have.
			return "";
		}
	}

}
