package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A proxy of Node's own {@code http}, in one process, as one writes it.
 */
final class NodePeer {

	private static final String SCRIPT = "proxy.js";

	private NodePeer() {
	}

	static boolean isInstalled() {
		return Scratch.program("node") != null;
	}

	static Target start(Scratch scratch, Upstream upstream) throws IOException {
		Path script = scratch.directory().resolve(SCRIPT);
		try (InputStream content = Objects.requireNonNull(NodePeer.class.getResourceAsStream(SCRIPT), SCRIPT)) {
			Files.copy(content, script);
		}
		Target target = new Target("Node", scratch.directory().resolve("node.sock"));
		String program = Objects.requireNonNull(Scratch.program("node"), "Node is not installed");
		Process process = scratch.start("node", List.of(program, script.toString(), target.socket().toString(),
				String.valueOf(upstream.port()), Upstream.CREDENTIAL));
		scratch.await("node", process, target::listens);
		return target;
	}

}
