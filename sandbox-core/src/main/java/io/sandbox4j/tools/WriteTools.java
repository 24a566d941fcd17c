package io.sandbox4j.tools;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code write_file}, {@code append_file}, {@code edit_file}, {@code move_path} and
 * {@code remove_path}. Calls for one path wait for each other, so none undoes what
 * another did in between.
 */
final class WriteTools {

	private final ToolAccess access;

	private final PathLocks locks = new PathLocks();

	WriteTools(ToolAccess access) {
		this.access = access;
	}

	List<SandboxTool> tools() {
		int most = this.access.limits().writeBytes();
		Parameter path = Parameter.required("path", Parameter.Type.TEXT, "The file, relative to the workspace.");
		return List.of(
				new DescribedTool("write_file", "Writes a whole text file of at most " + most
						+ " bytes, exactly as given, and makes its directories. An existing file is replaced only "
						+ "with overwrite = true, and keeps its mode. To change a part use edit_file.",
						List.of(path, Parameter.required("content", Parameter.Type.TEXT, "The whole text."),
								Parameter.optional("overwrite", Parameter.Type.FLAG,
										"Whether an existing file is replaced. Default false.")),
						(arguments, output) -> locked(arguments, (file) -> write(file, arguments, output))),
				new DescribedTool("append_file",
						"Appends text to the end of a file, exactly as given. The file is made if it is absent. It may "
								+ "become " + most + " bytes long.",
						List.of(path, Parameter.required("content", Parameter.Type.TEXT, "The text to append.")),
						(arguments, output) -> locked(arguments, (file) -> append(file, arguments, output))),
				new DescribedTool("edit_file", "Replaces text in a file of at most " + most
						+ " bytes. oldText must occur exactly once, unless replaceAll is true; copy it from the "
						+ "file without line numbers. Both texts are literal. Line ends and a byte order mark "
						+ "stay. For several changes give edits instead: all are made, in order, or none.",
						List.of(path, Parameter.optional("oldText", Parameter.Type.TEXT, "The text to replace."),
								Parameter.optional("newText", Parameter.Type.TEXT, "What comes in its place."),
								Parameter.optional("replaceAll", Parameter.Type.FLAG,
										"Whether every occurrence is replaced. Default false."),
								Parameter.optional("edits", Parameter.Type.EDITS, "Several edits, instead of one."),
								Parameter.optional("expectedSha256", Parameter.Type.TEXT,
										"The sha256 that the file must have, as read_file says."),
								Parameter.optional("dryRun", Parameter.Type.FLAG,
										"Whether nothing is written. Default false.")),
						(arguments, output) -> locked(arguments, (file) -> edit(file, arguments, output))),
				new DescribedTool("move_path",
						"Moves or renames a file or directory. A file at the target is replaced only with "
								+ "overwrite = true, a directory never.",
						List.of(path, Parameter.required("target", Parameter.Type.TEXT, "The new path."),
								Parameter.optional("overwrite", Parameter.Type.FLAG,
										"Whether a file at the target is replaced. Default false.")),
						this::move),
				new DescribedTool("remove_path",
						"Removes a file or a symbolic link, not its target. A directory is removed with all that is in "
								+ "it, only with recursive = true.",
						List.of(path,
								Parameter.optional("recursive", Parameter.Type.FLAG,
										"Whether a directory is removed. Default false.")),
						(arguments, output) -> locked(arguments, (file) -> remove(file, arguments, output))));
	}

	private void locked(Arguments arguments, FileAction action) throws Exception {
		WorkspacePath path = this.access.pathBelowRoot(arguments.text("path", ""));
		PathLocks.Held held = this.locks.lock(path);
		try {
			action.on(path);
		}
		finally {
			held.release();
		}
	}

	private void write(WorkspacePath path, Arguments arguments, ObjectNode output) {
		byte[] content = utf8(arguments.text("content", ""));
		requireSize(path, content.length);
		FileEntry there = target(path);
		if (there != null && !arguments.flag("overwrite")) {
			throw exists(path);
		}
		List<WorkspacePath> directories = missingDirectories(path);
		this.access.authorize(new ToolRequest.Write(path, content.length, there != null, directories));
		requireUnchanged(path, there);
		put(path, there, content);
		report(path, content, directories, output);
	}

	// A file that was not there is made, and not written over another's in the meantime.
	private void put(WorkspacePath path, @Nullable FileEntry there, byte[] content) {
		if (there != null) {
			this.access.files().write(path.toString(), content);
			return;
		}
		try {
			this.access.files().create(path.toString(), content);
		}
		catch (SandboxException ex) {
			if (ex.code() == ErrorCode.SANDBOX_PATH && this.access.find(path) != null) {
				throw exists(path);
			}
			throw ex;
		}
	}

