package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.tools.CodingTools;
import io.sandbox4j.tools.ToolLimits;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls tools in a large workspace: a directory of 100,000 entries, a tree of 50,000
 * files, a file of 10 GiB.
 */
public final class SmallHeapTools {

	private static final int ENTRIES = 100_000;

	private static final int FILES = 50_000;

	private static final long TEN_GIB = 10L * 1024 * 1024 * 1024;

	private SmallHeapTools() {
	}

	public static void main(String[] args) throws IOException {
		Path workspace = Files.createDirectory(Path.of(args[2]));
		fill(workspace);
		if (BackendExtension.isRoot()) {
			Files.setOwner(workspace,
					workspace.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
		}
		try (BubblewrapBackend backend = BubblewrapBackend.builder()
			.stateDirectory(Path.of(args[0]))
			.runtimeDirectory(Path.of(args[1]))
			.build()) {
			SandboxHandle sandbox = backend.createInPlace(workspace, NetworkPolicy.denyAll());
			ToolLimits limits = new ToolLimits(4096, 262_144, 262_144, 128, 65_536, 262_144, 4_194_304, 500, 100,
					2 * FILES, 32, Duration.ofSeconds(30), Duration.ofMinutes(1));
			CodingTools tools = CodingTools.builder(sandbox.session())
				.authorize((request) -> true)
				.limits(limits)
				.build();
			JsonNode read = call(tools, "read_file", "{\"path\": \"huge\", \"line\": 1, \"lines\": 2}");
			System.out.println("read " + read.get("lines") + " of " + read.get("size"));
			JsonNode list = call(tools, "list_directory", "{\"path\": \"many\"}");
			System.out.println("listed " + list.get("entries").size() + " of " + list.get("totalEntries"));
			JsonNode found = call(tools, "glob", "{\"pattern\": \"tree/**/f49999\"}");
			System.out.println("found " + found.get("paths") + " " + found.get("truncated"));
			JsonNode search = call(tools, "search_files", "{\"query\": \"text 49999\", \"path\": \"tree\"}");
			System.out.println("searched " + search.get("scannedFiles") + " " + search.get("matches").size() + " "
					+ search.get("truncated"));
			JsonNode every = call(tools, "search_files", "{\"query\": \"text\", \"path\": \"tree\", \"context\": 10}");
			System.out.println("every " + every.get("matches").size() + " " + every.get("truncated"));
			sandbox.delete();
		}
	}

	private static void fill(Path workspace) throws IOException {
		Path many = Files.createDirectory(workspace.resolve("many"));
		for (int i = 0; i < ENTRIES; i++) {
			Files.createFile(many.resolve("entry" + i));
		}
		for (int i = 0; i < FILES; i++) {
			Path directory = workspace.resolve("tree/" + i / 1_000 + "/" + i / 50);
			if (i % 50 == 0) {
				Files.createDirectories(directory);
			}
			Files.writeString(directory.resolve("f" + i), "text " + i + "\n");
		}
		try (RandomAccessFile huge = new RandomAccessFile(workspace.resolve("huge").toFile(), "rw")) {
			huge.writeBytes("first\nsecond\nthird\n");
			huge.setLength(TEN_GIB);
		}
	}

	private static JsonNode call(CodingTools tools, String tool, String arguments) {
		return JsonMapper.shared().readTree(tools.call(tool, arguments).text());
	}

}
