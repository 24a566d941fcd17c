package io.sandbox4j.tools;

import java.util.Collection;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;

/**
 * Denies what globs name, and all that is below. Other than for a model's glob, a
 * character that has a meaning elsewhere is refused: read as itself it would deny less
 * than whoever wrote it believes.
 */
final class DeniedGlobs implements PathAuthorization {

	private static final String SPECIAL_ELSEWHERE = "[]{}";

	private final List<Glob> globs;

	DeniedGlobs(Collection<String> globs) {
		this.globs = globs.stream().map(DeniedGlobs::glob).toList();
	}

	private static Glob glob(String text) {
		if (text.startsWith("!")) {
			throw refused("The denied path '" + text + "' starts with '!'. There are no exceptions; leave it out.");
		}
		if (!text.equals(text.strip())) {
			throw refused("The denied path '" + text + "' starts or ends with a space. Remove it, or use '?' for it.");
		}
		if (text.chars().anyMatch((character) -> SPECIAL_ELSEWHERE.indexOf(character) >= 0)) {
			throw refused("The denied path '" + text
					+ "' has a bracket or brace. Name each alternative by itself; use '?' for such a character.");
		}
		for (String segment : text.split("/", -1)) {
			if (segment.contains("**") && !segment.equals("**")) {
				throw refused("The denied path '" + text + "' has '**' inside a name. Write '**/' before the name.");
			}
		}
		try {
			return Glob.parse(text);
		}
		catch (IllegalArgumentException ex) {
			throw refused("A denied path is no glob. " + ex.getMessage());
		}
	}

	private static SandboxException refused(String message) {
		return new SandboxException(ErrorCode.SANDBOX_INVALID, message);
	}

	@Override
	public boolean allows(WorkspacePath path) {
		return this.globs.stream().noneMatch((glob) -> names(glob, path));
	}

	private static boolean names(Glob glob, WorkspacePath path) {
		long states = glob.start();
		for (String name : path.segments()) {
			if (glob.accepts(states)) {
				return true;
			}
			states = glob.step(states, name);
		}
		return glob.accepts(states);
	}

}
