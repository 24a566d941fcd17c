package io.sandbox4j.tools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code read_output} and {@code search_output}: the kept outputs of commands.
 */
final class OutputTools {

	private static final int MAX_CHARACTER_BYTES = 4;

	private static final int DEFAULT_MATCHES = 20;

	private static final int EXCERPT = 500;

	private static final Duration TIME = Duration.ofSeconds(20);

	private final ToolAccess access;

	private final KeptOutputs kept;

	OutputTools(ToolAccess access, KeptOutputs kept) {
		this.access = access;
		this.kept = kept;
	}

	List<SandboxTool> tools() {
		int most = this.access.limits().readBytes();
		int matches = this.access.limits().searchResults();
		Parameter reference = Parameter.required("reference", Parameter.Type.TEXT,
				"What run_command answered as artifact.reference.");
		return List.of(
				new DescribedTool("read_output",
						"Reads the whole output of a command that was answered in part, from byte offset on, at most "
								+ most + " bytes; when truncated is true, call again with offset = nextOffset. "
								+ "Outputs are kept for a limited time.",
						List.of(reference,
								Parameter.optional("offset", Parameter.Type.NUMBER, "The byte to start at. Default 0.")
									.within(0, Long.MAX_VALUE),
								Parameter.optional("maxBytes", Parameter.Type.NUMBER, "How many bytes to read.")
									.within(1, most)),
						this::read),
				new DescribedTool("search_output",
						"Searches the lines of the whole output of a command that was answered in part, for a text or "
								+ "with regex = true for an RE2 regular expression (no backreferences, no look-around).",
						List.of(reference, Parameter.required("query", Parameter.Type.TEXT, "The text or expression."),
								Parameter.optional("regex", Parameter.Type.FLAG,
										"Whether the query is an expression. Default false."),
								Parameter
									.optional("maxMatches", Parameter.Type.NUMBER,
											"How many matches to answer. Default " + Math.min(DEFAULT_MATCHES, matches)
													+ ".")
									.within(1, matches)),
						this::search));
	}

	// What the command was allowed to print is not for whoever may no longer run it.
	private KeptOutputs.Kept authorized(String reference, ToolRequest request) {
		KeptOutputs.Kept output = this.kept.find(reference);
		this.access.authorize(request);
		this.access.authorize(output.command());
		return output;
	}

	private void read(Arguments arguments, ObjectNode output) {
		String reference = arguments.text("reference", "");
		long offset = arguments.number("offset", 0);
		int most = (int) arguments.number("maxBytes", this.access.limits().readBytes());
		KeptOutputs.Kept found = authorized(reference, new ToolRequest.ArtifactRead(reference, offset, most));
		if (offset > found.bytes()) {
			throw Refusal.badRequest("The offset is beyond the end of the output.", "Read from a smaller offset.")
				.with("totalBytes", found.bytes());
		}
		// The characters around both cuts.
		int before = (int) Math.min(offset, MAX_CHARACTER_BYTES - 1);
		int room = (int) Math.min(Integer.MAX_VALUE, (long) before + most + 2 * MAX_CHARACTER_BYTES);
		byte[] bytes = this.kept.read(found, offset - before, room);
		int start = Math.min(bytes.length, Utf8.ceiling(bytes, Math.min(bytes.length, before)));
		int end = end(bytes, start, most);
		long next = offset - before + end;
		output.put("reference", reference);
		output.put("text", new String(bytes, start, end - start, StandardCharsets.UTF_8));
		output.put("offset", offset - before + start);
		output.put("bytes", end - start);
		output.put("totalBytes", found.bytes());
		output.put("truncated", next < found.bytes());
		if (next < found.bytes()) {
			output.put("nextOffset", next);
		}
	}

	// At least one character, or nobody would get on.
	private static int end(byte[] bytes, int start, int most) {
		if (bytes.length - start <= most) {
			return bytes.length;
		}
		int end = Utf8.floor(bytes, start + most);
		return (end > start) ? end : Utf8.ceiling(bytes, start + 1);
	}

	private void search(Arguments arguments, ObjectNode output) throws IOException {
		String reference = arguments.text("reference", "");
		String query = arguments.text("query", "");
		int most = (int) arguments.number("maxMatches",
				Math.min(DEFAULT_MATCHES, this.access.limits().searchResults()));
		LineQuery lines = LineQuery.of(query, arguments.flag("regex"));
		KeptOutputs.Kept found = authorized(reference, new ToolRequest.ArtifactSearch(reference, query, most));
		String text;
		try (InputStream in = this.kept.open(found)) {
			text = new String(in.readNBytes((int) Math.min(found.bytes(), Integer.MAX_VALUE - 8)),
					StandardCharsets.UTF_8);
		}
		output.put("reference", reference);
		lines(text, lines, most, output);
	}

	private static void lines(String text, LineQuery query, int most, ObjectNode output) {
		ArrayNode matches = output.putArray("matches");
		long deadline = System.nanoTime() + TIME.toNanos();
		int skipped = 0;
		boolean truncated = false;
		int start = 0;
		for (int number = 1; start < text.length() && !truncated; number++) {
			int end = text.indexOf('\n', start);
			String line = text.substring(start, (end != -1) ? end : text.length());
			start += line.length() + 1;
			LineQuery.Span span = query.skips(line) ? null : query.find(line);
			skipped += query.skips(line) ? 1 : 0;
			if (span != null) {
				if (matches.size() == most) {
					truncated = true;
				}
				else {
					ObjectNode match = matches.addObject();
					match.put("line", number);
					match.put("text", Excerpts.middle(line, span.start(), span.end(), EXCERPT));
				}
			}
			truncated |= System.nanoTime() - deadline > 0;
		}
		output.put("truncated", truncated);
		if (skipped > 0) {
			output.put("skippedLines", skipped);
		}
	}

}
