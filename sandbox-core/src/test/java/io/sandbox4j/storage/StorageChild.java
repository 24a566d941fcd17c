package io.sandbox4j.storage;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SandboxTemplate;

/**
 * What a second JVM does in tests. It prints one line for each step and goes on when it
 * reads one.
 */
public final class StorageChild {

	private StorageChild() {
	}

	public static void main(String[] args) throws Exception {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		try (StateDirectory state = StateDirectory.open(Path.of(args[1]), "test", StorageSettings.defaults())) {
			switch (args[0]) {
				case "attach" -> attach(state, args[2], args[3], in);
				case "guest" -> guest(state, args[2], args[3], in);
				case "prewarm" -> prewarm(state, in);
				case "build" -> build(state, in);
				default -> throw new IllegalArgumentException(args[0]);
			}
		}
	}

	private static void attach(StateDirectory state, String id, String key, BufferedReader in) throws Exception {
		say("READY");
		in.readLine();
		StoredSession session;
		try {
			session = state.sessions().attach(new SandboxState("test", id, key));
		}
		catch (SandboxException ex) {
			say(ex.code().name());
			return;
		}
		say("OWNED " + session.lease().token() + " " + session.recovered());
		in.readLine();
		session.release();
		say("RELEASED");
	}

	private static void guest(StateDirectory state, String id, String key, BufferedReader in) throws Exception {
		StoredSession session = state.sessions().attach(new SandboxState("test", id, key));
		Process recorded = new ProcessBuilder("sleep", "600").start();
		session.guests().add(recorded.pid());
		Process marked = new ProcessBuilder("sh", "-c", "while :; do sleep 1; done", Guests.marker(id)).start();
		say(recorded.pid() + " " + marked.pid());
		in.readLine();
	}

	private static void prewarm(StateDirectory state, BufferedReader in) throws Exception {
		say("READY");
		in.readLine();
		PreparedTemplate prepared = state.templates()
			.prewarm(SandboxTemplate.named("race").file("a/b.txt", "content").build());
		say(prepared.key() + " " + prepared.reused());
	}

	private static void build(StateDirectory state, BufferedReader in) throws Exception {
		SandboxTemplate.Builder template = SandboxTemplate.named("large");
		for (int i = 0; i < 400; i++) {
			template.file("file-" + i, "content");
		}
		say("READY");
		for (int i = 0; true; i++) {
			state.templates().prewarm(template.file("other-" + i, "content").build());
		}
	}

	private static void say(String line) {
		System.out.println(line);
		System.out.flush();
	}

}
