package io.sandbox4j.bubblewrap;

import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;

/**
 * Passes text that is not ASCII through a sandbox.
 */
public final class LocaleFreeJvm {

	private static final String WORD = "h\u00e9\u2713";

	private LocaleFreeJvm() {
	}

	public static void main(String[] args) {
		System.out.println(System.getProperty("sun.jnu.encoding"));
		try (BubblewrapBackend backend = BubblewrapBackend.builder()
			.stateDirectory(Path.of(args[0]))
			.runtimeDirectory(Path.of(args[1]))
			.build()) {
			SandboxTemplate template = SandboxTemplate.named("locale").file("\u00fc.txt", "x").build();
			SandboxHandle sandbox = backend
				.create(SandboxRequest.from(backend.prewarm(template)).network(NetworkPolicy.denyAll()).build());
			System.out
				.println("argument " + hex(sandbox, ExecSpec.of("/bin/sh", "-c", "printf %s \"$1\"", "sh", WORD)));
			System.out.println("environment "
					+ hex(sandbox, ExecSpec.shell("printf %s \"$WORD\"").withEnvironment(Map.of("WORD", WORD))));
			sandbox.session().files().writeText(WORD + "/" + WORD, "content");
			System.out.println("cwd " + hex(sandbox, ExecSpec.shell("printf %s *").withCwd(WORD)));
			System.out.println("template " + hex(sandbox, ExecSpec.shell("printf %s *.txt")));
			System.out.println("listed " + sandbox.session()
				.files()
				.walk(".", 2)
				.stream()
				.anyMatch((entry) -> entry.path().relative().equals(WORD + "/" + WORD)));
			System.out.println("read " + sandbox.session().files().readText(WORD + "/" + WORD).equals("content"));
			sandbox.delete();
		}
	}

	private static String hex(SandboxHandle sandbox, ExecSpec command) {
		return HexFormat.of().formatHex(sandbox.session().run(command).stdout());
	}

}
