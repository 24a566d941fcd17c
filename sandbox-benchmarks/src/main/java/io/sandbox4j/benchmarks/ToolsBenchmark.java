package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.benchmarks.Figure.Limit;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import io.sandbox4j.tools.CodingTools;
import io.sandbox4j.tools.ToolLimits;
import io.sandbox4j.tools.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The tools for files beside the programs and calls that do the same without a sandbox.
 */
final class ToolsBenchmark implements Benchmark {

	private static final int ROUNDS = 15;

	private static final int WARM_UP = 5;

	private static final int CALLS = 2_000;

	private static final int KIB_4 = 4096;

	@Override
	public String name() {
		return "tools";
	}

	@Override
	public void run(Scratch scratch, Report report) throws Exception {
		Path workspace = scratch.makeDirectory("workspace");
		ToolsWorkspace.fill(workspace);
		try (BubblewrapBackend backend = BubblewrapBackend.builder()
			.stateDirectory(scratch.makeDirectory("state"))
			.build()) {
			try (SandboxHandle handle = backend.createInPlace(workspace, NetworkPolicy.denyAll())) {
				CodingTools tools = tools(handle);
				search(tools, workspace, report);
				glob(tools, workspace, report);
				handle.delete();
			}
			String template = backend.prewarm(SandboxTemplate.named("empty").build()).key();
			SandboxRequest request = SandboxRequest.from(template).network(NetworkPolicy.denyAll()).build();
			try (SandboxHandle handle = backend.create(request)) {
				readAndWrite(handle.session().files(), tools(handle), scratch.makeDirectory("plain"), report);
				handle.delete();
			}
		}
		report.note(ToolsWorkspace.FILES + " files, in the page cache, on " + Runtime.getRuntime().availableProcessors()
				+ " processors.");
	}

	private static CodingTools tools(SandboxHandle handle) {
		return CodingTools.builder(handle.session()).authorize((request) -> true).limits(limits()).build();
	}

	private static ToolLimits limits() {
		ToolLimits standard = ToolLimits.DEFAULT;
		return new ToolLimits(standard.pathBytes(), standard.readBytes(), standard.writeBytes(),
				standard.commandArguments(), standard.commandArgumentBytes(), standard.outputBytes(),
				standard.artifactBytes(), standard.listEntries(), standard.searchResults(), 2 * ToolsWorkspace.FILES,
				standard.searchDepth(), standard.commandTimeout(), standard.backgroundTimeout());
	}

	private static void search(CodingTools tools, Path workspace, Report report) throws Exception {
		String rg = Scratch.program("rg");
		if (rg == null) {
			report.missing("ripgrep", "search_files");
			return;
		}
		String regex = ToolsWorkspace.RARE + "\\s=\\s\\d+$";
		compare(report, "search_files a text, s, rg", Limit.atMost(3), ROUNDS,
				() -> call(tools, "search_files", Map.of("query", ToolsWorkspace.RARE), ToolsWorkspace.RARE),
				() -> program(workspace, rg, "--no-require-git", "-n", "-F", ToolsWorkspace.RARE, "."));
		compare(report, "search_files an expression, s, rg", Limit.atMost(3), ROUNDS,
				() -> call(tools, "search_files", Map.of("query", regex, "regex", true), ToolsWorkspace.RARE),
				() -> program(workspace, rg, "--no-require-git", "-n", regex, "."));
	}

	private static void glob(CodingTools tools, Path workspace, Report report) throws Exception {
		compare(report, "glob, s, find", Limit.atMost(2), ROUNDS,
				() -> call(tools, "glob", Map.of("pattern", "**/rare*.py"), "rare1000.py"),
				() -> program(workspace, "find", ".", "-type", "f", "-name", "rare*.py"));
	}

	private static void readAndWrite(SandboxFiles files, CodingTools tools, Path directory, Report report)
			throws Exception {
		String content = "0123456789abcde\n".repeat(KIB_4 / 16);
		Path plain = Files.writeString(directory.resolve("plain.txt"), content);
		files.writeText("tool.txt", content);
		Callable<Double> read = () -> times(() -> Files.readString(plain));
		Callable<Double> write = () -> times(() -> Files.writeString(plain, content));
		compare(report, "read 4 KiB, us, Files.readString", Limit.atMost(3), ROUNDS,
				() -> times(() -> files.readText("tool.txt")), read);
		compare(report, "write 4 KiB, us, Files.writeString", Limit.atMost(3), ROUNDS, () -> times(() -> {
			files.writeText("tool.txt", content);
			return "";
		}), write);
		compare(report, "read_file 4 KiB, us, Files.readString", null, ROUNDS,
				() -> times(() -> call(tools, "read_file", Map.of("path", "tool.txt"), "sha256")), read);
		compare(report, "write_file 4 KiB, us, Files.writeString", null, ROUNDS, () -> times(() -> call(tools,
				"write_file", Map.of("path", "tool.txt", "content", content, "overwrite", true), "bytes")), write);
	}

	private static void compare(Report report, String name, @Nullable Limit limit, int rounds, Callable<Double> ours,
			Callable<Double> theirs) throws Exception {
		List<Callable<Double>> competitors = List.of(ours, theirs);
		Rounds.run(WARM_UP, competitors, Callable::call);
		Rounds<Callable<Double>> measured = Rounds.run(rounds, competitors, Callable::call);
		report.add(Figure.of(name, measured.of(ours), measured.of(theirs), limit));
	}

	private static double times(Callable<?> action) throws Exception {
		long before = System.nanoTime();
		for (int i = 0; i < CALLS; i++) {
			action.call();
		}
		return (System.nanoTime() - before) / 1e3 / CALLS;
	}

	// What was not found as it should be, was not measured either.
	private static double call(CodingTools tools, String tool, Map<String, Object> arguments, String expected) {
		String json = JsonMapper.shared().writeValueAsString(arguments);
		long before = System.nanoTime();
		ToolResult result = tools.call(tool, json);
		double seconds = (System.nanoTime() - before) / 1e9;
		if (!result.text().contains(expected) || result.text().contains("\"truncated\":true")) {
			throw new IllegalStateException(tool + " answered " + result.text());
		}
		return seconds;
	}

	private static double program(Path workspace, String... command) throws IOException, InterruptedException {
		long before = System.nanoTime();
		Process process = new ProcessBuilder(command).directory(workspace.toFile())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		process.getOutputStream().close();
		int lines = new String(process.getInputStream().readAllBytes()).split("\n").length;
		int exit = process.waitFor();
		double seconds = (System.nanoTime() - before) / 1e9;
		if (exit != 0 || lines != ToolsWorkspace.FILES / 1_000) {
			throw new IOException(command[0] + " ended with " + exit + " and " + lines + " lines");
		}
		return seconds;
	}

}
