package io.sandbox4j.tools;

import java.nio.file.Path;

import io.sandbox4j.SandboxException;

/**
 * Keeps one output in a JVM of its own and prints its reference, or the code of the
 * failure.
 */
public final class ArtifactChild {

	static final String RESULT = "RESULT ";

	private ArtifactChild() {
	}

	public static void main(String[] args) {
		String result;
		try (FileArtifactStore store = FileArtifactStore.builder(Path.of(args[0])).build()) {
			result = store.put(args[1], new byte[Integer.parseInt(args[2])]);
		}
		catch (SandboxException ex) {
			result = ex.code().name();
		}
		System.out.println(RESULT + result);
	}

}
