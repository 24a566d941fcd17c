package io.sandbox4j.test.ai;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.core.ParameterizedTypeReference;

/**
 * Real tools that remember what they were called with.
 */
final class Tools {

	private static final ParameterizedTypeReference<Map<String, Object>> ARGUMENTS = new ParameterizedTypeReference<>() {
	};

	final List<Map<String, Object>> reads = new CopyOnWriteArrayList<>();

	final List<Map<String, Object>> writes = new CopyOnWriteArrayList<>();

	final ToolCallback read = tool("read_file", (arguments) -> {
		this.reads.add(arguments);
		return Map.of("path", arguments.get("path"), "sha256", "abc" + this.reads.size(), "size", 42);
	});

	final ToolCallback write = tool("write_file", (arguments) -> {
		this.writes.add(arguments);
		return "written \"" + arguments.get("path") + "\"";
	});

	static ToolCallback tool(String name, Function<Map<String, Object>, Object> function) {
		return FunctionToolCallback.builder(name, function).description(name).inputType(ARGUMENTS).build();
	}

	Object[] all() {
		return new Object[] { this.read, this.write };
	}

}
