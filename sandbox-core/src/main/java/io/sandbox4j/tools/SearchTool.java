package io.sandbox4j.tools;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code search_files}: lines or paths that hold a text or match an expression. The
 * expressions are RE2's, whose time is linear in the text whatever a model writes.
 */
final class SearchTool {

	private final ToolAccess access;

	private final Set<String> excluded;

	SearchTool(ToolAccess access, Set<String> excluded) {
		this.access = access;
		this.excluded = excluded;
	}

	SandboxTool tool() {
		return new DescribedTool("search_files",
				"Searches the lines of text files, or with mode path the paths, for a text or with regex = true for an "
						+ "RE2 regular expression (no backreferences, no look-around). At most "
						+ this.access.limits().searchResults() + " matches; files over "
						+ this.access.limits().readBytes() + " bytes are skipped, and so are directories such as "
						+ "node_modules and what .gitignore names, unless includeIgnored is true.",
				List.of(Parameter.required("query", Parameter.Type.TEXT, "The text or expression."),
						Parameter.optional("path", Parameter.Type.TEXT, "The directory to search. Default '.'."),
						Parameter.optional("mode", Parameter.Type.TEXT, "What to search. Default content.")
							.oneOf(List.of("content", "path")),
						Parameter.optional("regex", Parameter.Type.FLAG, "Whether the query is an expression."),
						Parameter.optional("context", Parameter.Type.NUMBER, "Lines to show around a match. Default 0.")
							.within(0, 10),
						Parameter.optional("include", Parameter.Type.TEXT,
								"A glob for the whole path of the files to search, such as **/*.java."),
						Parameter.optional("includeIgnored", Parameter.Type.FLAG,
								"Whether files that .gitignore names are searched too. Default false.")),
				this::search);
	}

	private void search(Arguments arguments, ObjectNode output) {
		String query = arguments.text("query", "");
		String mode = arguments.text("mode", "content");
		LineQuery pattern = LineQuery.of(query, arguments.flag("regex"));
		String include = arguments.textOrNull("include");
		Glob glob = (include != null) ? FindTools.parse(include) : null;
		WorkspacePath path = this.access.path(arguments.text("path", "."));
		this.access.directory(path);
		this.access.authorize(new ToolRequest.Search(path, query, mode));
		this.access.directory(path);
		ToolLimits limits = this.access.limits();
		// One more than is answered tells that there are more.
		int wanted = Math.max(limits.searchResults(), limits.searchResults() + 1);
		long end = TreeWalk.latestEnd();
		FileSearch files = new FileSearch(pattern, (int) arguments.number("context", 0), limits.readBytes(), wanted,
				end);
		Search search = new Search(this.access, pattern, files, glob, mode.equals("path"), output.putArray("matches"));
		TreeWalk<FileSearch.Found> walk = new TreeWalk<>(this.access, this.excluded, arguments.flag("includeIgnored"),
				search, end);
		walk.from(path);
		output.put("truncated", search.full || walk.cut());
		FindTools.report(walk, output);
		if (search.skippedFiles > 0) {
			output.put("skippedFiles", search.skippedFiles);
		}
		if (search.skippedLines > 0) {
			output.put("skippedLines", search.skippedLines);
		}
		if (search.rejected > 0 && walk.scannedFiles() == 0 && walk.denied().isEmpty()) {
			output.put("hint", "include rejected all " + search.rejected + ((search.rejected == 1) ? " file" : " files")
					+ ". It is for the whole path: use **/*.java for files anywhere.");
		}
	}

	/**
	 * One search over the files of a walk.
	 */
	private static final class Search implements TreeWalk.Visitor<FileSearch.Found> {

		// What was found in files whose turn has not come.
		private static final long MAX_HELD_CHARS = 8L * 1024 * 1024;

		private static final FileSearch.Found TOO_MUCH = new FileSearch.Found(List.of(), 0);

		private final ToolAccess access;

		private final LineQuery query;

		private final FileSearch files;

		private final @Nullable Glob include;

		private final boolean paths;

		private final ArrayNode matches;

		private final AtomicLong held = new AtomicLong();

		private long states;

		private int rejected;

		private int skippedFiles;

		private int skippedLines;

		private boolean full;

		Search(ToolAccess access, LineQuery query, FileSearch files, @Nullable Glob include, boolean paths,
				ArrayNode matches) {
			this.access = access;
			this.query = query;
			this.files = files;
			this.include = include;
			this.paths = paths;
			this.matches = matches;
		}

		@Override
		public void enter(WorkspacePath directory) {
			this.states = (this.include != null) ? this.include.states(directory) : 0;
		}

		@Override
		public boolean wants(FileEntry entry) {
			if (this.include == null || entry.type() == FileType.DIRECTORY) {
				// Into every directory, to count what include rejects.
				return true;
			}
			List<String> names = entry.path().segments();
			boolean matched = this.include.accepts(this.include.step(this.states, names.get(names.size() - 1)));
			this.rejected += (!matched && entry.type() == FileType.FILE) ? 1 : 0;
			return matched;
		}

		@Override
		public boolean names(WorkspacePath path) {
			return false;
		}

		@Override
		public boolean readsContent() {
			return !this.paths;
		}

		@Override
		public FileSearch.@Nullable Found read(FileEntry file, InputStream content) throws IOException {
			FileSearch.Found found = this.files.search(file, content);
			long size = (found != null) ? found.size() : 0;
			if (size > 0 && this.held.addAndGet(size) > MAX_HELD_CHARS) {
				this.held.addAndGet(-size);
				return TOO_MUCH;
			}
			return found;
		}

		@Override
		public boolean file(FileEntry file, FileSearch.@Nullable Found value) {
			if (this.paths) {
				return this.query.find(file.path().relative()) == null
						|| add((match) -> match.put("path", file.path().relative()));
			}
			FileSearch.Found found = (value != TOO_MUCH) ? value : again(file);
			if (found == null) {
				this.skippedFiles++;
				return true;
			}
			if (value != TOO_MUCH) {
				this.held.addAndGet(-found.size());
			}
			this.skippedLines += found.skippedLines();
			for (FileSearch.Match match : found.matches()) {
				if (!add((node) -> describe(file, match, node))) {
					return false;
				}
			}
			return true;
		}

		private FileSearch.@Nullable Found again(FileEntry file) {
			try (InputStream content = this.access.files().open(file.path().toString())) {
				return this.files.search(file, content);
			}
			catch (IOException | SandboxException ex) {
				// Gone or replaced meanwhile.
				return null;
			}
		}

		private void describe(FileEntry file, FileSearch.Match match, ObjectNode node) {
			node.put("path", file.path().relative());
			node.put("line", match.line());
			node.put("text", match.text());
			if (this.files.showsContext()) {
				ArrayNode before = node.putArray("before");
				match.before().forEach(before::add);
				ArrayNode after = node.putArray("after");
				match.after().forEach(after::add);
			}
		}

		private boolean add(Consumer<ObjectNode> match) {
			if (this.matches.size() == this.access.limits().searchResults()) {
				this.full = true;
				return false;
			}
			match.accept(this.matches.addObject());
			return true;
		}

	}

}
