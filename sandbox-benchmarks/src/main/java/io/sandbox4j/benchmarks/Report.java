package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What benchmarks found: figures, the peers that were not there, and what to know about
 * the run.
 */
final class Report {

	private final List<Figure> figures = new ArrayList<>();

	private final List<String> missing = new ArrayList<>();

	private final List<String> notes = new ArrayList<>();

	void add(Figure figure) {
		this.figures.add(figure);
	}

	void missing(String peer, String leftOut) {
		this.missing.add(peer + " is not installed: no figures of " + leftOut);
	}

	void note(String note) {
		this.notes.add(note);
	}

	// Why the check fails, one line each; nothing if it does not.
	List<String> failures() {
		List<String> failures = new ArrayList<>(this.missing);
		this.figures.stream().filter((figure) -> !figure.ok()).map(Figure::miss).forEach(failures::add);
		return failures;
	}

	String text() {
		int width = this.figures.stream().mapToInt((figure) -> figure.name().length()).max().orElse(0);
		String row = "%-" + Math.max(width, "figure".length()) + "s %10s %10s %7s  %-14s %s";
		StringBuilder text = new StringBuilder();
		append(text, String.format(Locale.ROOT, row, "figure", "ours", "theirs", "ratio", "limit", ""));
		for (Figure figure : this.figures) {
			Figure.Limit limit = figure.limit();
			append(text,
					String.format(Locale.ROOT, row, figure.name(), number(figure.ours()), number(figure.theirs()),
							number(figure.ratio()), (limit != null) ? limit : "",
							(limit != null) ? (figure.ok() ? "ok" : "MISSED") : ""));
		}
		this.missing.forEach((line) -> append(text, line));
		this.notes.forEach((line) -> append(text, line));
		return text.toString();
	}

	private static void append(StringBuilder text, String line) {
		text.append(line.stripTrailing()).append('\n');
	}

	private static String number(@Nullable Double value) {
		return (value != null) ? Figure.number(value) : "";
	}

	String json() {
		return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(rows()) + "\n";
	}

	private List<Map<String, @Nullable Object>> rows() {
		List<Map<String, @Nullable Object>> rows = new ArrayList<>();
		for (Figure figure : this.figures) {
			Map<String, @Nullable Object> row = new LinkedHashMap<>();
			row.put("name", figure.name());
			row.put("ours", figure.ours());
			row.put("theirs", figure.theirs());
			row.put("ratio", figure.ratio());
			Figure.Limit limit = figure.limit();
			row.put("limit", (limit != null) ? limit.value() : null);
			row.put("ok", figure.ok());
			rows.add(row);
		}
		return rows;
	}

	void write(Path file) throws IOException {
		Files.createDirectories(file.toAbsolutePath().getParent());
		Files.writeString(file, json());
	}

}
