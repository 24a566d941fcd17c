package io.sandbox4j.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

import io.sandbox4j.Isolation.Check;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * What bounds commands: limits of each process, which the backend proves, and the memory
 * of the application's control group, in which they run.
 */
final class LimitsCheck implements DoctorCheck {

	private static final String MEMORY = "limits.memory";

	private static final Path GROUPS = Path.of("sys/fs/cgroup");

	private static final int LENGTH_OF_NO_LIMIT = 18;

	private final Path root;

	/**
	 * Creates a check.
	 * @param root the root of the file system with {@code /proc} and {@code /sys}
	 */
	LimitsCheck(Path root) {
		this.root = root;
	}

	@Override
	public String name() {
		return "limits";
	}

	@Override
	public List<DoctorFinding> check(DoctorContext context) throws InterruptedException {
		return List.of(limits(context), memory());
	}

	private DoctorFinding limits(DoctorContext context) throws InterruptedException {
		List<Check> checks;
		try {
			checks = context.isolation()
				.checks()
				.stream()
				.filter((check) -> check.restriction() == Restriction.RESOURCES_BOUNDED)
				.toList();
		}
		catch (SandboxException ex) {
			return DoctorFinding.warn(name(), "Not known, as no sandbox can run.", "", "See 'isolation'.");
		}
		String seen = checks.stream().map(Check::detail).collect(Collectors.joining("; "));
		if (checks.isEmpty() || checks.stream().anyMatch((check) -> !check.held())) {
			return DoctorFinding.warn(name(), "The limits of each process do not all hold (" + seen + ").",
					"A command can use up open files, processes, disk or CPU time of the host.",
					"Raise the hard limits of the application (LimitNOFILE and LimitNPROC of its service), or lower "
							+ "'sandbox.limits.*'.");
		}
		return DoctorFinding.ok(name(), "The limits of each process hold (" + seen + ").");
	}

	private DoctorFinding memory() {
		String limit = memoryLimit();
		if (limit == null) {
			return DoctorFinding.warn(MEMORY, "No control group bounds the memory of the application.",
					"The limits of each process do not bound memory: one command can use up that of the host.",
					"Bound the application with its sandboxes, for example with MemoryMax of its systemd service or "
							+ "with the memory limit of its container.");
		}
		return DoctorFinding.ok(MEMORY,
				"A control group bounds the application and its sandboxes together to " + limit + " bytes of memory.");
	}

	private @Nullable String memoryLimit() {
		Path own = Path.of(ownGroup());
		for (Path group = own; group != null; group = group.getParent()) {
			String relative = group.toString().substring(1);
			for (String file : new String[] { "memory.max", "memory.limit_in_bytes" }) {
				Path base = file.equals("memory.max") ? GROUPS : GROUPS.resolve("memory");
				String limit = read(base.resolve(relative).resolve(file));
				// Version 1 says 'no limit' with a number that no machine has.
				if (limit.matches("\\d+") && limit.length() < LENGTH_OF_NO_LIMIT) {
					return limit;
				}
			}
		}
		return null;
	}

	private String ownGroup() {
		return read(Path.of("proc/self/cgroup")).lines()
			.map((line) -> line.split(":", 3))
			.filter((parts) -> parts.length == 3 && parts[2].startsWith("/")
					&& (parts[1].isEmpty() || List.of(parts[1].split(",")).contains("memory")))
			.map((parts) -> Path.of(parts[2]).normalize().toString())
			.findFirst()
			.orElse("/");
	}

	private String read(Path path) {
		try {
			return Files.readString(this.root.resolve(path)).strip();
		}
		catch (IOException ex) {
			return "";
		}
	}

}
