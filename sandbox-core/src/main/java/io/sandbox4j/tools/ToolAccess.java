package io.sandbox4j.tools;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * What every tool asks before it does anything: is the path one, may it be touched, what
 * is there, may the call be made. The one place that decides; it fails closed.
 */
final class ToolAccess {

	private static final int MAX_NEAR_NAMES = 5;

	private final SandboxSession session;

	private final ToolAuthorization authorization;

	private final PathAuthorization paths;

	private final ToolLimits limits;

	ToolAccess(SandboxSession session, ToolAuthorization authorization, PathAuthorization paths, ToolLimits limits) {
		this.session = session;
		this.authorization = authorization;
		this.paths = paths;
		this.limits = limits;
	}

	SandboxSession session() {
		return this.session;
	}

	SandboxFiles files() {
		return this.session.files();
	}

	ToolLimits limits() {
		return this.limits;
	}

	/**
	 * Parses a path and asks whether it may be touched.
	 * @param text what the model wrote
	 * @return the path
	 * @throws Refusal if it is no path of the workspace, or may not
	 */
	WorkspacePath path(String text) {
		if (text.getBytes(StandardCharsets.UTF_8).length > this.limits.pathBytes()) {
			throw Refusal.badRequest("The path is longer than " + this.limits.pathBytes() + " bytes.",
					"Use a shorter path.");
		}
		WorkspacePath path;
		try {
			path = WorkspacePath.parse(text);
		}
		catch (SandboxException ex) {
			String message = String.valueOf(ex.getMessage());
			String hint = "Use a path relative to the workspace, such as 'src/app.py', with '/' between names.";
			throw (text.isEmpty() || text.startsWith("/")) ? Refusal.badRequest(message, hint)
					: Refusal.forbidden(message, hint);
		}
		requireActive();
		requireAllowed(path);
		return path;
	}

	WorkspacePath pathBelowRoot(String text) {
		WorkspacePath path = path(text);
		if (path.isRoot()) {
			throw Refusal.badRequest("The workspace itself is no file.", "Name a file or directory in it.");
		}
		return path;
	}

	private void requireAllowed(WorkspacePath path) {
		if (path.isRoot() && !allows(path)) {
			throw denied(path);
		}
		for (int i = 1; i <= path.segments().size(); i++) {
			WorkspacePath way = new WorkspacePath(path.segments().subList(0, i));
			if (!allows(way)) {
				throw denied(path);
			}
		}
	}

	/**
	 * Asks for everything in a directory. A name-based policy must not be escaped by
	 * moving what it denies to where it does not, with the directory that it is in.
	 * @param directory the directory as it is called now
	 * @param target what it will be called
	 * @throws Refusal if something in it may not be touched under either name, or there
	 * is too much to ask for
	 */
	void requireAllowedBelow(WorkspacePath directory, WorkspacePath target) {
		int depth = directory.segments().size();
		for (FileEntry entry : files().walk(directory.toString(), Integer.MAX_VALUE)) {
			List<String> names = new ArrayList<>(target.segments());
			names.addAll(entry.path().segments().subList(depth, entry.path().segments().size()));
			if (!allows(entry.path()) || !allows(new WorkspacePath(names))) {
				throw denied(entry.path());
			}
		}
	}

	// Only the entry: a walk has asked for the directories already, and whether the
	// session lives is asked by each access to a file.
	boolean allows(WorkspacePath path) {
		return this.paths.allows(path);
	}

	private static Refusal denied(WorkspacePath path) {
		return Refusal.forbidden("Access to '" + path.relative() + "' is not allowed.", "Use other files.")
			.with("path", path.relative());
	}

	/**
	 * Asks whether the call may be made.
	 * @param request what is about to happen
	 * @throws Refusal if it may not
	 */
	void authorize(ToolRequest request) {
		if (!isAuthorized(request)) {
			throw Refusal.forbidden("This call was not authorized.",
					"Do not repeat it; ask the user, or go on without it.");
		}
		// What is allowed is allowed to a living session only.
		requireActive();
	}