	private static Refusal exists(WorkspacePath path) {
		return Refusal
			.conflict("'" + path.relative() + "' exists already.",
					"Read it first; to replace it set overwrite to true, to change a part use edit_file.")
			.with("path", path.relative());
	}

	private void append(WorkspacePath path, Arguments arguments, ObjectNode output) {
		byte[] added = utf8(arguments.text("content", ""));
		FileEntry there = target(path);
		byte[] before = (there != null) ? content(path, there) : new byte[0];
		requireSize(path, (long) before.length + added.length);
		List<WorkspacePath> directories = missingDirectories(path);
		this.access.authorize(new ToolRequest.Write(path, added.length, there != null, directories));
		requireUnchanged(path, there);
		requireContent(path, there, before);
		ByteArrayOutputStream whole = new ByteArrayOutputStream(before.length + added.length);
		whole.writeBytes(before);
		whole.writeBytes(added);
		put(path, there, whole.toByteArray());
		report(path, whole.toByteArray(), directories, output);
	}

	private static void report(WorkspacePath path, byte[] content, List<WorkspacePath> directories, ObjectNode output) {
		output.put("path", path.relative());
		output.put("bytes", content.length);
		output.put("sha256", Digests.sha256(content));
		var created = output.putArray("createdDirectories");
		directories.forEach((directory) -> created.add(directory.relative()));
	}

	private void edit(WorkspacePath path, Arguments arguments, ObjectNode output) {
		List<TextEdit> edits = edits(arguments);
		FileEntry there = this.access.file(path);
		byte[] base = content(path, there);
		String baseDigest = Digests.sha256(base);
		String expected = arguments.textOrNull("expectedSha256");
		if (expected != null && !expected.equalsIgnoreCase(baseDigest)) {
			throw Refusal
				.conflict("'" + path.relative() + "' is not as expected.", "Read the file again, then edit it.")
				.with("path", path.relative())
				.with("expectedSha256", expected)
				.with("actualSha256", baseDigest);
		}
		EditPlan plan = plan(path, base, edits);
		byte[] result = plan.result();
		requireSize(path, result.length);
		String digest = Digests.sha256(result);
		boolean dryRun = arguments.flag("dryRun");
		this.access
			.authorize(new ToolRequest.Edit(path, baseDigest, digest, result.length, plan.replacements(), dryRun));
		if (!dryRun) {
			requireUnchanged(path, there);
			requireContent(path, there, base);
			this.access.files().write(path.toString(), result);
		}
		output.put("path", path.relative());
		output.put("baseSha256", baseDigest);
		output.put("sha256", digest);
		output.put("replacements", plan.replacements());
		output.put("bytes", result.length);
		output.put("applied", !dryRun);
		var changed = output.putArray("changedLines");
		plan.changed().forEach((range) -> changed.add(range.first() + "-" + range.last()));
	}

	private static List<TextEdit> edits(Arguments arguments) {
		boolean single = arguments.has("oldText") || arguments.has("newText") || arguments.has("replaceAll");
		if (single == arguments.has("edits")) {
			throw Refusal.badRequest("Give either oldText and newText, or edits.", "Correct the arguments.");
		}
		if (!single) {
			return arguments.edits("edits");
		}
		String oldText = arguments.textOrNull("oldText");
		String newText = arguments.textOrNull("newText");
		if (oldText == null || newText == null) {
			throw Refusal.badRequest("oldText and newText must both be given.",
					"To delete text give an empty newText.");
		}
		return List.of(new TextEdit(oldText, newText, arguments.flag("replaceAll")));
	}

	private static EditPlan plan(WorkspacePath path, byte[] base, List<TextEdit> edits) {
		try {
			return EditPlan.of(base, edits);
		}
		catch (EditFailure ex) {
			RefusalCode code = switch (ex.kind()) {
				case NOT_FOUND -> RefusalCode.NOT_FOUND;
				case AMBIGUOUS -> RefusalCode.CONFLICT;
				case NOT_TEXT, NOTHING_TO_DO, EMPTY_OLD_TEXT, TOO_LARGE -> RefusalCode.BAD_REQUEST;
			};
			Refusal refusal = new Refusal(code, ex.getMessage(), ex.hint()).with("path", path.relative());
			if (ex.kind() == EditFailure.Kind.AMBIGUOUS) {
				refusal.with("count", ex.occurrences());
			}
			throw ex.lines().isEmpty() ? refusal : refusal.with("lines", ex.lines());
		}
		catch (IllegalArgumentException ex) {
			throw Refusal.badRequest(String.valueOf(ex.getMessage()) + ".", "Correct the text.");
		}
	}

	private void move(Arguments arguments, ObjectNode output) throws InterruptedException {
		WorkspacePath source = this.access.pathBelowRoot(arguments.text("path", ""));
		WorkspacePath target = this.access.pathBelowRoot(arguments.text("target", ""));
		PathLocks.Held held = this.locks.lock(source, target);
		try {
			move(source, target, arguments, output);
		}
		finally {
			held.release();
		}
	}

