package io.sandbox4j.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The application's own process.
 */
final class JvmCheck implements DoctorCheck {

	private static final String DESCRIPTORS = "jvm.open-files";

	private static final long FEW = 1024;

	private static final int PERCENT = 100;

	private static final int MANY = 80;

	private static final int TOO_MANY = 95;

	private final Path root;

	/**
	 * Creates a check.
	 * @param root the root of the file system with {@code /proc}
	 */
	JvmCheck(Path root) {
		this.root = root;
	}

	@Override
	public String name() {
		return "jvm";
	}

	@Override
	public List<DoctorFinding> check(DoctorContext context) throws IOException {
		List<DoctorFinding> findings = new ArrayList<>();
		findings.add(process(ProcessHandle.current().pid()));
		Path limits = this.root.resolve("proc/self/limits");
		if (Files.exists(limits)) {
			findings.add(descriptors(openFiles(), limit(Files.readAllLines(limits))));
		}
		return findings;
	}

	static DoctorFinding process(long pid) {
		String summary = "Java " + Runtime.version() + ", process " + pid + ".";
		if (pid == 1) {
			return DoctorFinding.warn("jvm", summary,
					"Process 1 reaps no orphans here: each command can leave a zombie.",
					"Start the container with an init, for example 'docker run --init'.");
		}
		return DoctorFinding.ok("jvm", summary);
	}

	static DoctorFinding descriptors(long open, long limit) {
		String summary = open + " of " + limit + " file descriptors are in use.";
		String remedy = "Raise the limit of the application (LimitNOFILE of its service, 'ulimit -n').";
		long percent = (limit > 0) ? open * PERCENT / limit : PERCENT;
		if (percent >= TOO_MANY) {
			return DoctorFinding.fail(DESCRIPTORS, summary, "Commands cannot be started for want of descriptors.",
					remedy);
		}
		if (percent >= MANY || limit < FEW) {
			return DoctorFinding.warn(DESCRIPTORS, summary,
					"Each running command takes several, as do requests through the gateway.", remedy);
		}
		return DoctorFinding.ok(DESCRIPTORS, summary);
	}

	private long openFiles() throws IOException {
		try (Stream<Path> open = Files.list(this.root.resolve("proc/self/fd"))) {
			return open.count();
		}
	}

	private static long limit(List<String> lines) {
		return lines.stream()
			.filter((line) -> line.startsWith("Max open files"))
			.map((line) -> line.split("\\s{2,}")[1])
			.mapToLong((limit) -> limit.equals("unlimited") ? Long.MAX_VALUE / PERCENT : Long.parseLong(limit))
			.findFirst()
			.orElse(FEW);
	}

}