	private boolean isAuthorized(ToolRequest request) {
		try {
			return this.authorization.authorize(request, this.session);
		}
		catch (ToolRefusedException ex) {
			// That the session ended is more than why it was waited in vain.
			requireActive();
			throw new Refusal(ex.code(), String.valueOf(ex.getMessage()), ex.hint());
		}
	}

	private void requireActive() {
		try {
			this.session.files().stat(".");
		}
		catch (SandboxException ex) {
			throw Refusal.of(ex);
		}
	}

	/**
	 * Looks at an entry and at every directory on the way.
	 * @param path the entry
	 * @return the entry, or {@code null} if it or a directory is absent
	 * @throws Refusal if there is a link, or a directory is none
	 */
	@Nullable FileEntry find(WorkspacePath path) {
		FileEntry entry = null;
		int depth = path.segments().size();
		for (int i = Math.min(1, depth); i <= depth; i++) {
			WorkspacePath way = new WorkspacePath(path.segments().subList(0, i));
			entry = stat(way);
			if (entry == null) {
				return null;
			}
			if (entry.type() == FileType.SYMLINK) {
				throw Refusal
					.forbidden("'" + way.relative() + "' is a symbolic link; links are not followed.",
							"Use the path of the file itself, if it is in the workspace.")
					.with("path", way.relative());
			}
			if (i < depth && entry.type() != FileType.DIRECTORY) {
				throw Refusal.badRequest("'" + way.relative() + "' is not a directory.", "Correct the path.")
					.with("path", way.relative());
			}
		}
		return entry;
	}

	private @Nullable FileEntry stat(WorkspacePath path) {
		try {
			return files().stat(path.toString());
		}
		catch (SandboxException ex) {
			if (ex.code() == ErrorCode.SANDBOX_NOT_FOUND) {
				return null;
			}
			throw ex;
		}
	}

	FileEntry file(WorkspacePath path) {
		FileEntry entry = existing(path);
		if (entry.type() != FileType.FILE) {
			String what = (entry.type() == FileType.DIRECTORY) ? "a directory"
					: "a named pipe, socket or device, not a regular file";
			throw Refusal
				.badRequest("'" + path.relative() + "' is " + what + ".",
						(entry.type() == FileType.DIRECTORY) ? "Use list_directory." : "Use another file.")
				.with("path", path.relative());
		}
		return entry;
	}

	FileEntry directory(WorkspacePath path) {
		FileEntry entry = existing(path);
		if (entry.type() != FileType.DIRECTORY) {
			throw Refusal.badRequest("'" + path.relative() + "' is not a directory.", "Name a directory.")
				.with("path", path.relative());
		}
		return entry;
	}

	FileEntry existing(WorkspacePath path) {
		FileEntry entry = find(path);
		if (entry == null) {
			Refusal refusal = Refusal
				.notFound("'" + path.relative() + "' does not exist.", "List its directory to see what is there.")
				.with("path", path.relative());
			List<String> near = nearNames(path);
			throw near.isEmpty() ? refusal : refusal.with("similar", near);
		}
		return entry;
	}

	// Names that differ in case or in Unicode form only, which look the same to a model.
	private List<String> nearNames(WorkspacePath path) {
		List<String> near = new ArrayList<>();
		int last = path.segments().size() - 1;
		WorkspacePath parent = new WorkspacePath(path.segments().subList(0, last));
		try {
			for (FileEntry sibling : files().list(parent.toString())) {
				String name = sibling.path().segments().get(last);
				if (near.size() < MAX_NEAR_NAMES && folded(name).equals(folded(path.segments().get(last)))
						&& this.paths.allows(sibling.path())) {
					near.add(sibling.path().relative());
				}
			}
		}
		catch (SandboxException ex) {
			// The parent is absent too, or too large to be looked through.
			return List.of();
		}
		return near;
	}

	private static String folded(String name) {
		return Normalizer.normalize(name, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
	}

}
