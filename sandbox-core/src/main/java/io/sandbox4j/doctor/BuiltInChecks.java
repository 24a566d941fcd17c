package io.sandbox4j.doctor;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/**
 * The doctor's own checks, in the order in which a reader wants to know.
 */
final class BuiltInChecks {

	private BuiltInChecks() {
	}

	static List<DoctorCheck> all() {
		Path root = Path.of("/");
		Clock clock = Clock.systemUTC();
		return List.of(new BubblewrapCheck(), new IsolationCheck(), new LimitsCheck(root),
				new StateDirectoryCheck(root), new RuntimeDirectoryCheck(), new DiskCheck(), new ToolchainCheck(),
				new ClockCheck(clock), new LeftoversCheck(clock), new NetworkCheck(), new JvmCheck(root));
	}

}
