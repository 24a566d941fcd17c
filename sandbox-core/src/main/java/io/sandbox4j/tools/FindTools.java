package io.sandbox4j.tools;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code list_directory} and {@code glob}.
 */
final class FindTools {

	private final ToolAccess access;

	private final Set<String> excluded;

	FindTools(ToolAccess access, Set<String> excluded) {
		this.access = access;
		this.excluded = excluded;
	}

	List<SandboxTool> tools() {
		return List.of(
				new DescribedTool("list_directory",
						"Lists what is directly in a directory, directories first, then by name, at most "
								+ this.access.limits().listEntries() + " entries. Use glob to look deeper.",
						List.of(Parameter.optional("path", Parameter.Type.TEXT,
								"The directory, relative to the workspace. Default '.'.")),
						this::list),
				new DescribedTool("glob",
						"Finds files by path. ** is any number of directories, * and ? never cross '/', all else is "
								+ "literal. The pattern is for the whole path from the workspace: use **/*.java for "
								+ "files anywhere. At most " + this.access.limits().searchResults()
								+ " paths. Directories such as node_modules and what .gitignore names are skipped "
								+ "unless the pattern names them or includeIgnored is true.",
						List.of(Parameter.required("pattern", Parameter.Type.TEXT,
								"The pattern, such as src/**/*.java."),
								Parameter.optional("path", Parameter.Type.TEXT,
										"The directory to look in. The pattern still is for the whole path. Default '.'."),
								Parameter.optional("includeIgnored", Parameter.Type.FLAG,
										"Whether files that .gitignore names are found too. Default false.")),
						this::glob));
	}

	private void list(Arguments arguments, ObjectNode output) {
		WorkspacePath path = this.access.path(arguments.text("path", "."));
		this.access.directory(path);
		this.access.authorize(new ToolRequest.ListDirectory(path));
		this.access.directory(path);
		int most = this.access.limits().listEntries();
		List<FileEntry> entries = new ArrayList<>(this.access.files().list(path.toString()));
		entries.sort(Comparator.comparing((FileEntry entry) -> entry.type() != FileType.DIRECTORY)
			.thenComparing((entry) -> entry.path().relative()));
		output.put("path", path.relative());
		ArrayNode listed = output.putArray("entries");
		ArrayNode denied = output.arrayNode();
		boolean truncated = false;
		for (FileEntry entry : entries) {
			if (!this.access.allows(entry.path())) {
				if (denied.size() < most) {
					denied.addObject().put("name", name(entry)).put("kind", kind(entry));
				}
				else {
					output.put("deniedTruncated", true);
				}
			}
			else if (listed.size() == most) {
				truncated = true;
				break;
			}
			else {
				describe(entry, listed.addObject());
			}
		}
		output.put("truncated", truncated);
		output.put("totalEntries", entries.size());
		if (!denied.isEmpty()) {
			output.set("denied", denied);
		}
	}

	private void describe(FileEntry entry, ObjectNode node) {
		node.put("name", name(entry)).put("kind", kind(entry));
		if (entry.type() == FileType.FILE) {
			node.put("bytes", entry.size());
		}
		if (entry.type() == FileType.DIRECTORY && this.excluded.contains(name(entry))) {
			node.put("excluded", true);
		}
	}

	private static String name(FileEntry entry) {
		return entry.path().segments().get(entry.path().segments().size() - 1);
	}

	private static String kind(FileEntry entry) {
		return switch (entry.type()) {
			case FILE -> "file";
			case DIRECTORY -> "directory";
			case SYMLINK -> "symlink";
			case OTHER -> "other";
		};
	}

	private void glob(Arguments arguments, ObjectNode output) {
		Glob glob = parse(arguments.text("pattern", ""));
		WorkspacePath path = this.access.path(arguments.text("path", "."));
		this.access.directory(path);
		this.access.authorize(new ToolRequest.Find(path, arguments.text("pattern", "")));
		this.access.directory(path);
		int most = this.access.limits().searchResults();
		List<String> found = new ArrayList<>();
		GlobVisitor visitor = new GlobVisitor(glob, most, found);
		TreeWalk<Boolean> walk = new TreeWalk<>(this.access, this.excluded, arguments.flag("includeIgnored"), visitor,
				TreeWalk.latestEnd());
		walk.from(path);
		ArrayNode paths = output.putArray("paths");
		found.forEach(paths::add);
		output.put("truncated", walk.cut());
		output.put("resultTruncated", visitor.full);
		report(walk, output);
	}

	static Glob parse(String pattern) {
		try {
			return Glob.parse(pattern);
		}
		catch (IllegalArgumentException ex) {
			throw Refusal.badRequest(String.valueOf(ex.getMessage()), "Correct the pattern.");
		}
	}

	static void report(TreeWalk<?> walk, ObjectNode output) {
		output.put("scannedFiles", walk.scannedFiles());
		output.put("skippedDirectories", walk.skippedDirectories());
		output.put("skippedSymlinks", walk.skippedLinks());
		if (walk.ignored() > 0) {
			output.put("ignoredFiles", walk.ignored());
		}
		if (!walk.denied().isEmpty()) {
			ArrayNode denied = output.putArray("denied");
			walk.denied().forEach(denied::add);
		}
	}

	/**
	 * Finds what a pattern matches, and goes only where it can match something.
	 */
	private static final class GlobVisitor implements TreeWalk.Visitor<Boolean> {

		private final Glob glob;

		private final int most;

		private final List<String> found;

		private long states;

		private boolean full;

		GlobVisitor(Glob glob, int most, List<String> found) {
			this.glob = glob;
			this.most = most;
			this.found = found;
		}

		@Override
		public void enter(WorkspacePath directory) {
			this.states = this.glob.states(directory);
		}

		@Override
		public boolean wants(FileEntry entry) {
			long states = this.glob.step(this.states, name(entry));
			return (entry.type() == FileType.DIRECTORY) ? this.glob.goesOn(states) : this.glob.accepts(states);
		}

		@Override
		public boolean names(WorkspacePath path) {
			List<String> literal = this.glob.literalPrefix();
			int depth = path.segments().size();
			return (depth <= literal.size() && literal.subList(0, depth).equals(path.segments()))
					|| (this.glob.isLiteral() && this.glob.matches(path));
		}

		@Override
		public boolean readsContent() {
			return false;
		}

		@Override
		public @Nullable Boolean read(FileEntry file, InputStream content) {
			return null;
		}

		@Override
		public boolean file(FileEntry file, @Nullable Boolean none) {
			if (this.found.size() == this.most) {
				this.full = true;
				return false;
			}
			this.found.add(file.path().relative());
			return true;
		}

	}

}