	private void move(WorkspacePath source, WorkspacePath target, Arguments arguments, ObjectNode output) {
		FileEntry moved = this.access.existing(source);
		FileEntry there = this.access.find(target);
		if (there != null && (there.type() == FileType.DIRECTORY || !arguments.flag("overwrite"))) {
			throw Refusal.conflict("'" + target.relative() + "' exists already.",
					(there.type() == FileType.DIRECTORY) ? "Move to a path inside that directory, or remove it first."
							: "Set overwrite to true to replace it.")
				.with("path", target.relative());
		}
		this.access.authorize(new ToolRequest.Move(source, target));
		requireUnchanged(source, moved);
		requireUnchanged(target, there);
		if (moved.type() == FileType.DIRECTORY) {
			this.access.requireAllowedBelow(source, target);
		}
		this.access.files().move(source.toString(), target.toString());
		output.put("path", source.relative());
		output.put("target", target.relative());
	}

	private void remove(WorkspacePath path, Arguments arguments, ObjectNode output) {
		WorkspacePath parent = new WorkspacePath(path.segments().subList(0, path.segments().size() - 1));
		this.access.directory(parent);
		if (!this.access.files().exists(path.toString())) {
			this.access.existing(path);
		}
		FileType type = this.access.files().stat(path.toString()).type();
		if (type == FileType.DIRECTORY && !arguments.flag("recursive")) {
			throw Refusal
				.conflict("'" + path.relative() + "' is a directory.",
						"Set recursive to true to remove it with all that is in it.")
				.with("path", path.relative());
		}
		this.access.authorize(new ToolRequest.Remove(path));
		if (this.access.files().stat(path.toString()).type() != type) {
			throw changed(path);
		}
		if (type == FileType.DIRECTORY) {
			this.access.requireAllowedBelow(path, path);
		}
		this.access.files().remove(path.toString());
		output.put("path", path.relative());
		output.put("removed", true);
	}

	private @Nullable FileEntry target(WorkspacePath path) {
		FileEntry there;
		try {
			there = this.access.find(path);
		}
		catch (Refusal ex) {
			throw (ex.code() == RefusalCode.BAD_REQUEST)
					? Refusal.conflict(ex.getMessage(), ex.hint()).with("path", path.relative()) : ex;
		}
		if (there != null && there.type() != FileType.FILE) {
			throw Refusal.conflict("'" + path.relative() + "' is not a regular file.", "Use another path.")
				.with("path", path.relative());
		}
		return there;
	}

	private List<WorkspacePath> missingDirectories(WorkspacePath path) {
		List<WorkspacePath> missing = new ArrayList<>();
		for (int i = 1; i < path.segments().size(); i++) {
			WorkspacePath directory = new WorkspacePath(path.segments().subList(0, i));
			if (!missing.isEmpty() || this.access.find(directory) == null) {
				missing.add(directory);
			}
		}
		return missing;
	}

	// An authorization can take a person's time: what it was asked for must still be so.
	private void requireUnchanged(WorkspacePath path, @Nullable FileEntry before) {
		FileEntry now = this.access.find(path);
		FileType expected = (before != null) ? before.type() : null;
		FileType found = (now != null) ? now.type() : null;
		if (expected != found) {
			throw changed(path);
		}
	}

	private void requireContent(WorkspacePath path, @Nullable FileEntry there, byte[] before) {
		if (there != null && !Digests.sha256(content(path, there)).equals(Digests.sha256(before))) {
			throw changed(path);
		}
	}

	private static Refusal changed(WorkspacePath path) {
		return Refusal.conflict("'" + path.relative() + "' was changed meanwhile.", "Look at it again, then repeat.")
			.with("path", path.relative());
	}

	private byte[] content(WorkspacePath path, FileEntry entry) {
		requireSize(path, entry.size());
		byte[] content = this.access.files().read(path.toString());
		requireSize(path, content.length);
		return content;
	}

	private void requireSize(WorkspacePath path, long bytes) {
		int most = this.access.limits().writeBytes();
		if (bytes > most) {
			throw Refusal
				.badRequest("'" + path.relative() + "' has or would have " + bytes + " bytes, more than " + most + ".",
						"Use a command for large files, or several smaller files.")
				.with("path", path.relative());
		}
	}

	private static byte[] utf8(String content) {
		try {
			ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(content));
			byte[] copy = new byte[bytes.remaining()];
			bytes.get(copy);
			return copy;
		}
		catch (CharacterCodingException ex) {
			throw Refusal.badRequest("The content is not well-formed Unicode.", "Send whole characters.");
		}
	}

	/**
	 * What is done with a file while no other call for its path runs.
	 */
	private interface FileAction {

		void on(WorkspacePath path) throws Exception;

	}

}
