package io.sandbox4j.tools;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

import io.sandbox4j.FileEntry;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code read_file}: a part of a text file, by bytes or by lines.
 */
final class ReadTool {

	/**
	 * A larger file gets no digest: edits do not take it either.
	 */
	private static final int DIGEST_BYTES = 16 * 1024 * 1024;

	private static final int MAX_LINE_BYTES = 8192;

	private static final int MAX_LINES = 2000;

	private static final long MAX_SCAN_BYTES = 64L * 1024 * 1024;

	private final ToolAccess access;

	ReadTool(ToolAccess access) {
		this.access = access;
	}

	SandboxTool tool() {
		int most = this.access.limits().readBytes();
		return new DescribedTool("read_file",
				"Reads a UTF-8 text file. Without line it returns the text from byte offset on, at most " + most
						+ " bytes; when truncated is true, call again with offset = nextOffset. With line (from 1) it "
						+ "returns numbered lines, each as number, tab, text; at most " + MAX_LINES
						+ " lines; the numbers are not part of the file. sha256 is of the whole file.",
				List.of(Parameter.required("path", Parameter.Type.TEXT, "The file, relative to the workspace."),
						Parameter.optional("offset", Parameter.Type.NUMBER, "The byte to start at. Default 0.")
							.within(0, Long.MAX_VALUE),
						Parameter.optional("maxBytes", Parameter.Type.NUMBER, "How many bytes to read.")
							.within(1, most),
						Parameter.optional("line", Parameter.Type.NUMBER, "The first line to read, from 1.")
							.within(1, Long.MAX_VALUE),
						Parameter
							.optional("lines", Parameter.Type.NUMBER,
									"How many lines to read. Default " + MAX_LINES + ".")
							.within(1, MAX_LINES)),
				this::read);
	}

	private void read(Arguments arguments, ObjectNode output) throws IOException {
		boolean byLine = arguments.has("line") || arguments.has("lines");
		if (byLine && arguments.has("offset")) {
			throw Refusal.badRequest("'offset' and 'line' were both given.", "Give one of them.");
		}
		WorkspacePath path = this.access.pathBelowRoot(arguments.text("path", ""));
		FileEntry entry = this.access.file(path);
		this.access.authorize(new ToolRequest.Read(path));
		this.access.file(path);
		output.put("path", path.relative());
		int most = (int) arguments.number("maxBytes", this.access.limits().readBytes());
		try (InputStream in = this.access.files().open(path.toString())) {
			byte[] whole = (entry.size() <= DIGEST_BYTES) ? wholeOf(in) : null;
			InputStream text = (whole != null) ? new ByteArrayInputStream(whole) : in;
			if (byLine) {
				lines(arguments, text, most, output);
			}
			else {
				window(arguments, text, most, output);
			}
			output.put("size", (whole != null) ? whole.length : entry.size());
			if (whole != null) {
				output.put("sha256", Digests.sha256(whole));
			}
		}
		catch (NotTextException ex) {
			throw Refusal
				.badRequest("'" + path.relative() + "' is not UTF-8 text: see byte " + ex.byteOffset() + ".",
						"Look at it with a command, such as xxd or file.")
				.with("path", path.relative())
				.with("reason", "invalid_utf8");
		}
		catch (ScanLimitException ex) {
			throw Refusal
				.badRequest("The line is too far from the start: " + ex.lines() + " lines were passed.",
						"Read by offset instead.")
				.with("path", path.relative());
		}
	}

	// It may grow while it is read; then it is as large as it was.
	private static byte @Nullable [] wholeOf(InputStream in) throws IOException {
		return in.readNBytes(DIGEST_BYTES);
	}

	private static void window(Arguments arguments, InputStream in, int most, ObjectNode output)
			throws IOException, NotTextException {
		TextWindow window = TextWindow.read(in, arguments.number("offset", 0), most);
		if (window.beyondEnd()) {
			throw Refusal.badRequest("The offset is beyond the end of the file.", "Read from a smaller offset.");
		}
		output.put("text", window.text());
		output.put("offset", window.offset());
		output.put("bytes", window.bytes());
		output.put("truncated", window.truncated());
		if (window.truncated()) {
			output.put("nextOffset", window.nextOffset());
		}
	}

	private static void lines(Arguments arguments, InputStream in, int most, ObjectNode output)
			throws IOException, NotTextException, ScanLimitException {
		long first = arguments.number("line", 1);
		LineWindow window = LineWindow.read(in, first, (int) arguments.number("lines", MAX_LINES), most, MAX_LINE_BYTES,
				MAX_SCAN_BYTES);
		if (window.beyondEnd() && first > 1) {
			throw Refusal
				.badRequest("There is no line " + first + ": the file has " + window.totalLines() + " lines.",
						"Read from a smaller line.")
				.with("totalLines", window.totalLines());
		}
		StringBuilder text = new StringBuilder();
		for (LineWindow.Line line : window.lines()) {
			text.append(line.number()).append('\t').append(line.text());
			if (line.omittedBytes() != 0) {
				String count = (line.omittedBytes() > 0) ? line.omittedBytes() + " bytes" : "the rest";
				text.append(" [... line truncated, ").append(count).append(" left out ...]");
			}
			text.append('\n');
		}
		output.put("text", text.toString());
		output.put("firstLine", first);
		output.put("lines", window.lines().size());
		output.put("truncated", window.truncated());
		if (window.truncated()) {
			output.put("nextLine", window.nextLine());
		}
		if (window.totalLines() >= 0) {
			output.put("totalLines", window.totalLines());
		}
		output.put("lineEnds", window.newlines().name());
	}

}
