package io.sandbox4j.tools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
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

	private static final int MAX_QUERY = 1000;

	private static final int MAX_LINE = 8192;

	private static final int EXCERPT = 500;

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
		Pattern pattern = pattern(query, arguments.flag("regex"));
		String include = arguments.textOrNull("include");
		Glob glob = (include != null) ? FindTools.parse(include) : null;
		WorkspacePath path = this.access.path(arguments.text("path", "."));
		this.access.directory(path);
		this.access.authorize(new ToolRequest.Search(path, query, mode));
		this.access.directory(path);
		Search search = new Search(pattern, glob, mode.equals("path"), (int) arguments.number("context", 0),
				output.putArray("matches"));
		TreeWalk walk = new TreeWalk(this.access, this.excluded, arguments.flag("includeIgnored"), search);
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

	private static Pattern pattern(String query, boolean regex) {
		if (query.isEmpty() || query.length() > MAX_QUERY) {
			throw Refusal.badRequest("The query must have 1 to " + MAX_QUERY + " characters.", "Correct the query.");
		}
		try {
			return Pattern.compile(regex ? query : Pattern.quote(query));
		}
		catch (PatternSyntaxException ex) {
			throw Refusal.badRequest("The expression is not valid in RE2: " + ex.getDescription() + ".",
					"Use no backreferences and no look-around; to search for the text itself set regex to false.");
		}
	}

	/**
	 * One search over the files of a walk.
	 */
	private final class Search implements TreeWalk.Visitor {

		private final Pattern pattern;

		private final @Nullable Glob include;

		private final boolean paths;

		private final int context;

		private final ArrayNode matches;

		private int rejected;

		private int skippedFiles;

		private int skippedLines;

		private boolean full;

		Search(Pattern pattern, @Nullable Glob include, boolean paths, int context, ArrayNode matches) {
			this.pattern = pattern;
			this.include = include;
			this.paths = paths;
			this.context = context;
			this.matches = matches;
		}

		@Override
		public boolean wants(FileEntry entry) {
			if (this.include == null || entry.type() == FileType.DIRECTORY) {
				// Into every directory, to count what include rejects.
				return true;
			}
			boolean matched = this.include.matches(entry.path());
			this.rejected += (!matched && entry.type() == FileType.FILE) ? 1 : 0;
			return matched;
		}

		@Override
		public boolean names(WorkspacePath path) {
			return false;
		}

		@Override
		public boolean file(FileEntry entry) {
			if (this.paths) {
				return !this.pattern.matcher(entry.path().relative()).find()
						|| add((match) -> match.put("path", entry.path().relative()));
			}
			if (entry.size() > SearchTool.this.access.limits().readBytes()) {
				this.skippedFiles++;
				return true;
			}
			String text = text(entry);
			if (text == null) {
				this.skippedFiles++;
				return true;
			}
			return lines(entry, text.split("\r?\n", -1));
		}

		private @Nullable String text(FileEntry entry) {
			int most = SearchTool.this.access.limits().readBytes();
			try (InputStream in = SearchTool.this.access.files().open(entry.path().toString())) {
				byte[] bytes = in.readNBytes(most + 1);
				String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
				return (bytes.length > most || text.indexOf('\0') >= 0) ? null : text;
			}
			catch (CharacterCodingException | SandboxException ex) {
				// No text, or gone or replaced since it was listed.
				return null;
			}
			catch (IOException ex) {
				return null;
			}
		}

		private boolean lines(FileEntry entry, String[] lines) {
			for (int i = 0; i < lines.length; i++) {
				if (lines[i].length() > MAX_LINE && !isLiteralIn(lines[i])) {
					this.skippedLines += 1;
					continue;
				}
				Matcher matcher = this.pattern.matcher(lines[i]);
				if (matcher.find() && !addLine(entry, lines, i, matcher)) {
					return false;
				}
			}
			return true;
		}

		// A long line is worth a look only if that is quick.
		private boolean isLiteralIn(String line) {
			return this.pattern.pattern().startsWith("\\Q") || this.pattern.pattern()
				.chars()
				.allMatch((c) -> Character.isLetterOrDigit(c) || c == ' ' || c == '_') && !line.isEmpty();
		}

		private boolean addLine(FileEntry entry, String[] lines, int index, Matcher matcher) {
			String line = Excerpts.middle(lines[index], matcher.start(), matcher.end(), EXCERPT);
			return add((match) -> {
				match.put("path", entry.path().relative());
				match.put("line", index + 1);
				match.put("text", line);
				if (this.context > 0) {
					around(match.putArray("before"), lines, Math.max(0, index - this.context), index);
					int end = (lines[lines.length - 1].isEmpty()) ? lines.length - 1 : lines.length;
					around(match.putArray("after"), lines, index + 1, Math.min(end, index + 1 + this.context));
				}
			});
		}

		private static void around(ArrayNode shown, String[] lines, int from, int to) {
			for (int i = from; i < to; i++) {
				shown.add(Excerpts.middle(lines[i], 0, 0, EXCERPT));
			}
		}

		private boolean add(Consumer<ObjectNode> match) {
			if (this.matches.size() == SearchTool.this.access.limits().searchResults()) {
				this.full = true;
				return false;
			}
			match.accept(this.matches.addObject());
			return true;
		}

	}

}
