package io.sandbox4j.test;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * The programs of a fake sandbox. One in a directory of the guest's {@code PATH} is known
 * by its name as well.
 */
final class FakePrograms {

	private static final String[] PATH = { "/usr/local/bin/", "/usr/bin/", "/bin/" };

	private final Map<String, FakeProgram> programs = new ConcurrentHashMap<>();

	FakePrograms() {
		add("true", (invocation) -> 0);
		add("false", (invocation) -> 1);
		add("echo", FakePrograms::echo);
		add("cat", FakePrograms::cat);
		add("pwd", FakePrograms::pwd);
		add("env", FakePrograms::env);
		add("sleep", FakePrograms::sleep);
	}

	void add(String executable, FakeProgram program) {
		this.programs.put(key(executable), program);
	}

	@Nullable FakeProgram find(String executable) {
		return this.programs.get(key(executable));
	}

	private static String key(String executable) {
		for (String directory : PATH) {
			if (executable.startsWith(directory)) {
				return executable.substring(directory.length());
			}
		}
		return executable;
	}

	private static int echo(FakeInvocation invocation) throws Exception {
		invocation.print(String.join(" ", invocation.args()) + "\n");
		return 0;
	}

	private static int cat(FakeInvocation invocation) throws Exception {
		if (invocation.args().isEmpty()) {
			invocation.stdin().transferTo(invocation.stdout());
		}
		for (String path : invocation.args()) {
			WorkspacePath file = invocation.resolve(path);
			try (var content = invocation.files().open(file)) {
				content.transferTo(invocation.stdout());
			}
		}
		return 0;
	}

	private static int pwd(FakeInvocation invocation) throws Exception {
		invocation.print(invocation.cwd() + "\n");
		return 0;
	}

	private static int env(FakeInvocation invocation) throws Exception {
		for (Map.Entry<String, String> entry : new TreeMap<>(invocation.environment()).entrySet()) {
			invocation.print(entry.getKey() + "=" + entry.getValue() + "\n");
		}
		return 0;
	}

	private static int sleep(FakeInvocation invocation) throws Exception {
		double seconds = Double.parseDouble(invocation.args().get(0));
		Thread.sleep(Duration.ofNanos((long) (seconds * 1_000_000_000)).toMillis());
		return 0;
	}

}
